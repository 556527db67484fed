import FoundationEssentials
@_spi(FrontEnd) import GangwayClient
import Glibc

/// The files that a feature needs from the framework, without its sources: beside this command, if it is installed.
///
/// `script/sdk` and `script/install` write them.
struct SDK {
  /// The files of an SDK in the folder of the command.
  static let files = [
    "sdk.json", "libGangway.so", "gangway-host", "modules/Gangway.swiftmodule", "modules/GangwayTesting.swiftmodule",
  ]

  /// The folder of the command.
  let folder: String

  /// The SDK of this command; nil if the command was not installed with one.
  static var own: SDK? {
    let folder = ProcessIO.executableFolder
    return access("\(folder)/modules", F_OK) == 0 ? SDK(folder: folder) : nil
  }

  /// The version of the compiler that the modules belong to, such as 6.3.1.
  ///
  /// - Throws: the error of reading or decoding `sdk.json`.
  var compiler: String {
    get throws {
      struct Description: Decodable { let compiler: String }
      let data = try Data(contentsOf: URL(filePath: "\(folder)/sdk.json"))
      return try JSONDecoder().decode(Description.self, from: data).compiler
    }
  }

  /// The first file that is missing, as after an interrupted installation; nil if all files are there.
  var missing: String? { Self.files.first { access("\(folder)/\($0)", R_OK) != 0 } }
}
