@_spi(FrontEnd) import GangwayProtocol
import Testing

/// Any content from a host can be shown.
@Suite struct AnyPresentationTests {
  @Test(arguments: [
    ("nan", " …"), ("-nan", " …"), ("inf", " …"), ("-inf", " …"), ("", " …"), ("half", " …"), ("1e308", ": 100%"),
    ("-1e308", ": 0%"), ("1e-320", ": 0%"), ("-1", ": 0%"), ("2", ": 100%"), ("0", ": 0%"), ("0.4", ": 40%"),
    ("0x1p10", ": 100%"),
  ])
  func anyProgressIsShown(_ value: String, _ shown: String) {
    let element = Element(id: "p", kind: .progress, label: "Loading", value: value)
    #expect(element.plainLines == ["Loading" + shown])
  }
}
