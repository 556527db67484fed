import Observation

/// A value that a model loads: the first time when a screen or other code needs it, and again on request.
///
/// A screen shows it with ``Loading``. Other code waits for it with ``get()``, so that it never mistakes a value that
/// is still missing for an empty one.
///
/// ```swift
/// @MainActor @Observable final class GuestBook {
///   let guests: Loadable<[Guest]>
///   init(file: URL) { guests = Loadable { try await Self.read(file) } }
///
///   func add(_ guest: Guest) async throws {
///     let all = try await guests.get() + [guest]
///     try await Self.write(all, to: file)
///     guests.value = all
///   }
/// }
/// ```
///
/// One load serves all who wait for it. It is cancelled when the last of them is cancelled, as when a screen goes.
@MainActor @Observable public final class Loadable<Value> {
  /// The error of the last load that ended; nil if it succeeded.
  ///
  /// After a failed refresh, ``value`` is still the value from before.
  public private(set) var error: (any Error)?
  /// Whether a load is running.
  public private(set) var isLoading = false
  private var loaded: Value?
  /// The number of times that the value was set to nil, after which a screen loads it again.
  private(set) var needs = 0
  @ObservationIgnored private let operation: @MainActor () async throws -> Value
  @ObservationIgnored private var task: Task<Void, Never>?
  /// The number of the load whose result counts.
  @ObservationIgnored private var current = 0
  @ObservationIgnored private var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
  @ObservationIgnored private var waiterCount = 0

  /// Creates a value that is not loaded yet.
  ///
  /// - Parameter operation: returns the value. It runs on the main actor, so it should await slow work elsewhere.
  public init(_ operation: @escaping @MainActor () async throws -> Value) { self.operation = operation }

  /// The value; nil until it has been loaded.
  ///
  /// Set it after your code has changed the stored value. A load that runs at that moment is then obsolete, and its
  /// result is dropped. With nil, the value is loaded
  /// again when it is needed.
  public var value: Value? {
    get {
      if loaded == nil { UnloadedReads.count &+= 1 }
      return loaded
    }
    set {
      endLoad()
      (loaded, error) = (newValue, nil)
      if newValue == nil { needs += 1 }
    }
  }

  /// Loads the value unless it is there, and waits for the end of the load.
  ///
  /// A value that failed to load is loaded again. ``error`` has the reason if it fails.
  public func load() async {
    if loaded == nil { await wait() }
  }

  /// Loads the value again, and waits for the end of the load; ``value`` stays until then.
  public func reload() async { await wait() }

  /// Returns the value that was loaded last, for code that changes it and stores the whole.
  ///
  /// It loads the value if it is not there, or if the last load failed, and waits for a load that runs. So a change is
  /// never based on a value that could not be read again. The operation that loads the value must not call it.
  ///
  /// - Throws: the error of the load; `CancellationError` if the caller was cancelled.
  public func get() async throws -> Value {
    while true {
      if let loaded, error == nil, !isLoading { return loaded }
      await wait()
      try Task.checkCancellation()
      if let error { throw error }
    }
  }

  private func wait() async {
    guard !Task.isCancelled else { return }
    if task == nil { begin() }
    guard task != nil else { return }
    waiterCount += 1
    let id = waiterCount
    await withTaskCancellationHandler {
      await withCheckedContinuation { waiters[id] = $0 }
    } onCancel: {
      Task { @MainActor in self.leave(id) }
    }
  }

  /// Ends the wait of a caller that was cancelled.
  private func leave(_ id: Int) {
    guard let waiter = waiters.removeValue(forKey: id) else { return }
    waiter.resume()
    if waiters.isEmpty { endLoad() }
  }

  private func begin() {
    current += 1
    let number = current
    isLoading = true
    var hasEnded = false
    let task = Task.immediate { @MainActor [operation, weak self] in
      let result: Result<Value, any Error>
      do { result = .success(try await operation()) } catch { result = .failure(error) }
      hasEnded = true
      self?.finish(number, result)
    }
    if !hasEnded, number == current { self.task = task }
  }

  private func finish(_ number: Int, _ result: Result<Value, any Error>) {
    guard number == current else { return }
    switch result {
    case .success(let value): (loaded, error) = (value, nil)
    case .failure(let failure): error = failure
    }
    endLoad()
  }

  /// Ends the load, so that its result no longer counts, and everyone's wait for it.
  private func endLoad() {
    current += 1
    task?.cancel()
    task = nil
    if isLoading { isLoading = false }
    let waiting = waiters.values
    waiters = [:]
    for waiter in waiting { waiter.resume() }
  }
}

/// The number of times that code read a ``Loadable`` whose value was not there.
@MainActor enum UnloadedReads {
  @exclusivity(unchecked) static var count = 0
}
