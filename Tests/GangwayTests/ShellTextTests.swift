@_spi(FrontEnd) import GangwayClient
import Testing

@Suite struct ShellTextTests {
  @Test(arguments: [
    ("/usr/lib/libTodos.so", "/usr/lib/libTodos.so"), ("a b", "'a b'"), ("it's", #"'it'\''s'"#), ("", "''"),
    ("$(rm -r x)", "'$(rm -r x)'"), ("ä", "'ä'"), ("a\nb", "'a\nb'"),
  ])
  func aWordIsTakenAsItIs(_ word: String, _ quoted: String) { #expect(ShellText.quoted(word) == quoted) }
}
