@_spi(FrontEnd) import GangwayClient
import Glibc
import Testing

@Suite struct ProcessStatusTests {
  @Test func fieldsAreThoseOfTheProcess() throws {
    #expect(ProcessStatus.field("Pid") == "\(getpid())")
    #expect(ProcessStatus.field("Pid", of: getppid()) == "\(getppid())")
    #expect(ProcessStatus.field("PPid") == "\(getppid())")
    let mask = try #require(ProcessStatus.field("Umask"))
    #expect(try #require(mode_t(mask, radix: 8)) <= 0o777)
    // A value that contains a space is read whole.
    #expect(ProcessStatus.field("State")?.hasSuffix(")") == true)
  }

  @Test func whatIsNotThereIsNil() {
    #expect(ProcessStatus.field("id") == nil)
    #expect(ProcessStatus.field("Pid", of: .max) == nil)
    #expect(ProcessStatus.field("Pid", of: -1) == nil)
  }
}
