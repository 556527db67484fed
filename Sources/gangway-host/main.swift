import Glibc

// The launcher does not link the framework. Linked here as targets of this package, the framework would be twice in the
// process: here and in plugins. The launcher opens the library by its bare name, which the run path finds beside this
// program. Plugins need the library by the same name, so they get the same one.

private func fail(_ problem: String) -> Never {
  let text = "gangway-host: \(problem). Install gangway-host and libGangway.so from one build in one folder.\n"
  _ = text.withCString { write(STDERR_FILENO, $0, strlen($0)) }
  exit(70)
}

guard let framework = dlopen("libGangway.so", RTLD_NOW | RTLD_GLOBAL) else {
  fail(dlerror().map { String(cString: $0) } ?? "libGangway.so could not be loaded")
}
guard let entry = dlsym(framework, "gangway_host_main") else {
  fail(dlerror().map { String(cString: $0) } ?? "libGangway.so has no entry")
}
unsafeBitCast(entry, to: (@convention(c) () -> Void).self)()
