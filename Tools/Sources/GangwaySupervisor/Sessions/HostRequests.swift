@_spi(FrontEnd) import GangwayProtocol

/// The requests for a host's tree and history that wait for their answers, which come in the same order.
struct HostRequests {
  private var trees: [CheckedContinuation<TreeNode, any Error>] = []
  private var histories: [CheckedContinuation<[String], any Error>] = []

  mutating func add(_ waiter: CheckedContinuation<TreeNode, any Error>) { trees.append(waiter) }
  mutating func add(_ waiter: CheckedContinuation<[String], any Error>) { histories.append(waiter) }

  mutating func take(_ tree: TreeNode) {
    if !trees.isEmpty { trees.removeFirst().resume(returning: tree) }
  }

  mutating func take(_ lines: [String]) {
    if !histories.isEmpty { histories.removeFirst().resume(returning: lines) }
  }

  /// Fails all requests.
  mutating func fail(_ failure: any Error) {
    for waiter in trees { waiter.resume(throwing: failure) }
    for waiter in histories { waiter.resume(throwing: failure) }
    (trees, histories) = ([], [])
  }
}
