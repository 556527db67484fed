/// The tasks that write reports.
@MainActor final class PendingReports {
  private var tasks: [Int: Task<Void, Never>] = [:]
  private var count = 0

  /// Keeps the task that writes a report until the task is done.
  func note(_ report: Task<Void, Never>) {
    count += 1
    let number = count
    tasks[number] = report
    Task {
      await report.value
      tasks[number] = nil
    }
  }

  /// Waits for the reports that are being written now.
  func written() async {
    for report in Array(tasks.values) { await report.value }
  }
}
