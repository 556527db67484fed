import Glibc

// The launcher does not link the framework: were it linked here as targets of this package, process and plugins
// would hold two copies. The library is opened by its bare name, which the run path finds beside this program, so
// that it is the one that plugins need by that name.

private func fail(_ problem: String) -> Never {
  let text = "gangway-host: \(problem). Install gangway-host and libGangway.so of one build side by side.\n"
  _ = text.withCString { write(STDERR_FILENO, $0, strlen($0)) }
  exit(70)
}

guard let framework = dlopen("libGangway.so", RTLD_NOW | RTLD_GLOBAL) else {
  fail(dlerror().map { String(cString: $0) } ?? "libGangway.so cannot be loaded")
}
guard let entry = dlsym(framework, "gangway_host_main") else {
  fail(dlerror().map { String(cString: $0) } ?? "libGangway.so has no entry")
}
unsafeBitCast(entry, to: (@convention(c) () -> Void).self)()
