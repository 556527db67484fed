@_spi(FrontEnd) import Gangway
@_spi(FrontEnd) import GangwayProtocol

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Files that the user gives to the flow, and files that the flow gives to the user.
extension FlowTester {
  /// Chooses a file in a ``FilePicker``, by the picker's label.
  ///
  /// - Parameters:
  ///   - name: the name of the user's file, such as `receipt.png`.
  ///   - bytes: the content.
  ///   - type: the media type that a browser would send; nil for none.
  ///   - label: the label of the picker.
  /// - Throws: ``FlowFailure`` if there is no such picker, or if it refuses the file.
  public func choose(
    file name: String, _ bytes: [UInt8], type: String? = nil, in label: String, file source: String = #fileID,
    line: Int = #line
  ) async throws {
    let place = SourcePlace(file: source, line: line)
    let path: String
    do {
      path = try HandoverFolder().make(holding: bytes)
    } catch {
      throw FlowFailure("The file '\(name)' could not be created: \(error)", at: place)
    }
    try await act(on: label, .acting(by: .file), place) { .file($0, HandedFile(name: name, type: type, path: path)) }
  }

  /// Returns the content of the file that the flow offered last under a name, by a ``Download`` or by
  /// ``Router/offerFile(name:type:bytes:)``.
  ///
  /// - Throws: ``FlowFailure`` if no such file was offered, or if it is gone.
  public func offeredFile(_ name: String, file: String = #fileID, line: Int = #line) throws -> [UInt8] {
    let place = SourcePlace(file: file, line: line)
    let offered = told.notices.compactMap(\.file)
    guard let found = offered.last(where: { $0.name == name }) else {
      let names = offered.map { "'\($0.name)'" }.joined(separator: ", ")
      throw FlowFailure(
        "No file '\(name)' was offered. Offered files: \(names.isEmpty ? "none" : names).", at: place)
    }
    guard let content = FileManager.default.contents(atPath: found.path) else {
      throw FlowFailure("The file '\(name)' was offered, but is no longer there.", at: place)
    }
    return [UInt8](content)
  }
}
