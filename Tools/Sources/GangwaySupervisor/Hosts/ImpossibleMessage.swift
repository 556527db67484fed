/// Something a host said that no host says: it is not itself any more.
struct ImpossibleMessage: Error {
  /// What it said, as the end of a sentence that begins with "it".
  let text: String
}
