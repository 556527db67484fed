@_spi(FrontEnd) import GangwayProtocol

/// The progress of a task.
public struct Progress: PrimitiveContent {
  private let label: String
  private let fraction: Double?
  private let work: Work?

  /// Creates a progress indicator; `fraction` is from 0 to 1, and nil stands for an unknown one.
  public init(_ label: String, fraction: Double? = nil) { (self.label, self.fraction, work) = (label, fraction, nil) }

  /// Creates the progress of long work, with a button that cancels it.
  ///
  /// It shows nothing while the work is not running. After a failure, it shows the reason and *Try again*.
  ///
  /// - Parameters:
  ///   - label: the name of the work, such as "Importing guests".
  ///   - work: the work.
  public init(_ label: String, work: Work) { (self.label, fraction, self.work) = (label, nil, work) }

  /// Adds itself to a render.
  @_spi(FrontEnd) public func _render(into renderer: ContentRenderer) {
    if let work { show(work, renderer) } else { show(fraction, renderer) }
  }

  private func show(_ fraction: Double?, _ renderer: ContentRenderer) {
    // A value that is not a number (0 of 0) is unknown.
    let known = fraction.flatMap { $0.isFinite ? min(max($0, 0), 1) : nil }
    renderer.add(.progress, label) { $0.value = known.map { "\($0)" } }
  }

  private func show(_ work: Work, _ renderer: ContentRenderer) {
    if work.isRunning {
      renderer.descend("progress") { show(work.fraction, renderer) }
      if let detail = work.detail { renderer.descend("detail") { Text(detail)._render(into: renderer) } }
      renderer.descend("cancel") {
        Button("Cancel", role: .cancel) { await work.cancelAndWait() }
          .disabled(because: work.isCancelled ? "the work is already ending" : nil)._render(into: renderer)
      }
    } else if let error = work.error {
      renderer.descend("failed") {
        Banner(.problem, "\(label) did not finish", message: NavigationError.personMessage(of: error)) {
          Button("Try again") { try work.startAgain?() }
        }._render(into: renderer)
      }
    }
  }
}
