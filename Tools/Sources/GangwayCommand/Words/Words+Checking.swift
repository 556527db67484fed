extension Words {
  /// Messages of `gangway check`.
  enum Checking {
    static let noPlugin =
      "no plugin was found, so nothing was checked. Build one, or name another folder with --plugins-dir."

    static func fine(plugins: Int, uncompared: [String]) -> String {
      let fine = "No problem was found in \(plugins) plugin\(plugins == 1 ? "" : "s")."
      guard !uncompared.isEmpty else { return fine }
      return fine + " The types of these values were not compared: " + uncompared.prefix(10).joined(separator: ", ")
        + (uncompared.count > 10 ? " and \(uncompared.count - 10) more" : "") + ". `gangway doctor` compares them."
    }

    static func problems(_ count: Int, plugins: Int) -> String {
      "\(count) problem\(count == 1 ? "" : "s") in \(plugins) plugin\(plugins == 1 ? "" : "s")."
    }

    static func missingPlugin(_ id: String, owner: String) -> String {
      "it uses \(id), but the plugin \(owner) is not installed."
    }

    static func installOrOptional(_ owner: String) -> String {
      "Install \(owner), or pass isOptional: true where your plugin declares that it uses \(owner)."
    }

    static func missingPlace(_ id: String, _ owner: String) -> String {
      "it uses the place \(id), but \(owner) does not register it."
    }

    static func missingService(_ id: String, _ owner: String) -> String {
      "it uses the service \(id), but \(owner) does not offer it."
    }

    static func missingSlot(_ id: String, _ owner: String) -> String {
      "it contributes to the slot \(id), but \(owner) has no such slot."
    }

    static func missingOperation(_ name: String, of service: String, offered: [String]) -> String {
      "it calls \(service).\(name), but the service offers only: "
        + (offered.isEmpty ? "nothing" : offered.joined(separator: ", ")) + "."
    }

    static func missingTab(_ tab: String, link: String) -> String {
      "its link \(link) opens the tab \(tab), but no plugin registers that tab."
    }

    static func otherPayload(
      _ place: String, given: String, example: String, taken: String, owner: String
    ) -> String {
      "it shows \(place) with the \(given) \(example), but \(owner) takes \(taken)."
    }

    static func otherValue(_ slot: String, given: String, example: String, taken: String, owner: String) -> String {
      "it contributes the \(given) \(example) to \(slot), but \(owner) expects \(taken)."
    }

    // Fixes.

    static func useNearest(_ name: String) -> String { "Did you mean \(name)?" }
    static let callAnother =
      "Call another operation, or install a version of the service that offers the operation you call."
    static func upgrade(_ owner: String, toHave id: String) -> String {
      "Install a version of \(owner) that has \(id), or stop using \(id) in your plugin."
    }
    static func giveType(_ type: String, owner: String) -> String {
      "Give a value of type \(type), or install a version of \(owner) that takes the type that you give now."
    }
    static func installOrChangeLink(_ owner: String) -> String { "Install \(owner), or let the link open another tab." }
  }
}
