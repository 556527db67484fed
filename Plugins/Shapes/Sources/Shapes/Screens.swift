import Gangway

struct ShapesScreen: Screen {
  let router: Router<ShapesCoordinator>

  var body: some Content {
    List {
      Row("Simple shapes", detail: "A flow of its own") { try await router.send(ShapesAction.simpleShapes) }.symbol("□")
      Row("Custom shapes", detail: "A flow with transitions") { try await router.send(ShapesAction.customShapes) }
        .symbol("△")
      Row("Featured shape", detail: "A star in a modal") {
        try await router.send(ShapesAction.featuredShape(FeaturedShape(shape: .star, size: 80)))
      }
      .symbol("☆")
    }
  }
}

/// The shapes of a group. The screen talks to its coordinator only by actions.
struct GroupScreen: Screen {
  let group: String
  let shapes: [Shape]
  let show: @MainActor (Shape) async throws -> Void
  let send: @MainActor (ShapesAction) async throws -> Void

  var body: some Content {
    List(shapes, id: \.self) { shape in Row(shape.title) { try await show(shape) } }
    // The featured shape is above this flow. The action goes up until a coordinator handles it.
    Button("Featured shape") { try await send(.featuredShape(FeaturedShape(shape: shapes.last))) }
    Button("Done") { try await send(.done(group: group)) }
  }
}

struct ShapeScreen: Screen {
  let shape: Shape

  var title: String? { shape.title }

  var body: some Content { Drawing(shape.title, paths: shape.paths()) }
}

struct FeaturedScreen: Screen {
  let featured: FeaturedShape
  let router: Router<ShapesCoordinator>

  private var shape: Shape { featured.shape ?? .star }
  private var size: Int { min(100, max(10, featured.size ?? 100)) }

  var body: some Content {
    Text("\(shape.title), \(size) %").id("what")
    Drawing(shape.title, paths: shape.paths(size: Double(size) / 100))
    Button("Close", role: .cancel) { try await router.dismiss() }
  }
}
