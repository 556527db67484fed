import Foundation
@_spi(FrontEnd) @testable import Gangway
@_spi(FrontEnd) @testable import GangwayProtocol
@_spi(FrontEnd) @testable import GangwayTesting

/// A session whose guest plugin runs in another host, which is part of this process.
@MainActor final class TwoHosts: FlowHost {
  /// A flow that runs in the other host.
  private struct Running {
    let number: FlowNumber
    let flow: HostedFlow
    let session: Session
  }

  private let app: Session
  private let guests: Registry
  private let folders: PluginFolders
  private var spliced: SplicedPresentation
  private var running: [NodeID: Running] = [:]
  /// The number of each flow, also of one that has ended, because an undo may bring it back.
  private var numbers: [NodeID: FlowNumber] = [:]
  /// The stored state of flows, by their nodes.
  private(set) var stored: [NodeID: Checkpoint]
  private var lastNumber = 0
  private var lastEvent: EventID = 0
  /// The text of the notices so far.
  private(set) var notices: [String] = []
  /// The reason why flows cannot start; nil if they can.
  var failure: String?
  /// The starts, stops and ends of flows.
  private(set) var calls: [String] = []
  private var popping: Task<Void, Never>?

  /// Starts an app.
  ///
  /// - Parameters:
  ///   - earlier: the states of an app that ended; nil for a new one.
  ///   - isFromFile: whether guards run for the restored entries.
  init(
    _ folders: PluginFolders, from earlier: (app: Checkpoint, flows: [NodeID: Checkpoint])? = nil,
    isFromFile: Bool = false
  ) throws {
    let registry = try Registry(plugins: [Inn.self])
    guests = try Registry(plugins: [Guest.self])
    registry.announce(try Registry().manifest(of: Guest.self), runsElsewhere: true)
    app = Session(registry: registry, folders: folders)
    self.folders = folders
    stored = earlier?.flows ?? [:]
    spliced = SplicedPresentation(app.presentation)
    app.flowHost = self
    app.onUpdate = { [weak self] in self?.take($0, .app) }
    take(try app.start(from: earlier?.app, asksGuards: isFromFile), .app)
  }

  /// The presentation of the whole app.
  var presentation: Presentation { spliced.whole }

  var hallCoordinator: Hall? { app.navigation.table.newest(ObjectIdentifier(Hall.self)) as? Hall }
  var hall: Router<Hall>? { app.router(of: Hall.self) }

  /// The states that the app can be restored from.
  var checkpoints: (app: Checkpoint, flows: [NodeID: Checkpoint]) {
    (app.checkpoint, stored.merging(running.mapValues(\.session.checkpoint)) { $1 })
  }

  /// Ends the host of the app, as a crash does.
  func crash() { app.abandon() }

  func close() { app.close() }

  // MARK: The flows

  func start(_ flow: HostedFlow) {
    calls.append("start \(flow.node)")
    if let failure {
      Task { flow.park(failure) }
      return
    }
    if numbers[flow.node] == nil { lastNumber += 1 }
    let number = numbers[flow.node] ?? FlowNumber(rawValue: lastNumber)
    numbers[flow.node] = number
    spliced.open(number, at: flow.node)
    run(flow, number, from: stored[flow.node])
  }

  private func run(_ flow: HostedFlow, _ number: FlowNumber, from checkpoint: Checkpoint?) {
    let session = Session(registry: guests, folders: folders, flow: flow.start) { try await flow.end($0) }
    running[flow.node] = Running(number: number, flow: flow, session: session)
    session.onUpdate = { [weak self] in self?.take($0, number) }
    do {
      take(try session.start(from: checkpoint), number)
    } catch {
      flow.park("\(error)")
    }
  }

  func stop(_ flow: HostedFlow) {
    calls.append("stop \(flow.node)")
    close(flow)
  }

  func end(_ flow: HostedFlow) {
    calls.append("end \(flow.node)")
    close(flow)
  }

  func discard(_ flow: HostedFlow) {
    calls.append("discard \(flow.node)")
    close(flow)
    (stored[flow.node], numbers[flow.node]) = (nil, nil)
  }

  private func close(_ flow: HostedFlow) {
    guard let ended = running.removeValue(forKey: flow.node) else { return }
    stored[flow.node] = ended.session.checkpoint
    ended.session.close()
    spliced.close(ended.number)
  }

  /// Ends the host of the flows, as a crash does, and starts them in a new one.
  func crashGuests() {
    for crashed in running.values {
      let checkpoint = crashed.session.checkpoint
      crashed.session.abandon()
      run(crashed.flow, crashed.number, from: checkpoint)
    }
  }

  private func take(_ update: Update, _ number: FlowNumber) {
    notices += update.notices.map(\.text)
    guard let presentation = update.presentation else { return }
    spliced.show(presentation, of: number)
    guard let found = running.values.first(where: { $0.number == number }) else { return }
    let isGuarded = presentation.asksBeforeLeaving == true
    guard isGuarded != (found.flow.leaveGuard != nil) else { return }
    found.flow.leaveGuard =
      !isGuarded
      ? nil
      : NavigationGuard("other host", timeout: nil) { [weak session = found.session] _ in
        do {
          try await session?.askToLeave()
          return .allow
        } catch let error as NavigationError {
          guard case .denied(let reason) = error.problem else { throw error }
          return .deny(reason)
        }
      }
  }

  // MARK: The user

  /// Sends what a user does, and waits until all is done.
  func send(_ action: Event.Action, at revision: Revision? = nil) async {
    lastEvent += 1
    let event = Event(id: lastEvent, revision: revision ?? presentation.revision, action: action)
    let (number, own) = spliced.route(event)
    if number == .app {
      take(app.handle(own), .app)
    } else if let found = running.values.first(where: { $0.number == number }) {
      take(found.session.handle(own), number)
    }
    await settle()
  }

  /// Waits until the entries of ``popAll()`` are gone, or a guard has refused.
  func popped() async {
    await popping?.value
    await settle()
  }

  /// Pops all entries of the hall, as code of the app, until an alert appears.
  func popAll() async {
    let hall = hall
    let pop = Task {
      do {
        try await hall?.popToRoot()
      } catch {
        notices.append(NavigationError.personMessage(of: error))
      }
    }
    for _ in 0..<200 where presentation.alert == nil {
      await Task.yield()
      await settle()
    }
    popping = pop
  }

  func settle() async {
    for _ in 0..<3 {
      for session in [app] + running.values.map(\.session) {
        _ = await session.idle(within: .seconds(5), quiet: .milliseconds(20))
      }
    }
  }
}
