@_spi(FrontEnd) import GangwayProtocol

/// A service of another feature, which a session finds by its id; neither feature needs the other to build.
///
/// The first call loads the service's plugin and creates the service.
@MainActor public struct ServiceHandle {
  /// The service's id.
  package let id: ContributionID
  let caller: PluginID
  weak var services: SessionServices?

  /// Calls an operation.
  ///
  /// - Parameters:
  ///   - operation: the name of the operation.
  ///   - input: the input, or a value of another type that encodes alike.
  ///   - output: the type of the output, or another type that decodes from it.
  /// - Throws: `noService` if the service's plugin cannot load; `noService`, with the existing names, if there is no
  ///   such operation. `payload`, with both types, if input or output do not fit; the error of the operation.
  public func call<Input: Encodable & Sendable, Output: Decodable & Sendable>(
    _ operation: String, with input: Input = NoPayload(), returning output: Output.Type = Output.self
  ) async throws -> Output {
    services?.registry?.noteUse(of: id, operation, by: caller)
    let (service, registration) = try await obtain()
    guard let offered = registration.operations[operation] else {
      throw NavigationError(
        .noOperation(service: id, operation: operation, caller: caller, known: Self.list(registration.operations.keys)))
    }
    do {
      let (value, encoded) = try await offered.run(service, input) { try StoredValue.encode(input) }
      return try value as? Output ?? StoredValue.decode(Output.self, from: encoded())
    } catch let error as DecodingError {
      throw NavigationError(
        .serviceMismatch(
          call: "\(id).\(operation)", plugin: registration.plugin,
          offered: "takes \(offered.input) and returns \(offered.output)",
          wanted: "\(caller) called it with \(TypeName.of(Input.self)) and expects \(TypeName.of(Output.self))",
          why: StoredRoute.brief(error)))
    }
  }

  /// Returns the values that the service reports from now on, until the reading task is cancelled.
  ///
  /// Work that reads them counts as waiting, so it does not keep a test busy.
  ///
  /// - Parameters:
  ///   - name: the name of the changes.
  ///   - value: the type of the values, or another type that decodes from them.
  /// - Throws: as ``call(_:with:returning:)``; the sequence throws `payload` at a value that does not fit.
  public func changes<Value: Decodable & Sendable>(
    _ name: String, as value: Value.Type = Value.self
  ) async throws -> ServiceChanges<Value> {
    let (service, registration) = try await obtain()
    guard let source = registration.changes[name] else {
      throw NavigationError(
        .noChanges(service: id, changes: name, caller: caller, known: Self.list(registration.changes.keys)))
    }
    let (id, caller) = (id, caller)
    return ServiceChanges(following: source, of: service) { error in
      NavigationError(
        .serviceMismatch(
          call: "\(id).\(name)", plugin: registration.plugin, offered: "reports values of type \(source.value)",
          wanted: "\(caller) reads them as \(TypeName.of(Value.self))", why: StoredRoute.brief(error)))
    }
  }

  private static func list(_ names: some Collection<String>) -> String {
    names.isEmpty ? "none" : names.sorted().joined(separator: ", ")
  }

  private func obtain() async throws -> (AnyObject, ServiceTable.Named) {
    guard let services else { throw NavigationError(.sessionEnded(plugin: caller)) }
    let registration = try await services.registration(id, for: caller)
    return (try services.instance(of: registration), registration)
  }
}

/// The values that a service of another feature reports, read with `for try await`.
@MainActor public final class ServiceChanges<Value: Decodable & Sendable>: AsyncSequence {
  public typealias Element = Value
  /// The errors of the service.
  public typealias Failure = any Error

  private var values: [Result<Value, any Error>] = []
  private var isFinished = false
  private var waiting: Waiting<Void>?
  private var task: Task<Void, Never>?

  init(following source: ServiceChangeSource, of service: AnyObject, mismatch: @escaping (any Error) -> any Error) {
    task = Task.immediate { @MainActor [weak self] in
      do {
        try await source.follow(service) { value, encoded in
          do {
            self?.add(.success(try value as? Value ?? StoredValue.decode(Value.self, from: encoded())))
          } catch {
            self?.add(.failure(mismatch(error)))
          }
        }
      } catch is CancellationError {
      } catch {
        self?.add(.failure(error))
      }
      self?.finish()
    }
  }

  isolated deinit { task?.cancel() }

  private func add(_ value: Result<Value, any Error>) {
    values.append(value)
    wake()
  }

  private func finish() {
    isFinished = true
    wake()
  }

  private func wake() {
    let waiting = waiting
    self.waiting = nil
    waiting?.resolve(())
  }

  /// Returns the next value; nil if the service has no more values, or if the task is cancelled.
  private func next() async throws -> Value? {
    while values.isEmpty {
      if isFinished || Task.isCancelled { return nil }
      let waiting = Waiting<Void>()
      self.waiting = waiting
      await withTaskCancellationHandler {
        await waiting.value()
      } onCancel: {
        Task { @MainActor in waiting.resolve(()) }
      }
    }
    return try values.removeFirst().get()
  }

  /// Returns an iterator over the values.
  public nonisolated func makeAsyncIterator() -> Iterator { Iterator(changes: self) }

  /// An iterator over the values of a service's changes.
  public struct Iterator: AsyncIteratorProtocol {
    let changes: ServiceChanges

    /// Returns the next value.
    public mutating func next() async throws -> Value? { try await changes.next() }

    /// Returns the next value.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws -> Value? {
      try await changes.next()
    }
  }
}
