import Testing

/// The authors' mistakes that `gangway validate` must find.
extension ValidationTests {
  /// An author's mistake, with the expected finding.
  struct Mistake: CustomTestStringConvertible, Sendable {
    let testDescription: String
    /// The lines of `register(in:)`, the coordinator's members, its destination and the screen's body.
    var register = ""
    var members = ""
    var destination = ".screen { router in Main(flow: self, router: router) }"
    var body = "Text(\"fine\")"
    let check: String
    let finding: String
  }

  nonisolated static let mistakes = [
    Mistake(
      testDescription: "registers something else in each process",
      register: "registry.slot(\"s\\(getpid())\", of: Int.self)",
      check: "registers the same contributions each time",
      finding: "it registers other contributions than when it was probed"),
    Mistake(
      testDescription: "a dead link", register: "registry.link(\"dead\") { (_: NoPayload) in Flow.Route.gone }",
      check: "opens its links", finding: "gangway://dead: "),
    Mistake(
      testDescription: "a tab that cannot be shown", destination: ".unavailable(\"no screen was written\")",
      check: "shows its tabs", finding: "no screen was written"),
    Mistake(
      testDescription: "a key of the front end's", body: "Button(\"Processes\") {}.keyboardShortcut(\"p\")",
      check: "shows its tabs",
      finding: "The button 'Processes' asks for Ctrl-P. Front ends use Ctrl-P for 'go anywhere, run any command'"),
    Mistake(
      testDescription: "two elements of one id on the first screen",
      body: "Text(\"one\").id(\"same\")\nText(\"two\").id(\"same\")",
      check: "shows its tabs", finding: "Two elements have the id 'same'"),
    Mistake(
      testDescription: "two elements of one id behind a link",
      register: "registry.link(\"twins\") { (_: NoPayload) in Flow.Route.twins }",
      check: "opens its links", finding: "gangway://twins: 'Twins': Two elements have the id 'same'"),
    Mistake(
      testDescription: "what is not stored", members: "var count = 0",
      body: "Text(\"Count \\(flow.count)\")\nButton(\"Count\") { flow.count += 1 }",
      check: "restores its screens", finding: "was 'Count 1', and was restored as 'Count 0'"),
    Mistake(
      testDescription: "a difference that cannot be seen", members: "var mark = \"e\\u{301}\"",
      body: "Text(\"Mark \\(flow.mark)\")\nButton(\"Turn\") { flow.mark = \"e\\u{200b}\\u{301}\" }",
      check: "restores its screens", finding: "'Mark e\\u{200B}\\u{301}', and was restored as 'Mark e\\u{301}'"),
    Mistake(
      testDescription: "a trap", body: "Button(\"Trap\") { let none: [Int] = []; _ = none[flow.path.count] }",
      check: "keeps running", finding: "the process crashed during: "),
    Mistake(
      testDescription: "an exit", body: "Button(\"Leave\") { exit(3) }", check: "keeps running",
      finding: "the process exited with code 3"),
    Mistake(
      testDescription: "a button that fails",
      body: "Button(\"Fail\") { throw NavigationError(.payload, \"the disk is full\") }",
      check: "survives a random walk", finding: "the disk is full"),
    Mistake(
      testDescription: "work of a flow that cannot read what another feature returns",
      members: "init() { work { _ in throw NavigationError(.payload, \"it lacks 'isUrgent'\") } }",
      check: "shows its tabs", finding: "it lacks 'isUrgent'"),
    Mistake(
      testDescription: "work without an end",
      body: "Button(\"Spin\") { while true { try await Task.sleep(for: .seconds(1)) } }",
      check: "survives a random walk", finding: "its work did not end within 5 seconds"),
    Mistake(
      testDescription: "a route to nowhere", body: "Button(\"Go\") { try await router.show(.gone) }",
      check: "survives a random walk", finding: "tap on 'Go'"),
    Mistake(
      testDescription: "a trap behind content that loads", members: "var isThere = false",
      body: """
        if flow.isThere {
          Button("Trap") { let none: [Int] = []; _ = none[flow.path.count] }
        } else {
          Progress("Loading").task {
            try? await Task.sleep(for: .seconds(1))
            flow.isThere = true
          }
        }
        """, check: "keeps running", finding: "tap on 'Trap'"),
    Mistake(
      testDescription: "a walk without steps", check: "survives a random walk",
      finding: "0 steps: nothing can be pressed on 'Main'"),
    Mistake(
      testDescription: "content that never loads",
      body: "Progress(\"Counting\").task { try? await Task.sleep(for: .seconds(600)) }",
      check: "survives a random walk",
      finding: "0 steps: nothing could be pressed on 'Main' within 10 seconds, and its work has not ended. It still "
        + "shows 'Counting'"),
    Mistake(
      testDescription: "a link that nobody can open",
      register: "registry.link(\"gone/:id\") { (_: Int) in Flow.Route.gone }",
      check: "opens its links",
      finding: "gone/:id was not opened: it needs parameters. Pass `samples:` in register(in:)"),
    Mistake(
      testDescription: "a sample without the pattern's parameter",
      register: """
        registry.link("twins/:id", samples: [["number": 3]]) { (_: [String: Int]) in Flow.Route.twins }
        """,
      check: "opens its links",
      finding: "twins/:id has a sample without a value for 'id', so the link was not opened with this sample"),
    Mistake(
      testDescription: "a contribution that cannot be shown with its sample",
      register: """
        registry.contribute("other", to: "gone.slot", 1, samples: [-1]) { (number: Int, _) in
          if number < 0 { throw NavigationError(.payload, "the number is negative") }
          return Flow()
        }
        """,
      check: "shows its places", finding: "the number is negative"),
    Mistake(
      testDescription: "a link that fails with its sample",
      register: "registry.link(\"gone/:id\", samples: [7]) { (_: Int) in Flow.Route.gone }",
      check: "opens its links", finding: "gangway://gone/7: "),
    Mistake(
      testDescription: "a place that nobody can show", register: "registry.place(\"other\") { (_: Int) in Flow() }",
      check: "shows its places",
      finding: "mistaken.other was not shown: it needs a payload. Pass `samples:` in register(in:)"),
    Mistake(
      testDescription: "a place that fails", register: "registry.place(\"other\", samples: [1]) { (_: Int) in Gone() }",
      check: "shows its places", finding: "the place mistaken.other: "),
    Mistake(
      testDescription: "a badge that is known too late",
      register: """
        registry.service { _ in Count() }
        registry.tab("count", title: "Count", label: { TabLabel(badge: (try? $0.service(Count.self))?.all ?? 0) }) {
          Counted(try $0.service())
        }
        """, check: "restores its screens", finding: "[Count (3)]"),
    Mistake(
      testDescription: "a badge before its data is loaded",
      register: """
        let names = Loadable { ["Ann"] }
        registry.tab("names", title: "N", label: { _ in TabLabel(badge: (names.value ?? []).count) }) { _ in Flow() }
        """, check: "shows its tabs",
      finding: "the tab mistaken.names had a label before its data was loaded"),
    Mistake(
      testDescription: "a badge that stays after the last item is gone",
      register: """
        registry.service { _ in Queue() }
        registry.tab("queue", title: "Q", label: {
          guard let queue = try? $0.service(Queue.self), queue.count > 0 else { return nil }
          return TabLabel(badge: queue.count)
        }) { Queued(try $0.service()) }
        """, check: "shows its tabs",
      finding: "the label of the tab mistaken.queue is nil again, so the badge '1' stays"),
    Mistake(
      testDescription: "another feature given what it does not take",
      register: "registry.uses(place: \"hello.greet\", with: 27)", check: "fits the installed plugins",
      finding: "The plugin mistaken shows hello.greet with the Int 27, but the plugin hello takes String"),
    Mistake(
      testDescription: "a misspelled place of a plugin that is installed and optional",
      register: "registry.uses(place: \"hello.gret\", with: \"Ann\", isOptional: true)",
      check: "fits the installed plugins", finding: "Did you mean 'hello.greet'?"),
    Mistake(
      testDescription: "a place of another feature without a declaration",
      body: "Button(\"Greet\") { try await router.show(Place(\"hello.greet\", with: 27)) }",
      check: "declares what it uses",
      finding: "it shows the place 'hello.greet', and does not declare this"),
    Mistake(
      testDescription: "a misspelled place, whose error is dropped",
      body: "Button(\"Greet\") { try? await router.show(Place(\"hello.gret\", with: \"Ann\")) }",
      check: "declares what it uses",
      finding: "it shows the place 'hello.gret', and does not declare this"),
    Mistake(
      testDescription: "an operation of another feature without a declaration",
      register: "registry.uses(service: \"account.session\", operation: \"user\", isOptional: true)",
      members:
        "init() { work { flow in _ = try? await flow.router.service(\"account.session\").call(\"name\") as String } }",
      check: "declares what it uses",
      finding: "it calls 'name' of the service 'account.session', and does not declare this"),
    Mistake(
      testDescription: "a result of another type than the other feature's",
      register: "registry.uses(place: \"hello.greet\", with: \"Ann\", endingWith: [\"how\": 1])",
      check: "fits the installed plugins",
      finding: "from hello.greet, but in the plugin hello, hello.greet ends with"),
    Mistake(
      testDescription: "a screen whose link opens another screen",
      register: """
        registry.link("item/:number", samples: [1]) { (number: Int) in
          Flow.Route.item(number)
        } url: { route in
          if case .item(let number) = route { number + 1 } else { nil }
        }
        """, check: "opens its links",
      finding: "the link item/:number gives this screen the URL gangway://item/2, but this URL opens another screen"),
    Mistake(
      testDescription: "a row with the URL of another screen",
      register: """
        registry.link("item/:number", samples: [1]) { (number: Int) in
          Flow.Route.item(number)
        } url: { route in
          if case .item(let number) = route { number } else { nil }
        }
        """, body: "Row(\"Item 2\") { try await router.show(.item(2)) }.url(router.url(of: .item(1)))",
      check: "the links of screens lead back to them",
      finding: "the press opened gangway://item/2, but the URL of the element is gangway://item/1"),
    Mistake(
      testDescription: "a form that does not notice its changes", members: "var word = \"\"",
      body: """
        Form("Word", submit: "Save", isDirty: false) {
          TextField("Word", text: Binding(get: { flow.word }, set: { flow.word = $0 }))
          Toggle("Loud", isOn: Binding(get: { flow.word == "loud" }, set: { flow.word = $0 ? "loud" : "" }))
        } onSubmit: {
        }
        """, check: "survives a random walk", finding: "the form has a change, but its isDirty is false"),
    Mistake(
      testDescription: "a flow that stays in memory", register: "registry.place(\"kept\") { (_: NoPayload) in Kept() }",
      check: "frees its flows", finding: "ended, but is still in memory"),
  ]

  static func source(_ mistake: Mistake) -> String {
    """
    import Gangway
    import Glibc
    import Observation
    @Observable final class Flow: StackCoordinator {
      enum Route: NavigationRoute { case main, gone, twins, item(Int) }
      let start = Route.main
      @ObservationIgnored var path: [Int] = []
      \(mistake.members)
      func destination(for route: Route) -> Destination {
        switch route {
        case .main: \(mistake.destination)
        case .gone: .nowhere("it was taken out")
        case .twins: .screen { Twins() }
        case .item: .screen { Twins(name: "two") }
        }
      }
    }
    struct Main: Screen {
      let flow: Flow, router: Router<Flow>
      var body: some Content {
        \(mistake.body)
      }
    }
    struct Twins: Screen {
      let title: String? = "twins"
      var name = "same"
      var body: some Content {
        Text("one").id("same")
        Text("two").id(name)
      }
    }
    final class Kept: StackCoordinator {
      struct Route: NavigationRoute {}
      let start = Route()
      static var all: [Kept] = []
      init() { Self.all.append(self) }
      func destination(for route: Route) -> Destination { .screen { Twins(name: "two") } }
    }
    final class Gone: StackCoordinator {
      struct Route: NavigationRoute {}
      let start = Route()
      func destination(for route: Route) -> Destination { .nowhere("it was taken out") }
    }
    @MainActor @Observable final class Count { var all = 0 }
    final class Counted: StackCoordinator {
      struct Route: NavigationRoute {}
      let start = Route()
      let count: Count
      init(_ count: Count) { self.count = count }
      func destination(for route: Route) -> Destination {
        .screen { [count] in CountScreen(count: count) }
      }
    }
    struct CountScreen: Screen {
      let count: Count
      var body: some Content { Text("All: \\(count.all)").task { count.all = 3 } }
    }
    @MainActor @Observable final class Queue { var count = 1 }
    final class Queued: StackCoordinator {
      struct Route: NavigationRoute {}
      let start = Route()
      let queue: Queue
      init(_ queue: Queue) { self.queue = queue }
      func destination(for route: Route) -> Destination { .screen { [queue] _ in QueueScreen(queue: queue) } }
    }
    struct QueueScreen: Screen {
      let queue: Queue
      var body: some Content { Text("Waiting: \\(queue.count)").task { queue.count = 0 } }
    }
    final class Mistaken: Plugin {
      static let id = "mistaken", version = "1.0.0"
      func register(in registry: Registrar) {
        registry.tab("main", title: "Mistaken") { _ in Flow() }
        \(mistake.register)
      }
    }
    @c(gangway_plugin) public func gangwayPlugin() -> UnsafeMutableRawPointer { exportPlugin(Mistaken.self) }
    """
  }
}
