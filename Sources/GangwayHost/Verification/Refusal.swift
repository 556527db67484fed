/// The refusal of a file or its plugin: the step that refused it, one cause, and the fix.
@_spi(FrontEnd) public struct Refusal: Error, Hashable, Sendable, CustomStringConvertible {
  /// A step from a file to a plugin. The cases are in order.
  public enum Step: String, Hashable, Sendable, Codable {
    case find, trust, file, contract, probe, plan, load, register
  }

  /// The kind of cause.
  public enum Code: String, Codable, Hashable, Sendable {
    /// There is no such file, or no file with the id.
    case missing
    /// The file cannot be opened.
    case unreadable
    /// The path names a folder, FIFO, socket or device.
    case notRegularFile = "not-regular-file"
    /// Other users can write the file or its folder.
    case writableByOthers = "writable-by-others"
    /// Neither this user nor root owns the file or its folder.
    case foreignOwner = "foreign-owner"
    /// The file has another format.
    case notELF = "not-elf"
    /// The lock has another digest for the file, or does not list it.
    case notLocked = "not-locked"
    /// The file has no signature.
    case unsigned
    /// The signature is not by a trusted key, or not for this content.
    case badSignature = "bad-signature"
    /// The lock, the keys or the signature could not be checked.
    case notChecked = "not-checked"
    /// The file ends before its headers say.
    case truncated
    /// The file is for another machine.
    case otherArchitecture = "other-architecture"
    /// The file is an executable, object file or core dump.
    case notSharedObject = "not-shared-object"
    /// The headers of the file contradict themselves.
    case malformed
    /// The library has no entry.
    case notAPlugin = "not-a-plugin"
    /// The library has more than one entry.
    case severalEntries = "several-entries"
    /// The library does not need the framework or the Swift runtime, so it contains a copy.
    case missingLibrary = "missing-library"
    /// The library defines symbols of the framework.
    case containsFramework = "contains-framework"
    /// The library names no ABI marker.
    case missingMarker = "missing-marker"
    /// The library is built against another binary interface of the framework.
    case otherABI = "other-abi"
    /// The library uses declarations of a newer framework.
    case missingDeclarations = "missing-declarations"
    /// The library is built with another compiler.
    case otherCompiler = "other-compiler"
    /// The file was replaced between its checks and its load.
    case changed
    /// The dynamic loader refused the library.
    case loadFailed = "load-failed"
    /// The entry returned nothing.
    case emptyEntry = "empty-entry"
    /// The registration failed.
    case registration
    /// The plugin's id is not the expected one.
    case otherID = "other-id"
    /// Another plugin has the same id.
    case duplicateID = "duplicate-id"
    /// The plugin ended its process by a signal while it loaded.
    case crashed
    /// The plugin exited its process while it loaded.
    case exited
    /// The plugin missed the deadline.
    case timedOut = "timed-out"
    /// The plugin could not be probed.
    case notProbed = "not-probed"
    /// Another plugin registers the same contribution.
    case conflict
    /// A plugin that it needs is missing.
    case missingDependency = "missing-dependency"
    /// It needs another version of a plugin.
    case unsatisfiedDependency = "unsatisfied-dependency"
    /// It depends on itself, directly or through others.
    case dependencyCycle = "dependency-cycle"
    /// A plugin that it needs was refused or has failed.
    case failedDependency = "failed-dependency"
    /// The plugin registers something else than in its probe.
    case changedContributions = "changed-contributions"
    /// Another library blocks every other load.
    case heldUp = "held-up"
    /// The plugin was left out on request, or because of an earlier failure.
    case leftOut = "left-out"
  }

  /// The step that refused the file.
  package let step: Step
  /// The kind of cause.
  package let code: Code
  /// The cause in words, with both values if two disagree.
  package let reason: String
  /// The fix.
  package let advice: String

  /// Makes a refusal.
  package init(_ step: Step, _ code: Code, _ reason: String, advice: String) {
    self.step = step
    self.code = code
    self.reason = reason
    self.advice = advice
  }

  /// The reason and the fix.
  public var description: String { "\(reason). \(advice)" }
}
