import Gangway

struct ListSample: Content {
  let router: Router<GalleryCoordinator>

  var body: some Content {
    // sample: list
    List(Good.all) { good in
      Row(good.id, detail: "\(good.weight) kg") { router.tell("\(good.id) was pressed.") }
        .badge(good.parts?.count ?? 0)
        .actions { Button("Delete", role: .destructive) { router.tell("\(good.id) would be deleted.") } }
    }
    // end
  }
}

struct SelectionSample: Content {
  @Bindable var model: SampleModel

  var body: some Content {
    // sample: selection
    List(Good.all, selection: $model.selection) { good in Row(good.id) }
    LabeledContent("Selected", value: "\(model.selection.count)")
    // end
  }
}

struct TreeSample: Content {
  var body: some Content {
    // sample: tree
    List(Good.all, children: \.parts) { good in Row(good.id) }
    // end
  }
}

struct TableSample: Content {
  @Bindable var model: SampleModel

  var body: some Content {
    // sample: table
    Table(
      "Goods", Good.all, selection: $model.selection,
      columns: [
        TableColumn("Name") { $0.id }.sortable { $0.id },
        TableColumn("Weight") { "\($0.weight)" }.sortable { $0.weight }.trailing(),
      ])
    // end
  }
}

struct LengthSample: Content {
  @Bindable var model: SampleModel

  var body: some Content {
    // sample: length
    // A list creates only the rows near the visible ones, however many rows there are.
    Text("Selected: \(model.numbers.count)")
    List(Number.all, selection: $model.numbers) { number in
      Row("Number \(number.id)").badge(number.id.isMultiple(of: 1_000) ? "✓" : nil)
    }
    // end
  }
}

struct SectionsSample: Content {
  var body: some Content {
    // sample: sections
    Section("From") { LabeledContent("Name", value: "Ann") }
    Section("To") {
      LabeledContent("Name", value: "Ben")
      LabeledContent("City", value: "Oslo")
    }
    // end
  }
}

struct PanesSample: Content {
  var body: some Content {
    // sample: panes
    TabView("About") {
      Pane("General") { LabeledContent("Version", value: "1.0.0") }
      Pane("Details") { Text("Rarely needed settings.") }
    }
    // end
  }
}

struct DisclosureSample: Content {
  var body: some Content {
    // sample: disclosure
    Disclosure("More") { Text("Advanced settings.") }
    // end
  }
}
