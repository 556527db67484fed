import Gangway

struct TimeScreen: Screen {
  @Bindable var coordinator: ClockCoordinator
  let model: TimeModel
  let router: Router<ClockCoordinator>

  var body: some Content {
    Heading(coordinator.state.zone.text(at: model.now, is24Hours: coordinator.state.is24Hours)).id("time")
      .task { await model.run() }
    Text("in \(coordinator.state.zone.rawValue)")
    Toggle("24 hours", isOn: $coordinator.state.is24Hours)
    Button("Time zones") { try await router.show(.zones) }
  }
}

struct ZonesScreen: Screen {
  let coordinator: ClockCoordinator
  let router: Router<ClockCoordinator>

  var body: some Content {
    List(TimeZoneChoice.allCases) { zone in
      Row(zone.rawValue) {
        coordinator.state.zone = zone
        try await router.pop()
      }
      .badge(zone == coordinator.state.zone ? "✓" : nil)
    }
  }
}
