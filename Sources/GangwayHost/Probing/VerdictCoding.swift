@_spi(FrontEnd) import Gangway
@_spi(FrontEnd) import GangwayProtocol

/// The coding of verdicts in the cache. A change of it needs a new version of the format in ``PluginCache/magic``.
extension CacheWriter {
  mutating func write(_ identity: FileIdentity) {
    for number in [
      Int(bitPattern: UInt(identity.device)), Int(bitPattern: UInt(identity.inode)), identity.size, identity.modified,
      identity.changed,
    ] { write(number) }
  }

  mutating func write(_ verdict: PluginVerdict) {
    switch verdict {
    case .refused(let refusal):
      write(0)
      for text in [refusal.step.rawValue, refusal.code.rawValue, refusal.reason, refusal.advice] { write(text) }
    case .accepted(let manifest, let needsFoundation):
      write(1)
      write(needsFoundation)
      write(manifest)
    }
  }

  private mutating func write(_ manifest: PluginManifest) {
    write(manifest.id.rawValue)
    write(manifest.version)
    write(manifest.records) { writer, record in
      writer.write(record.kind.rawValue)
      writer.write(record.id)
      writer.write(record.type)
      writer.write(record.detail.sorted { $0.key < $1.key }) { writer, detail in
        writer.write(detail.key.rawValue)
        writer.write(detail.value)
      }
    }
    write(manifest.dependencies) { writer, dependency in
      writer.write(dependency.plugin.rawValue)
      writer.write(dependency.minimum?.description)
      writer.write(dependency.isOptional)
    }
  }
}

extension CacheReader {
  mutating func identity() throws(Damaged) -> FileIdentity {
    FileIdentity(
      device: UInt64(bitPattern: Int64(try number())), inode: UInt64(bitPattern: Int64(try number())),
      size: try number(), modified: try number(), changed: try number())
  }

  mutating func verdict() throws(Damaged) -> PluginVerdict {
    guard try flag() else {
      let (step, code, reason, advice) = (try text(), try text(), try text(), try text())
      guard let step = Refusal.Step(rawValue: step), let code = Refusal.Code(rawValue: code) else { throw Damaged() }
      return .refused(Refusal(step, code, reason, advice: advice))
    }
    let needsFoundation = try flag()
    return .accepted(try manifest(), needsFoundation: needsFoundation)
  }

  private mutating func manifest() throws(Damaged) -> PluginManifest {
    var manifest = PluginManifest(id: PluginID(rawValue: try text()), version: try text())
    manifest.records = try items { reader throws(Damaged) in
      guard let kind = ContributionRecord.Kind(rawValue: try reader.text()) else { throw Damaged() }
      var record = ContributionRecord(kind, try reader.text(), type: try reader.text())
      for (name, value) in try reader.items({ reader throws(Damaged) in (try reader.text(), try reader.text()) }) {
        guard let name = ContributionRecord.Detail(rawValue: name) else { throw Damaged() }
        record.detail[name] = value
      }
      return record
    }
    manifest.dependencies = try items { reader throws(Damaged) in
      .init(
        plugin: PluginID(rawValue: try reader.text()), minimum: try reader.optionalText().flatMap(PluginVersion.init),
        isOptional: try reader.flag())
    }
    return manifest
  }
}
