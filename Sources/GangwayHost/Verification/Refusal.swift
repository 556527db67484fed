/// Why a file was not loaded or its plugin not registered: the step that refused it, one cause, what to do.
public struct Refusal: Error, Hashable, Sendable, CustomStringConvertible {
  /// The step of the way from a file to a plugin, in their order.
  public enum Step: String, Hashable, Sendable {
    case find, trust, file, contract, load, register
  }

  /// What kind of cause it is.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The word for it, as in JSON.
    public let rawValue: String
    /// Makes a code.
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let missing = Code(rawValue: "missing")
    public static let unreadable = Code(rawValue: "unreadable")
    public static let notRegularFile = Code(rawValue: "not-regular-file")
    public static let writableByOthers = Code(rawValue: "writable-by-others")
    public static let foreignOwner = Code(rawValue: "foreign-owner")
    public static let notELF = Code(rawValue: "not-elf")
    public static let truncated = Code(rawValue: "truncated")
    public static let otherArchitecture = Code(rawValue: "other-architecture")
    public static let notSharedObject = Code(rawValue: "not-shared-object")
    public static let malformed = Code(rawValue: "malformed")
    public static let notAPlugin = Code(rawValue: "not-a-plugin")
    public static let severalEntries = Code(rawValue: "several-entries")
    public static let missingLibrary = Code(rawValue: "missing-library")
    public static let containsFramework = Code(rawValue: "contains-framework")
    public static let missingMarker = Code(rawValue: "missing-marker")
    public static let otherABI = Code(rawValue: "other-abi")
    public static let otherCompiler = Code(rawValue: "other-compiler")
    public static let changed = Code(rawValue: "changed")
    public static let loadFailed = Code(rawValue: "load-failed")
    public static let emptyEntry = Code(rawValue: "empty-entry")
    public static let registration = Code(rawValue: "registration")
    public static let otherID = Code(rawValue: "other-id")
    public static let duplicateID = Code(rawValue: "duplicate-id")
    public static let crashed = Code(rawValue: "crashed")
    public static let leftOut = Code(rawValue: "left-out")
  }

  /// The step that refused it.
  public let step: Step
  /// What kind of cause it is.
  public let code: Code
  /// What is wrong, with both values where two disagree.
  public let reason: String
  /// What to do about it.
  public let advice: String

  /// Makes a refusal.
  public init(_ step: Step, _ code: Code, _ reason: String, advice: String) {
    self.step = step
    self.code = code
    self.reason = reason
    self.advice = advice
  }

  /// Reason and advice.
  public var description: String { "\(reason). \(advice)" }
}
