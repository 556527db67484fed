import Foundation
import Testing

@_spi(FrontEnd) @testable import GangwayHost

/// The users who may direct a path to another file than the checked one.
@Suite struct TrustedPathTests {
  private let scratch: Scratch
  /// A user who is neither root nor the user of the tests.
  private static let stranger: uid_t = 65_534
  /// Only root can give a file to another user.
  private static var isRoot: Bool { geteuid() == 0 }

  init() throws { scratch = try Scratch() }

  /// Makes a library in a folder of this user, and a sticky folder beside it.
  private func place() throws -> (library: String, sticky: String) {
    try FileManager.default.createDirectory(atPath: scratch.path("own"), withIntermediateDirectories: true)
    let library = try scratch.file("own/libGood.so", Zoo.good).path
    mkdir(scratch.path("sticky"), 0o777)
    chmod(scratch.path("sticky"), 0o1777)
    return (library, scratch.path("sticky"))
  }

  private func refusal(of path: String) -> Refusal? {
    do throws(Refusal) {
      _ = try TrustedFile(path)
      return nil
    } catch {
      return error
    }
  }

  @Test(.enabled(if: isRoot, "needs root, to make a link of another user's"))
  func aLinkToAFolderThatAnotherUserMadeIsRefused() throws {
    let (_, sticky) = try place()
    symlink(scratch.path("own"), sticky + "/plugins")
    lchown(sticky + "/plugins", Self.stranger, Self.stranger)
    let refusal = try #require(self.refusal(of: sticky + "/plugins/libGood.so"))
    #expect(refusal.code == .foreignOwner)
    #expect(
      refusal.reason == "the link '\(sticky)/plugins' belongs to user 65534, but this process runs as user 0",
      "\(refusal.reason)")
  }

  /// The owner of the link changes its target after the check, again and again. Nothing from these targets loads.
  @Test(.enabled(if: isRoot, "needs root, to make a link of another user's"), .timeLimit(.minutes(1)))
  func aLinkThatIsSwappedBetweenCheckAndLoadingLoadsNothing() async throws {
    let (_, sticky) = try place()
    let link = sticky + "/plugins"
    let bad = scratch.path("bad")
    let ran = scratch.path("ran")
    mkdir(bad, 0o755)
    let built = try Zoo.c(
      "#include <fcntl.h>\n__attribute__((constructor)) static void run(void) { creat(\"\(ran)\", 0600); }",
      as: "Bad", in: scratch)
    rename(built, bad + "/libGood.so")
    let swapping = Task.detached {
      while !Task.isCancelled {
        for target in [scratch.path("own"), bad] {
          symlink(target, link + "-new")
          lchown(link + "-new", Self.stranger, Self.stranger)
          rename(link + "-new", link)
        }
      }
    }
    symlink(scratch.path("own"), link)
    lchown(link, Self.stranger, Self.stranger)
    for _ in 0..<5 {
      let result = try BuiltHost.run(["--plugin", link + "/libGood.so", "--script", "-"])
      #expect((result.output + result.errors).contains("belongs to user 65534"), "\(result)")
    }
    swapping.cancel()
    await swapping.value
    #expect(!FileManager.default.fileExists(atPath: ran))
  }

  @Test(.enabled(if: isRoot, "needs root, to make a link of another user's"))
  func aLinkToAFileThatAnotherUserMadeIsRefused() throws {
    let (library, sticky) = try place()
    symlink(library, sticky + "/libBad.so")
    lchown(sticky + "/libBad.so", Self.stranger, Self.stranger)
    #expect(refusal(of: sticky + "/libBad.so")?.code == .foreignOwner)
  }

  /// In a sticky folder, nobody else can replace this user's files.
  @Test func linksOfThisUsersAreFollowedToAPathWithoutThem() throws {
    let (library, sticky) = try place()
    symlink("../own", sticky + "/plugins")
    symlink("plugins/../own/./libGood.so", sticky + "/libOther.so")
    #expect(try TrustedFile(sticky + "/plugins/libGood.so").path == library)
    #expect(try TrustedFile(sticky + "/libOther.so").path == library)
  }

  /// Every folder on a link's way counts, and not only the folder of the file.
  @Test func aFolderOnTheWayThatOthersCanWriteIsRefused() throws {
    let (library, _) = try place()
    mkdir(scratch.path("open"), 0o777)
    chmod(scratch.path("open"), 0o777)
    symlink(scratch.path("own"), scratch.path("open/plugins"))
    symlink(scratch.path("open/plugins/libGood.so"), scratch.path("libGood.so"))
    let refusal = try #require(self.refusal(of: scratch.path("libGood.so")))
    #expect(refusal.code == .writableByOthers)
    #expect(
      refusal.reason.contains("the folder '\(scratch.path("open"))' above it is writable by other users (mode 777)"))
    #expect(self.refusal(of: library) == nil)
  }
}
