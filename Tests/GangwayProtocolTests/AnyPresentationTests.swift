import GangwayProtocol
import Testing

/// What comes from a host is shown, whatever it says.
@Suite struct AnyPresentationTests {
  @Test(arguments: ["nan", "-nan", "inf", "-inf", "1e308", "-1e308", "1e-320", "-1", "2", "0", "", "half", "0x1p10"])
  func anyProgressIsShown(_ value: String) {
    let element = Element(id: "p", kind: .progress, label: "Loading", value: value)
    let line = element.plainLines.first ?? ""
    #expect(line == "Loading …" || line == "Loading: 0%" || line == "Loading: 100%", "\(line)")
  }
}
