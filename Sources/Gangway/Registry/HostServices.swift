/// The services that the sessions of a host share.
@MainActor struct HostServices {
  private struct Weak { weak var services: SessionServices? }

  /// The services of a host that serves a single user.
  private var shared: SessionServices?
  /// The services of each of several users, by profile, as long as a session of that user holds them.
  ///
  /// A host may serve thousands of profiles.
  private var ofProfiles: [String: Weak] = [:]

  /// Returns the services that the sessions of a user share.
  ///
  /// - Parameters:
  ///   - profile: the user's profile; nil if the host serves a single user.
  ///   - make: creates the services at the first request.
  mutating func services(of profile: String?, _ make: () -> SessionServices) -> SessionServices {
    guard let profile else {
      let services = shared ?? make()
      shared = services
      return services
    }
    if let services = ofProfiles[profile]?.services { return services }
    // Entries of past profiles are removed before the dictionary has to grow.
    if ofProfiles.count == ofProfiles.capacity { ofProfiles = ofProfiles.filter { $0.value.services != nil } }
    let services = make()
    ofProfiles[profile] = Weak(services: services)
    return services
  }
}
