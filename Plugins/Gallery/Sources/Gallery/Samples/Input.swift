import Gangway

struct FieldsSample: Content {
  @Bindable var model: SampleModel

  var body: some Content {
    // sample: fields
    TextField("Name", text: $model.name)
    TextField("Mail", text: $model.mail, style: .email)
    TextField("Notes", text: $model.notes, style: .multiline)
    TextField("Password", text: $model.secret, style: .secure)
    TextField("Add", text: $model.search).onSubmit {
      model.lines.append(model.search)
      model.search = ""
    }
    // end
  }
}

struct NumbersSample: Content {
  @Bindable var model: SampleModel

  var body: some Content {
    // sample: numbers
    Stepper("Guests", value: $model.guests, in: 1...5)
    NumberField("Weight in kg", value: $model.weight, in: 0...100, step: 0.5)
    // end
  }
}

struct DatesSample: Content {
  @Bindable var model: SampleModel

  var body: some Content {
    // sample: dates
    DatePicker("Day", selection: $model.day, components: .date)
    DatePicker("Time", selection: $model.day, components: .time)
    DatePicker("Both", selection: $model.day)
    // end
  }
}

struct ChoicesSample: Content {
  @Bindable var model: SampleModel

  var body: some Content {
    // sample: choices
    Toggle("Night", isOn: $model.isNight)
    Picker("Size", selection: $model.size, options: ["small", "medium", "large"])
    // end
  }
}

struct FilesSample: Content {
  let model: SampleModel

  var body: some Content {
    // sample: files
    FilePicker("Import", accepts: [".txt", ".csv"], maximumBytes: 1_000_000) { file in
      let text = String(decoding: try await file.bytes(), as: UTF8.self)
      model.lines = text.split(separator: "\n").prefix(100).map(String.init)
    }
    Text("Lines: \(model.lines.count)")
    Download("Export", name: "lines.txt", type: "text/plain") { Array(model.lines.joined(separator: "\n").utf8) }
    // end
  }
}

struct FormSample: Content {
  @Bindable var model: SampleModel
  let router: Router<GalleryCoordinator>

  var body: some Content {
    // sample: form
    Form("Invitation", submit: "Send") {
      TextField("Name", text: $model.name).required()
      TextField("Mail", text: $model.mail, style: .email)
        .rule(model.mail.contains("@") ? nil : "An address has an @.")
        .help("The address for the invitation.")
      Toggle("I agree", isOn: $model.agrees).required("Agree to it.")
    } onSubmit: {
      router.tell("Sent to \(model.name).")
    }
    // end
  }
}
