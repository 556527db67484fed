// Made by script/draw-gallery of what stands in Samples.

/// The code that makes each sample.
let sampleCode: [Sample: String] = [
  .text: ##"""
  Heading("A heading")
  Text("A paragraph that wraps at the edge of the screen.")
  Divider()
  Text("More, below a line.")
  """##,
  .facts: ##"""
  LabeledContent("Size", value: "3 MB")
  LabeledContent("Last change", value: "today").badge("new")
  """##,
  .markdown: ##"""
  Markdown(
    """
    # Markdown
    With *emphasis*, **strong** words, `code`, [a link](gangway://gallery/list) and [a page](https://www.swift.org).

    - first
      - below it
    - second

    > A quotation.
    """)
  """##,
  .banners: ##"""
  Banner(.information, "A new version is available")
  Banner(.success, "Stored", message: "Everything is on disk.")
  Banner(.warning, "Nearly full", message: "Delete files that you don't need.") {
    Button("Delete") { router.tell("Deleted.") }
  }
  Banner(.problem, "Not sent", message: "There is no connection. The message will be sent later.")
  """##,
  .empty: ##"""
  Empty("No mail", symbol: "✉", text: "New mail appears here.") {
    Button("Fetch") { router.tell("There is no new mail.") }
  }
  """##,
  .log: ##"""
  Log("Output", lines: model.lines)
  Button("Add a line") { model.lines.append("Line \(model.lines.count + 1).") }
  """##,
  .progress: ##"""
  Progress("Copying", fraction: 0.4)
  Progress("Waiting")
  """##,
  .loading: ##"""
  // model.goods = Loadable { try await fetchGoods() }
  Loading("Loading the goods", model.goods) { goods in
    List(goods) { good in Row(good.id, detail: "\(good.weight) kg") }
  }.refreshable { await model.goods.reload() }
  """##,
  .work: ##"""
  // model.packing = Work()
  Progress("Packing", work: model.packing)
  Button("Pack") {
    try router.start(model.packing) { work in
      for part in 1...20 {
        try await Task.sleep(for: .milliseconds(100))
        work.fraction = Double(part) / 20
      }
      return "Everything is packed."
    }
  }
  """##,
  .fields: ##"""
  TextField("Name", text: $model.name)
  TextField("Mail", text: $model.mail, style: .email)
  TextField("Notes", text: $model.notes, style: .multiline)
  TextField("Password", text: $model.secret, style: .secure)
  TextField("Add", text: $model.search).onSubmit {
    model.lines.append(model.search)
    model.search = ""
  }
  """##,
  .numbers: ##"""
  Stepper("Guests", value: $model.guests, in: 1...5)
  NumberField("Weight in kg", value: $model.weight, in: 0...100, step: 0.5)
  """##,
  .dates: ##"""
  DatePicker("Day", selection: $model.day, components: .date)
  DatePicker("Time", selection: $model.day, components: .time)
  DatePicker("Both", selection: $model.day)
  """##,
  .choices: ##"""
  Toggle("Night", isOn: $model.isNight)
  Picker("Size", selection: $model.size, options: ["small", "medium", "large"])
  """##,
  .files: ##"""
  FilePicker("Import", accepts: [".txt", ".csv"], maximumBytes: 1_000_000) { file in
    let text = String(decoding: try await file.bytes(), as: UTF8.self)
    model.lines = text.split(separator: "\n").prefix(100).map(String.init)
  }
  Text("Lines: \(model.lines.count)")
  Download("Export", name: "lines.txt", type: "text/plain") { Array(model.lines.joined(separator: "\n").utf8) }
  """##,
  .form: ##"""
  Form("Invitation", submit: "Send") {
    TextField("Name", text: $model.name).required()
    TextField("Mail", text: $model.mail, style: .email)
      .rule(model.mail.contains("@") ? nil : "An address has an @.")
      .help("The address for the invitation.")
    Toggle("I agree", isOn: $model.agrees).required("Agree to it.")
  } onSubmit: {
    router.tell("Sent to \(model.name).")
  }
  """##,
  .list: ##"""
  List(Good.all) { good in
    Row(good.id, detail: "\(good.weight) kg") { router.tell("\(good.id) was pressed.") }
      .badge(good.parts?.count ?? 0)
      .actions { Button("Delete", role: .destructive) { router.tell("\(good.id) would be deleted.") } }
  }
  """##,
  .selection: ##"""
  List(Good.all, selection: $model.selection) { good in Row(good.id) }
  LabeledContent("Selected", value: "\(model.selection.count)")
  """##,
  .tree: ##"""
  List(Good.all, children: \.parts) { good in Row(good.id) }
  """##,
  .table: ##"""
  Table(
    "Goods", Good.all, selection: $model.selection,
    columns: [
      TableColumn("Name") { $0.id }.sortable { $0.id },
      TableColumn("Weight") { "\($0.weight)" }.sortable { $0.weight }.trailing(),
    ])
  """##,
  .length: ##"""
  // A list creates only the rows near the visible ones, however many rows there are.
  Text("Selected: \(model.numbers.count)")
  List(Number.all, selection: $model.numbers) { number in
    Row("Number \(number.id)").badge(number.id.isMultiple(of: 1_000) ? "✓" : nil)
  }
  """##,
  .sections: ##"""
  Section("From") { LabeledContent("Name", value: "Ann") }
  Section("To") {
    LabeledContent("Name", value: "Ben")
    LabeledContent("City", value: "Oslo")
  }
  """##,
  .panes: ##"""
  TabView("About") {
    Pane("General") { LabeledContent("Version", value: "1.0.0") }
    Pane("Details") { Text("Rarely needed settings.") }
  }
  """##,
  .disclosure: ##"""
  Disclosure("More") { Text("Advanced settings.") }
  """##,
  .charts: ##"""
  Chart(
    "Temperature", axis: "hour",
    series: [ChartSeries("inside", 0..<24, x: { $0 }, y: { 20 + Double(($0 * 5) % 7) })])
  Chart(
    "Sales", style: .bar,
    series: [ChartSeries("2026", [("Jan", 3.0), ("Feb", 4.5), ("Mar", 1.0)], x: { $0.0 }, y: { $0.1 })])
  Chart(
    "Disk usage", style: .pie,
    series: [ChartSeries("", [("free", 25.0), ("used", 75.0)], x: { $0.0 }, y: { $0.1 })])
  """##,
  .drawing: ##"""
  Drawing(
    "A house under the sun",
    paths: [
      .rectangle(x: 0.2, y: 0.5, width: 0.6, height: 0.5).fill("red"),
      DrawingPath().move(0.1, 0.5).line(0.5, 0.05).line(0.9, 0.5).close().stroke("blue"),
      .circle(x: 0.88, y: 0.13, radius: 0.1).stroke("yellow"),
    ])
  """##,
  .image: ##"""
  Image(Self.dot, label: "A red dot")
  """##,
  .grid: ##"""
  Grid("Keys", rows: 2, columns: 3) { row, column in
    GridCell("\(row * 3 + column + 1)")
  } action: { row, column in
    model.cell = "\(row * 3 + column + 1)"
  }
  LabeledContent("Pressed", value: model.cell)
  """##,
  .buttons: ##"""
  Button("Count") { model.count += 1 }.badge(model.count).keyboardShortcut("k")
  Button("Erase", role: .destructive) { model.count = 0 }
    .disabled(because: model.count == 0 ? "there is nothing to erase" : nil)
  Toolbar { Button("Print") { model.lines.append("Printed.") } }
  """##,
  .links: ##"""
  Link("Text", to: .sample(.text), in: router)
  """##,
  .menu: ##"""
  Menu("Sort") {
    Button("By name") { router.tell("Sorted by name.") }
    Button("By weight") { router.tell("Sorted by weight.") }
  }
  """##,
  .questions: ##"""
  Button("Tell") { model.isTelling = true }
  Button("Ask") { model.isAsking = true }
  Alert("It is late", message: "Go home.", isPresented: $model.isTelling)
  Confirmation("Erase all?", message: "It cannot be undone.", isPresented: $model.isAsking, button: "Erase") {
    router.tell("Erased.")
  }
  """##,
  .messages: ##"""
  Text("Letters: \(model.letters)")
  Button("Throw away") {
    let before = model.letters
    model.letters = 0
    router.tell("The letters are gone.") { model.letters = before }
  }
  """##,
  .attributes: ##"""
  Text("Found: \(model.search)").symbol("⌕").badge("1").searchable(text: $model.search)
  TextField("Name", text: $model.name).help("The name on your door.").required()
  Text("Fetched \(model.count) times").refreshable { model.count += 1 }
  """##,
]
