/// A message that no intact host sends; a host that sends one can no longer be trusted.
struct ImpossibleMessage: Error {
  /// The description of the message, as the end of a sentence that begins with "it".
  let text: String
}
