import Testing

/// On any screen that a random walk reaches in the sample features, the URL opens the same screen.
@Suite struct SampleAddressTests {
  @Test(arguments: ["Scenes", "Clock", "Blither"], [1, 2, 3])
  func addressesOfASampleLeadBack(_ sample: String, _ seed: Int) throws {
    let library = BuiltHost.folder + "/lib\(sample).so"
    let result = try BuiltHost.run(["--validate", library, "--seed", "\(seed)", "--steps", "120"])
    let line = try #require(
      result.output.split(separator: "\n").first { $0.contains("the links of screens lead back to them") })
    #expect(line.contains("\"isFine\":true"), "\(line)")
    // The walk reached some URLs.
    #expect(line.contains("tried on "), "\(line)")
  }
}
