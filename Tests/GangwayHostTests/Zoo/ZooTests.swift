@_spi(FrontEnd) import GangwayProtocol
import Foundation
import Testing

@_spi(FrontEnd) @testable import GangwayHost

/// Every animal is refused for its one cause, with this reason, and the other plugins run.
@Suite struct ZooTests {
  @Test(arguments: Animal.files) func aFileThatIsNoLibraryIsRefused(_ animal: Animal) throws {
    try ZooKeeper.check(animal)
  }

  @Test(arguments: Animal.linkage) func aLibraryThatIsNoPluginIsRefused(_ animal: Animal) throws {
    try ZooKeeper.check(animal)
  }

  @Test(arguments: Animal.constructors) func aConstructorHarmsNobody(_ animal: Animal) throws {
    try ZooKeeper.check(animal)
  }

  @Test(arguments: Animal.registering) func aRegistrationHarmsNobody(_ animal: Animal) throws {
    try ZooKeeper.check(animal)
  }

  @Test(arguments: Animal.together) func whatDoesNotGoTogetherIsRefused(_ animal: Animal) throws {
    try ZooKeeper.check(animal)
  }

  @Test func thereAreAtLeastThirtyFiveAnimalsOfDifferentCauses() {
    let all = Animal.files + Animal.linkage + Animal.constructors + Animal.registering + Animal.together
    #expect(Set(all.map { "\($0.code) \($0.reasons)" }).count >= 35)
  }

  @Test func whatIsHarmlessIsLetIn() throws {
    let scratch = try Scratch()
    let path = try Zoo.chameleon("harmless", in: scratch)
    let visit = try ZooKeeper.visit([path])
    #expect(visit.status?.state == .registered)
    #expect(visit.screen.contains("[harmless"), "\(visit.screen)")
  }

  @Test func aLibraryThatMerelyLiesThereIsPassedOver() throws {
    let scratch = try Scratch()
    _ = try Zoo.c("int nothing(void) { return 0; }", as: "Bystander", in: scratch)
    let result = try BuiltHost.run(["--plugins-dir", scratch.folder.path, "--script", "-"], input: "expect Scene 1\n")
    #expect(result.status == 0)
    #expect(!result.errors.contains("refused"))
  }

  @Test func aPluginIsFoundByTheIDThatItsFileDoesNotHave() throws {
    let scratch = try Scratch()
    _ = try Zoo.chameleon("one-mask", in: scratch)
    let result = try BuiltHost.run(
      ["--plugins-dir", scratch.folder.path, "--plugin", "one", "--script", "-"], input: "screen\n")
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.output.contains("[one-mask*]"), "\(result.output)")
  }

  @Test func whatAPluginPrintsDoesNotReachTheScreen() throws {
    let scratch = try Scratch()
    let path = try Zoo.swift(
      Zoo.plugin("Loud", register: "print(\"NOISE\"); fflush(nil)"), as: "Loud", in: scratch)
    let result = try BuiltHost.run(
      ["--eager", "--plugin", path, "--plugin", "scenes", "--script", "-"], input: "screen\n")
    #expect(!result.output.contains("NOISE"))
    #expect(result.errors.contains("NOISE"))
  }

  /// With one wrong byte in a library, the host and the plugin beside it still run.
  @Test func aThousandFlippedBytesHarmNobody() throws {
    let good = try Zoo.good
    var random = PersonWalk.Generator(state: 20)
    for _ in 0..<10 {
      let scratch = try Scratch()
      for number in 0..<100 {
        var data = good
        let offset = Int.random(in: 0..<data.count, using: &random)
        data[offset] ^= UInt8.random(in: 1...255, using: &random)
        try scratch.file("lib\(number).so", data)
      }
      let result = try BuiltHost.run(
        ["--plugins-dir", scratch.folder.path, "--probe-timeout", "0.5", "--script", "-"],
        input: "tab Scenes\nexpect Scene 1\n")
      #expect(result.status == 0, "\(result.errors)")
    }
  }
}
