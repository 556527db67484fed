@_spi(FrontEnd) import GangwayProtocol

/// The keys of the commands: the defaults, with the changes from the user's file.
///
/// A binding applies only when the focused element does not use the key.
struct KeyBindings: Equatable {
  private(set) var commands = KeyBindings.standard

  /// The default keys, which features cannot use unless the user binds them to another command.
  private static let standard: [Key: Command] = Dictionary(
    FrontEndKey.all.compactMap { own in
      guard !own.isFixed, let key = Key(own.shortcut), let command = own.command.flatMap(Command.init) else {
        return nil
      }
      return (key, command)
    }, uniquingKeysWith: { first, _ in first })

  /// Returns the command of a key.
  ///
  /// With Alt, a key has the command that it has without Alt, because a text field takes plain letters as text.
  func command(for key: Key) -> Command? {
    if let command = commands[key] { return command }
    if case .alt(let character) = key { return commands[.character(character)] }
    return nil
  }

  /// Binds a key to a command, or to nothing.
  mutating func bind(_ key: Key, to command: Command?) { commands[key] = command }

  /// Returns the keys of a command: signs first, then letters, then all others.
  func keys(of command: Command) -> [Key] {
    commands.filter { $0.value == command }.keys.sorted {
      (Self.rank($0), Self.name(of: $0)) < (Self.rank($1), Self.name(of: $1))
    }
  }

  private static func rank(_ key: Key) -> Int {
    if case .character(let character) = key { return character.isLetter ? 1 : 0 }
    return 2
  }

  /// Returns the name of the first key of a command; nil if it has none.
  ///
  /// - Parameter inField: whether a text field has focus. Letters are text there, so the name has Alt.
  func name(of command: Command, inField: Bool = false) -> String? {
    guard let key = keys(of: command).first else { return command.fixedKey.map(Self.name) }
    if inField, case .character(let character) = key { return Self.name(of: .alt(character)) }
    return Self.name(of: key)
  }

  // MARK: Names

  /// Returns the name of a key, as users write it.
  static func name(of key: Key) -> String {
    switch key {
    case .character(" "): Words.KeyName.space
    case .character(let character): String(character)
    case .alt(let character): Words.KeyName.alt(String(character))
    case .control(let character): Words.KeyName.control(character.uppercased())
    case .function(let number): "F\(number)"
    case .nextPane: Words.KeyName.nextPane
    case .escape: Words.KeyName.escape
    case .pageUp: Words.KeyName.pageUp
    case .pageDown: Words.KeyName.pageDown
    case .home: Words.KeyName.home
    case .end: Words.KeyName.end
    case .up: "↑"
    case .down: "↓"
    case .left: "←"
    case .right: "→"
    default: "\(key)"
    }
  }

  /// Returns the key of a name: a character, `Ctrl-` and a letter, `Alt-` and a character, or `F1` to `F12`.
  ///
  /// - Throws: ``SettingMistake`` if no such key exists, or if terminals or the app need the key for something else.
  static func key(named name: String) throws(SettingMistake) -> Key {
    if name.count == 1, let character = name.first { return .character(character) }
    let parts = name.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    if parts.count == 2, parts[1].count == 1, let character = parts[1].first {
      switch parts[0].lowercased() {
      case "alt": return .alt(character)
      case "ctrl", "control":
        let letter = Character(character.lowercased())
        guard letter.isASCII, letter.isLetter else { break }
        guard FrontEndKey.owner(of: Shortcut("ctrl+\(letter)"))?.isFixed != true else {
          throw SettingMistake(Words.Setting.reservedKey(name))
        }
        return .control(letter)
      default: break
      }
    }
    if name.first?.lowercased() == "f", let number = Int(name.dropFirst()), (1...12).contains(number) {
      return number == 6 ? .nextPane : .function(number)
    }
    throw SettingMistake(Words.Setting.unknownKey(name))
  }
}
