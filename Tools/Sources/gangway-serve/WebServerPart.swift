import ArgumentParser
@_spi(FrontEnd) import GangwayClient
import GangwayCommand
@_spi(FrontEnd) import GangwayProtocol
@_spi(FrontEnd) import GangwaySupervisor
@_spi(FrontEnd) import GangwayWeb

/// The browser part that uses the web server of this process.
enum WebServerPart: Browser {
  static func check(_ options: FrontEndOptions) throws { _ = try options.pageLanguage }

  static func serve(_ command: Serve) async throws {
    do {
      try await WebRun(command).run()
    } catch let failure as SupervisorFailure {
      Locations.fail(failure)
      throw ExitCode(1)
    } catch let failure as WebServer.Failure {
      Locations.fail(failure)
      throw ExitCode(1)
    }
  }

  static func page(
    _ session: any SessionConnection, _ notices: [Update.Notice], _ options: FrontEndOptions,
    graph: (@MainActor @Sendable () async -> String)?
  ) throws -> any BrowserPage {
    BrowserRun(session, notices, language: try options.pageLanguage, graph: graph)
  }
}

extension BrandOptions {
  /// The look of the pages.
  ///
  /// - Throws: the exit code 64 or 66, after printing which option or file cannot be used.
  var look: Brand {
    get throws {
      do throws(Brand.Mistake) {
        return try Brand(
          logo: logo, icon: icon, accent: accent, style: style, words: words, frameAncestors: frameAncestors)
      } catch {
        throw (error.isOfFile ? Mistake.noInput(error.description) : .usage(error.description)).refused()
      }
    }
  }
}

extension FrontEndOptions {
  /// The language of the features; English if none is named.
  ///
  /// - Throws: the exit code 64, after printing that the option's value is not a language.
  var pageLanguage: PageLanguage {
    get throws {
      guard let language else { return .english }
      if let known = PageLanguage(language) { return known }
      throw Mistake.usage(Words.notALanguage(language)).refused()
    }
  }
}
