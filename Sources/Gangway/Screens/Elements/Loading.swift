@_spi(FrontEnd) import GangwayProtocol

/// Content that loads: it shows progress at first, then the content, and after a failure the reason and *Try again*.
///
/// ```swift
/// Loading("Loading the guests", book.guests) { guests in
///   List(guests) { guest in Row(guest.name) }
/// }
/// ```
///
/// The load starts when the screen is shown, and is cancelled with it. While the value is loaded again, the content
/// stays, with the progress after it. If that fails, the old content stays under the reason.
public struct Loading<Value>: PrimitiveContent {
  private let label: String
  private let source: Loadable<Value>
  private let content: (Value) -> ContentGroup
  private let failed: (any Error) -> ContentGroup

  /// Creates content that loads, with a banner for an error.
  ///
  /// - Parameters:
  ///   - label: the label of the progress.
  ///   - source: the value.
  ///   - content: the content for a loaded value.
  public init(
    _ label: String, _ source: Loadable<Value>, @ContentBuilder content: @escaping (Value) -> ContentGroup
  ) {
    self.init(label, source, content: content) { error in
      Banner(.problem, "This could not be loaded", message: NavigationError.personMessage(of: error))
    }
  }

  /// Creates content that loads.
  ///
  /// - Parameters:
  ///   - label: the label of the progress.
  ///   - source: the value.
  ///   - content: the content for a loaded value.
  ///   - failed: the content for an error, which is shown above *Try again*.
  public init(
    _ label: String, _ source: Loadable<Value>, @ContentBuilder content: @escaping (Value) -> ContentGroup,
    @ContentBuilder failed: @escaping (any Error) -> ContentGroup
  ) {
    (self.label, self.source, self.content, self.failed) = (label, source, content, failed)
  }

  /// Adds itself to a render.
  @_spi(FrontEnd) public func _render(into renderer: ContentRenderer) {
    let source = source
    renderer.descend("load") {
      renderer.addTask(id: [ObjectIdentifier(source).hashValue, source.needs]) { await source.load() }
    }
    if let error = source.error {
      renderer.descend("failed") {
        failed(error)._render(into: renderer)
        renderer.descend("retry") { Button("Try again") { await source.reload() }._render(into: renderer) }
      }
    }
    if let value = source.value { renderer.descend("loaded") { content(value)._render(into: renderer) } }
    if source.isLoading || source.value == nil && source.error == nil {
      renderer.descend("progress") { Progress(label)._render(into: renderer) }
    }
  }
}
