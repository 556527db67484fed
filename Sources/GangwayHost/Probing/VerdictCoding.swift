import Gangway

/// How a verdict stands in the cache. Any change of it takes a new version of the format, ``PluginCache/magic``.
extension CacheWriter {
  mutating func write(_ verdict: PluginVerdict) {
    switch verdict {
    case .refused(let refusal):
      write(0)
      for text in [refusal.step.rawValue, refusal.code.rawValue, refusal.reason, refusal.advice] { write(text) }
    case .accepted(let manifest, let opening):
      write(1)
      write(opening)
      write(manifest)
    }
  }

  private mutating func write(_ manifest: PluginManifest) {
    write(manifest.id)
    write(manifest.version)
    write(manifest.tabs) { writer, tab in
      writer.write(tab.id)
      writer.write(tab.title)
      writer.write(tab.symbol)
      writer.write(tab.order)
      writer.write(tab.group)
      writer.write(tab.isShown)
      writer.write(tab.hasStack)
      writer.write(tab.guards) { $0.write($1) }
    }
    write(manifest.places) { writer, place in
      writer.write(place.id)
      writer.write(place.payload)
      writer.write(place.schema)
    }
    write(manifest.links) { writer, link in
      writer.write(link.pattern)
      writer.write(link.payload)
    }
    write(manifest.guards) { $0.write($1) }
    write(manifest.services) { writer, service in
      writer.write(service.id)
      writer.write(service.operations) { $0.write($1) }
    }
    write(manifest.typedServices) { $0.write($1) }
    write(manifest.slots) { writer, slot in
      writer.write(slot.id)
      writer.write(slot.value)
    }
    write(manifest.contributions) { writer, contribution in
      writer.write(contribution.slot)
      writer.write(contribution.place)
      writer.write(contribution.order)
      writer.write(contribution.type)
      writer.write(contribution.encoded)
    }
    write(manifest.uses) { writer, use in
      writer.write(use.id)
      writer.write(use.operation)
      writer.write(use.isOptional)
    }
    write(manifest.dependencies) { writer, dependency in
      writer.write(dependency.plugin)
      writer.write(dependency.minimum?.description)
      writer.write(dependency.isOptional)
    }
  }
}

extension CacheReader {
  mutating func verdict() throws(Damaged) -> PluginVerdict {
    guard try flag() else {
      let (step, code, reason, advice) = (try text(), try text(), try text(), try text())
      guard let step = Refusal.Step(rawValue: step) else { throw Damaged() }
      return .refused(Refusal(step, .init(rawValue: code), reason, advice: advice))
    }
    let opening = try number()
    return .accepted(try manifest(), opening: opening)
  }

  private mutating func texts() throws(Damaged) -> [String] {
    try items { reader throws(Damaged) in try reader.text() }
  }

  private mutating func manifest() throws(Damaged) -> PluginManifest {
    var manifest = PluginManifest(id: try text(), version: try text())
    manifest.tabs = try items { reader throws(Damaged) in
      .init(
        id: try reader.text(), title: try reader.text(), symbol: try reader.optionalText(), order: try reader.number(),
        group: try reader.optionalText(), isShown: try reader.flag(), hasStack: try reader.flag(),
        guards: try reader.texts())
    }
    manifest.places = try items { reader throws(Damaged) in
      .init(id: try reader.text(), payload: try reader.text(), schema: try reader.number())
    }
    manifest.links = try items { reader throws(Damaged) in
      .init(pattern: try reader.text(), payload: try reader.text())
    }
    manifest.guards = try texts()
    manifest.services = try items { reader throws(Damaged) in
      .init(id: try reader.text(), operations: try reader.texts())
    }
    manifest.typedServices = try texts()
    manifest.slots = try items { reader throws(Damaged) in .init(id: try reader.text(), value: try reader.text()) }
    manifest.contributions = try items { reader throws(Damaged) in
      .init(
        slot: try reader.text(), place: try reader.text(), order: try reader.number(), type: try reader.text(),
        encoded: try reader.text())
    }
    manifest.uses = try items { reader throws(Damaged) in
      .init(id: try reader.text(), operation: try reader.optionalText(), isOptional: try reader.flag())
    }
    manifest.dependencies = try items { reader throws(Damaged) in
      .init(
        plugin: try reader.text(), minimum: try reader.optionalText().flatMap(PluginVersion.init),
        isOptional: try reader.flag())
    }
    return manifest
  }
}
