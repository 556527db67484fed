@_spi(FrontEnd) import GangwayProtocol

/// A button that lets the user choose a file, and gives its content to the feature.
///
/// ```swift
/// FilePicker("Import", accepts: [".csv", "text/csv"]) { file in
///   try store.add(rows: try await file.bytes())
/// }
/// ```
///
/// In the browser, the file is uploaded, with its progress. In the terminal, the user chooses it from a list of files.
public struct FilePicker: PrimitiveContent {
  let label: String
  let rules: FileRules
  let action: @MainActor (ChosenFile) async throws -> Void

  /// Creates a button for a file.
  ///
  /// - Parameters:
  ///   - label: the label of the button.
  ///   - accepts: the files that can be chosen: file extensions such as `.csv`, or media types such as `image/png` and
  ///     `image/*`. If the list is empty, any file can be chosen. The user reads why another file is refused.
  ///   - maximumBytes: the most bytes of the file; by default 10 MB. `gangway serve --max-upload` has a limit of its
  ///     own.
  ///   - action: runs on the main actor with the file. The file is removed when the action ends, so keep its content,
  ///     or move it with ``ChosenFile/move(to:)``. The user sees the action's errors.
  public init(
    _ label: String, accepts: [String] = [], maximumBytes: Int = 10_000_000,
    action: @escaping @MainActor (ChosenFile) async throws -> Void
  ) {
    self.label = label
    self.action = action
    rules = FileRules(accepts: accepts.map { $0.lowercased() }, maximumBytes: max(0, maximumBytes))
  }

  /// Adds itself to a render.
  @_spi(FrontEnd) public func _render(into renderer: ContentRenderer) {
    renderer.add(.file, label, handler: .file(rules, action)) { element in
      if !rules.accepts.isEmpty { element.accepts = rules.accepts }
      element.maximumBytes = rules.maximumBytes
    }
  }
}

/// A button that gives the user a file to save.
///
/// ```swift
/// Download("Export", name: "todos.csv", type: "text/csv") { Array(store.csv.utf8) }
/// ```
///
/// In the browser, the file is downloaded. The terminal saves it in the user's folder for downloads, and says where.
public struct Download: PrimitiveContent {
  let label: String
  let make: @MainActor () async throws -> OfferedFile

  /// Creates a button for a file that is made when the button is pressed.
  ///
  /// - Parameters:
  ///   - label: the label of the button.
  ///   - name: the name of the file for the user, such as `todos.csv`.
  ///   - type: the media type, such as `text/csv`; nil if it is not known.
  ///   - bytes: returns the content, on the main actor. The user sees its errors.
  public init(
    _ label: String, name: String, type: String? = nil, bytes: @escaping @MainActor () async throws -> [UInt8]
  ) {
    self.label = label
    make = { .bytes(name: name, type: type, try await bytes()) }
  }

  /// Creates a button for a file that exists, which is not copied.
  ///
  /// If the file has gone when the user presses the button, the user reads so.
  ///
  /// - Parameters:
  ///   - label: the label of the button.
  ///   - file: the path of the file, such as one in the plugin's data folder.
  ///   - name: the name of the file for the user; nil for the name in the path.
  ///   - type: the media type; nil if it is not known.
  public init(_ label: String, file: String, name: String? = nil, type: String? = nil) {
    self.label = label
    make = { .file(path: file, name: name, type: type) }
  }

  /// Adds itself to a render.
  @_spi(FrontEnd) public func _render(into renderer: ContentRenderer) {
    renderer.add(.button, label, handler: .download(make))
  }
}
