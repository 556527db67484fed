/// The name of a session of a host. The front end chooses it.
public typealias SessionID = String
/// The number of an event within a session. The front end chooses it, and the host answers with it.
public typealias EventID = Int
/// The number of a node in a session's navigation tree. A session uses each number only once.
public typealias NodeID = Int
/// The number of a notice that can be undone. No node of the session has the same number.
public typealias NoticeID = Int
/// The name of an element within its screen.
public typealias ElementID = String
/// The number of a presentation of a session, from 1.
public typealias Revision = Int
