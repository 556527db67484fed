/// Names one session of a host; chosen by the front end.
public typealias SessionID = String
/// Numbers an event within a session; chosen by the front end, answered by the host.
public typealias EventID = Int
/// Numbers a node of a session's navigation tree. A number is never used twice in a session.
public typealias NodeID = Int
/// Numbers what can be undone of what a person was told; no node of the session has the same number.
public typealias NoticeID = Int
/// Names an element within the screen that shows it.
public typealias ElementID = String
/// Counts the presentations of a session, from 1.
public typealias Revision = Int
