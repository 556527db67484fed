/// Why a file was not loaded or its plugin not registered: the step that refused it, one cause, what to do.
public struct Refusal: Error, Hashable, Sendable, CustomStringConvertible {
  /// The step of the way from a file to a plugin, in their order.
  public enum Step: String, Hashable, Sendable, Codable {
    case find, trust, file, contract, probe, plan, load, register
  }

  /// What kind of cause it is.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The word for it, as in JSON.
    public let rawValue: String
    /// Makes a code.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// There is no such file, or no file for such an id.
    public static let missing = Code(rawValue: "missing")
    /// It cannot be opened.
    public static let unreadable = Code(rawValue: "unreadable")
    /// A folder, FIFO, socket or device.
    public static let notRegularFile = Code(rawValue: "not-regular-file")
    /// Others can write it, or its folder.
    public static let writableByOthers = Code(rawValue: "writable-by-others")
    /// It, or its folder, belongs to neither this user nor root.
    public static let foreignOwner = Code(rawValue: "foreign-owner")
    /// It is of another format.
    public static let notELF = Code(rawValue: "not-elf")
    /// It ends before its headers say.
    public static let truncated = Code(rawValue: "truncated")
    /// It is for another machine.
    public static let otherArchitecture = Code(rawValue: "other-architecture")
    /// An executable, object file or core dump.
    public static let notSharedObject = Code(rawValue: "not-shared-object")
    /// Its headers contradict themselves.
    public static let malformed = Code(rawValue: "malformed")
    /// It has no entry.
    public static let notAPlugin = Code(rawValue: "not-a-plugin")
    /// It has more than one entry.
    public static let severalEntries = Code(rawValue: "several-entries")
    /// It does not need the framework or the Swift runtime, so it contains a copy.
    public static let missingLibrary = Code(rawValue: "missing-library")
    /// It defines what the framework defines.
    public static let containsFramework = Code(rawValue: "contains-framework")
    /// It names no ABI marker.
    public static let missingMarker = Code(rawValue: "missing-marker")
    /// It is built against another binary interface of the framework.
    public static let otherABI = Code(rawValue: "other-abi")
    /// It is built with another compiler.
    public static let otherCompiler = Code(rawValue: "other-compiler")
    /// It was replaced between its checks and its loading.
    public static let changed = Code(rawValue: "changed")
    /// The dynamic loader refused it.
    public static let loadFailed = Code(rawValue: "load-failed")
    /// Its entry returned nothing.
    public static let emptyEntry = Code(rawValue: "empty-entry")
    /// It did not register.
    public static let registration = Code(rawValue: "registration")
    /// Its id is not the one it was looked for by.
    public static let otherID = Code(rawValue: "other-id")
    /// Another plugin has its id.
    public static let duplicateID = Code(rawValue: "duplicate-id")
    /// It ended the process that loaded it, by a signal.
    public static let crashed = Code(rawValue: "crashed")
    /// It ended the process that loaded it, as if that were its own.
    public static let exited = Code(rawValue: "exited")
    /// It did not come to an end within the deadline.
    public static let timedOut = Code(rawValue: "timed-out")
    /// It could not be probed.
    public static let notProbed = Code(rawValue: "not-probed")
    /// It registers what another plugin registers.
    public static let conflict = Code(rawValue: "conflict")
    /// It needs a plugin that is not there.
    public static let missingDependency = Code(rawValue: "missing-dependency")
    /// It needs another version of a plugin.
    public static let unsatisfiedDependency = Code(rawValue: "unsatisfied-dependency")
    /// It needs itself, directly or through others.
    public static let dependencyCycle = Code(rawValue: "dependency-cycle")
    /// It needs a plugin that was refused or has failed.
    public static let failedDependency = Code(rawValue: "failed-dependency")
    /// It registers something else than it did when it was probed.
    public static let changedContributions = Code(rawValue: "changed-contributions")
    /// Another library lets no other be loaded.
    public static let heldUp = Code(rawValue: "held-up")
    /// It was left out on request, or for what it did before.
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
