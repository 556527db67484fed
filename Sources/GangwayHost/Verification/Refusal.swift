/// The refusal of a file or its plugin: the step that refused it, one cause, and the fix.
public struct Refusal: Error, Hashable, Sendable, CustomStringConvertible {
  /// A step from a file to a plugin. The cases are in order.
  public enum Step: String, Hashable, Sendable, Codable {
    case find, trust, file, contract, probe, plan, load, register
  }

  /// The kind of cause.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The word in JSON.
    public let rawValue: String
    /// Makes a code.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// There is no such file, or no file with the id.
    public static let missing = Code(rawValue: "missing")
    /// The file cannot be opened.
    public static let unreadable = Code(rawValue: "unreadable")
    /// The path names a folder, FIFO, socket or device.
    public static let notRegularFile = Code(rawValue: "not-regular-file")
    /// Other users can write the file or its folder.
    public static let writableByOthers = Code(rawValue: "writable-by-others")
    /// Neither this user nor root owns the file or its folder.
    public static let foreignOwner = Code(rawValue: "foreign-owner")
    /// The file has another format.
    public static let notELF = Code(rawValue: "not-elf")
    /// The file ends before its headers say.
    public static let truncated = Code(rawValue: "truncated")
    /// The file is for another machine.
    public static let otherArchitecture = Code(rawValue: "other-architecture")
    /// The file is an executable, object file or core dump.
    public static let notSharedObject = Code(rawValue: "not-shared-object")
    /// The headers of the file contradict themselves.
    public static let malformed = Code(rawValue: "malformed")
    /// The library has no entry.
    public static let notAPlugin = Code(rawValue: "not-a-plugin")
    /// The library has more than one entry.
    public static let severalEntries = Code(rawValue: "several-entries")
    /// The library does not need the framework or the Swift runtime, so it contains a copy.
    public static let missingLibrary = Code(rawValue: "missing-library")
    /// The library defines symbols of the framework.
    public static let containsFramework = Code(rawValue: "contains-framework")
    /// The library names no ABI marker.
    public static let missingMarker = Code(rawValue: "missing-marker")
    /// The library is built against another binary interface of the framework.
    public static let otherABI = Code(rawValue: "other-abi")
    /// The library is built with another compiler.
    public static let otherCompiler = Code(rawValue: "other-compiler")
    /// The file was replaced between its checks and its load.
    public static let changed = Code(rawValue: "changed")
    /// The dynamic loader refused the library.
    public static let loadFailed = Code(rawValue: "load-failed")
    /// The entry returned nothing.
    public static let emptyEntry = Code(rawValue: "empty-entry")
    /// The registration failed.
    public static let registration = Code(rawValue: "registration")
    /// The plugin's id is not the expected one.
    public static let otherID = Code(rawValue: "other-id")
    /// Another plugin has the same id.
    public static let duplicateID = Code(rawValue: "duplicate-id")
    /// The plugin ended its process by a signal while it loaded.
    public static let crashed = Code(rawValue: "crashed")
    /// The plugin exited its process while it loaded.
    public static let exited = Code(rawValue: "exited")
    /// The plugin missed the deadline.
    public static let timedOut = Code(rawValue: "timed-out")
    /// The plugin could not be probed.
    public static let notProbed = Code(rawValue: "not-probed")
    /// Another plugin registers the same contribution.
    public static let conflict = Code(rawValue: "conflict")
    /// A plugin that it needs is missing.
    public static let missingDependency = Code(rawValue: "missing-dependency")
    /// It needs another version of a plugin.
    public static let unsatisfiedDependency = Code(rawValue: "unsatisfied-dependency")
    /// It depends on itself, directly or through others.
    public static let dependencyCycle = Code(rawValue: "dependency-cycle")
    /// A plugin that it needs was refused or has failed.
    public static let failedDependency = Code(rawValue: "failed-dependency")
    /// The plugin registers something else than in its probe.
    public static let changedContributions = Code(rawValue: "changed-contributions")
    /// Another library blocks every other load.
    public static let heldUp = Code(rawValue: "held-up")
    /// The plugin was left out on request, or because of an earlier failure.
    public static let leftOut = Code(rawValue: "left-out")
  }

  /// The step that refused the file.
  public let step: Step
  /// The kind of cause.
  public let code: Code
  /// The cause in words, with both values if two disagree.
  public let reason: String
  /// The fix.
  public let advice: String

  /// Makes a refusal.
  public init(_ step: Step, _ code: Code, _ reason: String, advice: String) {
    self.step = step
    self.code = code
    self.reason = reason
    self.advice = advice
  }

  /// The reason and the fix.
  public var description: String { "\(reason). \(advice)" }
}
