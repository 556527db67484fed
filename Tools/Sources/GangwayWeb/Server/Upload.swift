@_spi(FrontEnd) import GangwayProtocol
import Glibc

/// A file that a browser is sending: its place on the disk, and its element.
///
/// The event of the app comes after the last byte. So a file that breaks off, or is too large, never reaches a feature.
struct Upload: Sendable {
  let person: String
  let session: SessionID
  let target: Event.ElementReference
  let name: String
  let type: String?
  /// The most bytes: the element's limit, or the server's if that is lower.
  let limit: Int
  let path: String
  let descriptor: Int32
  let words: PageWords

  /// The answer to a file with too many bytes.
  var tooLarge: WebResponse { .refusal(ofUpload: 413, words.fileOverLimit(limit)) }
  /// The answer to a file that could not be written.
  var notStored: WebResponse { .refusal(ofUpload: 507, words[.fileNotStored]) }

  /// Removes the file, because it did not arrive.
  func discard() {
    close(descriptor)
    unlink(path)
  }
}

/// Uploads and downloads.
extension Site {
  /// The end of the address for uploads.
  nonisolated static let uploads = "/_upload"

  /// Returns whether a request sends a file.
  nonisolated static func isUpload(_ request: WebRequest) -> Bool {
    request.method == "POST" && request.path.hasPrefix("/~") && request.path.hasSuffix(uploads)
  }

  /// The reason why a file is refused, as an answer that the page shows.
  private struct Refusal: Error {
    let response: WebResponse
    init(_ status: Int, _ text: String) { response = .refusal(ofUpload: status, text) }
  }

  /// Decides whether a browser may send a file, from the head of its request.
  ///
  /// - Returns: the place for the file, or the answer that refuses it.
  func beginUpload(_ request: WebRequest) async -> Result<Upload, UploadRefusal> {
    do {
      return .success(try await admit(request))
    } catch let refusal as Refusal {
      metrics.refusals.increment()
      return .failure(UploadRefusal(response: refusal.response))
    } catch {
      didFail(error)
      return .failure(UploadRefusal(response: .refusal(ofUpload: 507, words[.fileNotStored])))
    }
  }

  private func admit(_ request: WebRequest) async throws -> Upload {
    if let refusal = requests.refusal(of: request, isActing: true) { throw Refusal(421, refusal) }
    guard let person = person(known: request) else { throw Refusal(403, Words.Refusal.unknownBrowser) }
    guard People.isSame(request.headers["x-gangway-token"] ?? "", person.formToken) else {
      throw Refusal(403, Words.Refusal.wrongForm)
    }
    guard sessions.mayAct(person) else {
      throw Refusal(429, Words.Refusal.tooFast(limit: options.limits.eventsPerSecond))
    }
    let id = SessionID(rawValue: String(request.path.dropFirst(2).dropLast(Self.uploads.count)))
    let fields = WebRequest.fields(request.query)
    func field(_ name: String) -> String? { fields.first { $0.name == name }?.value }
    guard let session = try await sessions.session(id, of: person), let press = field("do"),
      let target = Press.fileTarget(press),
      let element = session.presentation.reachable.first(where: { $0.id == target.element }), element.kind == .file,
      element.isEnabled
    else { throw Refusal(409, words[.fileScreenChanged]) }
    let limit = min(element.maximumBytes ?? options.limits.files.upload, options.limits.files.upload)
    if let length = request.headers["content-length"].flatMap({ Int($0) }), length > limit {
      throw Refusal(413, words.fileOverLimit(limit))
    }
    guard uploading[person.id, default: 0] < options.limits.files.uploadsPerPerson,
      uploading.values.reduce(0, +) < options.limits.files.uploads
    else { throw Refusal(429, words[.filesTooMany]) }
    let (path, descriptor) = try HandoverFolder().make()
    uploading[person.id, default: 0] += 1
    return Upload(
      person: person.id, session: id, target: target, name: field("name") ?? "", type: field("type"), limit: limit,
      path: path, descriptor: descriptor, words: words)
  }

  /// Notes that an upload has ended, so that the user can begin another one.
  func noteEnd(of upload: Upload) {
    let left = (uploading[upload.person] ?? 1) - 1
    uploading[upload.person] = left > 0 ? left : nil
  }

  private func noteEnd(ofDownloadFor person: String) {
    let left = (downloading[person] ?? 1) - 1
    downloading[person] = left > 0 ? left : nil
  }

  /// Sends the event of a file that has arrived.
  func finish(_ upload: Upload, _ request: WebRequest) async -> WebResponse {
    noteEnd(of: upload)
    do {
      // The user may have been removed meanwhile.
      guard let person = person(known: request), let session = try await sessions.session(upload.session, of: person)
      else { throw Refusal(409, words[.fileScreenChanged]) }
      session.beginRequest()
      defer { session.endRequest() }
      let file = HandedFile(name: upload.name, type: upload.type, path: upload.path)
      guard await session.take(file, for: upload.target) else { throw Refusal(503, Words.Connection.notDone) }
      return WebResponse(204, headers: [("Cache-Control", "no-store")])
    } catch {
      unlink(upload.path)
      return (error as? Refusal)?.response ?? Refusal(503, Words.Connection.notDone).response
    }
  }

  /// Returns a file that a feature offered in a session.
  func download(_ file: HandedFile?, for person: People.Person) -> WebResponse {
    guard downloading[person.id, default: 0] < options.limits.files.downloadsPerPerson,
      downloading.values.reduce(0, +) < options.limits.files.downloads
    else { return Self.refuse(429, Words.RefusalTitle.tooMany, Words.Download.tooMany) }
    guard let file else { return Self.refuse(404, Words.RefusalTitle.nothingHere, Words.Download.fileGone) }
    // Opening a pipe without O_NONBLOCK would block.
    let descriptor = Glibc.open(file.path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW)
    var status = stat()
    guard descriptor >= 0, fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      if descriptor >= 0 { Glibc.close(descriptor) }
      return Self.refuse(404, Words.RefusalTitle.nothingHere, Words.Download.fileGone)
    }
    // A browser never shows the file in a page of this site (RFC 6266, 4.2 and 4.3).
    let plain = String(file.name.map { $0.isASCII && $0 != "\"" && $0 != "\\" && $0 != "%" ? $0 : "_" })
    var response = WebResponse(headers: [
      ("Content-Type", file.type ?? "application/octet-stream"), ("Cache-Control", "no-store"),
      ("Content-Disposition", "attachment; filename=\"\(plain)\"; filename*=UTF-8''\(Press.encoded(file.name))"),
      ("Content-Security-Policy", "default-src 'none'; sandbox"),
    ])
    downloading[person.id, default: 0] += 1
    response.file = .init(descriptor: descriptor, count: Int(status.st_size)) { [weak self] in
      Task { @MainActor in self?.noteEnd(ofDownloadFor: person.id) }
    }
    return response
  }
}

extension WebResponse {
  /// Returns the answer that refuses an upload, with a text that the page shows.
  fileprivate static func refusal(ofUpload status: Int, _ text: String) -> WebResponse {
    WebResponse(
      status, headers: [("Content-Type", "text/plain; charset=utf-8"), ("Cache-Control", "no-store")],
      body: Array(text.utf8))
  }
}

/// The answer that refuses an upload.
struct UploadRefusal: Error {
  let response: WebResponse
}
