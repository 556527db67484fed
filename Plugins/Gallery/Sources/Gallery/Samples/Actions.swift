import Gangway

struct ButtonsSample: Content {
  let model: SampleModel

  var body: some Content {
    // sample: buttons
    Button("Count") { model.count += 1 }.badge(model.count).keyboardShortcut("k")
    Button("Erase", role: .destructive) { model.count = 0 }
      .disabled(because: model.count == 0 ? "there is nothing to erase" : nil)
    Toolbar { Button("Print") { model.lines.append("Printed.") } }
    // end
  }
}

struct LinksSample: Content {
  let router: Router<GalleryCoordinator>

  var body: some Content {
    // sample: links
    Link("Text", to: .sample(.text), in: router)
    // end
  }
}

struct MenuSample: Content {
  let router: Router<GalleryCoordinator>

  var body: some Content {
    // sample: menu
    Menu("Sort") {
      Button("By name") { router.tell("Sorted by name.") }
      Button("By weight") { router.tell("Sorted by weight.") }
    }
    // end
  }
}

struct QuestionsSample: Content {
  @Bindable var model: SampleModel
  let router: Router<GalleryCoordinator>

  var body: some Content {
    // sample: questions
    Button("Tell") { model.isTelling = true }
    Button("Ask") { model.isAsking = true }
    Alert("It is late", message: "Go home.", isPresented: $model.isTelling)
    Confirmation("Erase all?", message: "It cannot be undone.", isPresented: $model.isAsking, button: "Erase") {
      router.tell("Erased.")
    }
    // end
  }
}

struct MessagesSample: Content {
  let model: SampleModel
  let router: Router<GalleryCoordinator>

  var body: some Content {
    // sample: messages
    Text("Letters: \(model.letters)")
    Button("Throw away") {
      let before = model.letters
      model.letters = 0
      router.tell("The letters are gone.") { model.letters = before }
    }
    // end
  }
}

struct AttributesSample: Content {
  @Bindable var model: SampleModel

  var body: some Content {
    // sample: attributes
    Text("Found: \(model.search)").symbol("⌕").badge("1").searchable(text: $model.search)
    TextField("Name", text: $model.name).help("The name on your door.").required()
    Text("Fetched \(model.count) times").refreshable { model.count += 1 }
    // end
  }
}
