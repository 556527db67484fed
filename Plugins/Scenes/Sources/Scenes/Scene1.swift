import Gangway
import Observation

/// The ways out of scene 1, which are all that its model knows of navigation.
@MainActor protocol Scene1Routing {
  /// The reason why there is no greeting; nil if there is one.
  var greetingUnavailability: String? { get }
  func showScene2(text: String) async throws
  func showScene3(text: String) async throws
  func greet(name: String) async throws
}

extension Router: Scene1Routing where C == ScenesCoordinator {
  var greetingUnavailability: String? { unavailability(of: Greetings.place) }
  func showScene2(text: String) async throws { try await show(.scene2(text: text)) }
  func showScene3(text: String) async throws { try await show(.scene3(text: text)) }
  func greet(name: String) async throws { try await show(.greeting(name: name)) }
}

/// The content and actions of scene 1, which are all that its screen knows of the model.
@MainActor protocol Scene1Modeling: AnyObject {
  var text: String { get set }
  var greetingUnavailability: String? { get }
  func goToScene2() async throws
  func openScene3() async throws
  func greet() async throws
}

@Observable final class Scene1Model: Scene1Modeling {
  var text = ""
  private let routing: any Scene1Routing

  init(routing: any Scene1Routing) { self.routing = routing }

  var greetingUnavailability: String? { routing.greetingUnavailability }
  func goToScene2() async throws { try await routing.showScene2(text: text) }
  func openScene3() async throws { try await routing.showScene3(text: text) }
  func greet() async throws { try await routing.greet(name: text.isEmpty ? "World" : text) }
}

struct Scene1<Model: Scene1Modeling>: Screen {
  @Bindable var model: Model

  var body: some Content {
    TextField("Text", text: $model.text).id("text")
    Button("Go to Scene 2") { try await model.goToScene2() }
    Button("Open Scene 3") { try await model.openScene3() }
    Button("Greet") { try await model.greet() }.disabled(because: model.greetingUnavailability)
  }
}
