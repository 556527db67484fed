#!/usr/bin/env python3
"""Measures one small app in Gangway, Streamlit and NiceGUI, side by side, in a headless Chromium on this machine.

`script/compare-peers` installs the peers, builds the plugin and runs this file. The standard library is enough for it.
Exit codes: 0; 3 if a figure of Gangway is over its bar; 1 if something was not measured, with the reason.
"""

import argparse
import asyncio
import fcntl
import json
import os
import random
import shutil
import signal
import socket
import statistics
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
PATIENCE = 60
KEYS = 50
FURTHER = 20
LETTERS = "abcdefghijklmnopqrstuvwxyz"


class Failed(Exception):
    """Something was not measured."""


async def within(seconds, waitable, what):
    try:
        return await asyncio.wait_for(waitable, seconds)
    except asyncio.TimeoutError:
        raise Failed(f"no answer within {seconds} s: {what}") from None


# --- The browser -----------------------------------------------------------------------------------------------------


class Browser:
    """A headless Chromium with its own profile, driven over two pipes with the Chrome DevTools Protocol."""

    async def __aenter__(self):
        self.profile = tempfile.mkdtemp(prefix="gangway-peers-browser-")
        self.count, self.answers, self.pages = 0, {}, {}
        pairs = [os.pipe(), os.pipe()]
        # The browser expects the pipes as its descriptors 3 and 4.
        ends = [fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 100) for end in (pairs[0][0], pairs[1][1])]
        self.process = await asyncio.create_subprocess_exec(
            "chromium-headless-shell", "--remote-debugging-pipe", "--no-sandbox", "--disable-gpu",
            "--disable-dev-shm-usage", "--disable-background-networking", "--window-size=1280,900",
            # The measured pages load nothing from elsewhere.
            "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
            f"--user-data-dir={self.profile}", "about:blank",
            stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.DEVNULL,
            preexec_fn=lambda: (os.dup2(ends[0], 3), os.dup2(ends[1], 4)), pass_fds=(3, 4),
        )  # fmt: skip
        for end in (pairs[0][0], pairs[1][1], *ends):
            os.close(end)
        self.output = os.fdopen(pairs[0][1], "wb", buffering=0)
        self.reader = asyncio.StreamReader(limit=2**27)
        protocol = asyncio.StreamReaderProtocol(self.reader)
        self.transport, _ = await asyncio.get_running_loop().connect_read_pipe(
            lambda: protocol, os.fdopen(pairs[1][0], "rb", buffering=0)
        )
        self.reading = asyncio.create_task(self.read())
        return self

    async def __aexit__(self, *_):
        try:
            await within(10, self.call("Browser.close"), "Browser.close")
            await within(10, self.process.wait(), "the end of the browser")
        except (Failed, OSError, asyncio.CancelledError):
            if self.process.returncode is None:
                os.kill(self.process.pid, signal.SIGKILL)
                await self.process.wait()
        self.reading.cancel()
        self.transport.close()
        self.output.close()
        shutil.rmtree(self.profile, ignore_errors=True)

    async def read(self):
        try:
            while True:
                message = json.loads((await self.reader.readuntil(b"\0"))[:-1])
                if "id" in message:
                    answer = self.answers.pop(message["id"], None)
                    if answer and not answer.done():
                        answer.set_result(message)
                elif page := self.pages.get(message.get("sessionId")):
                    page.note(message["method"], message["params"])
        except asyncio.IncompleteReadError:
            for answer in self.answers.values():
                if not answer.done():
                    answer.set_result({"error": {"message": "the browser ended"}})

    def send(self, method, parameters=None, session=None):
        """Sends a command, and returns a future of its answer."""
        self.count += 1
        message = {"id": self.count, "method": method, "params": parameters or {}}
        if session:
            message["sessionId"] = session
        answer = self.answers[self.count] = asyncio.get_running_loop().create_future()
        self.output.write(json.dumps(message).encode() + b"\0")
        return answer

    async def call(self, method, parameters=None, session=None):
        message = await within(PATIENCE, self.send(method, parameters, session), method)
        if "error" in message:
            raise Failed(f"{method}: {message['error']['message']}")
        return message["result"]

    async def user(self):
        """Returns the id of a new user: an empty cache, and no cookies."""
        return (await self.call("Target.createBrowserContext"))["browserContextId"]

    async def remove(self, user):
        await self.call("Target.disposeBrowserContext", {"browserContextId": user})

    async def open(self, app, user):
        target = (await self.call("Target.createTarget", {"url": "about:blank", "browserContextId": user}))["targetId"]
        attached = await self.call("Target.attachToTarget", {"targetId": target, "flatten": True})
        page = self.pages[attached["sessionId"]] = Page(self, app, target, attached["sessionId"])
        for domain in ("Page", "Runtime", "Network"):
            await page.call(f"{domain}.enable")
        await page.call("Page.setLifecycleEventsEnabled", {"enabled": True})
        await page.call("Emulation.setFocusEmulationEnabled", {"enabled": True})
        await page.call("Runtime.addBinding", {"name": "tell"})
        settings = json.dumps({"field": app.field, "key": "Enter" if app.needs_enter else None, "rows": app.rows})
        source = (HERE / "page.js").read_text().replace("PEER", settings, 1)
        await page.call("Page.addScriptToEvaluateOnNewDocument", {"source": source})
        return page


class Page:
    """A tab, with its requests and with what page.js told."""

    def __init__(self, browser, app, target, session):
        self.browser, self.app, self.target, self.session = browser, app, target, session
        self.told, self.waiters, self.requests, self.hops = {}, {}, {}, []
        self.sockets, self.socket_bytes, self.begin, self.loader = [], 0, None, None

    async def call(self, method, parameters=None):
        return await self.browser.call(method, parameters, self.session)

    async def value(self, expression):
        answer = await self.call(
            "Runtime.evaluate", {"expression": expression, "returnByValue": True, "awaitPromise": True}
        )
        if "exceptionDetails" in answer:
            raise Failed(f"{self.app.name}: {expression}: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    def note(self, method, event):
        match method:
            case "Runtime.bindingCalled" if event["name"] == "tell":
                message = json.loads(event["payload"])
                self.tell(message["name"], message["value"])
            case "Page.lifecycleEvent" if event["name"] == "networkIdle" and event["loaderId"] == self.loader:
                self.tell("idle", None)
            case "Page.frameNavigated" if "parentId" not in event["frame"]:
                self.loader = event["frame"]["loaderId"]
            case "Network.requestWillBeSent":
                self.begin = self.begin or event["timestamp"]
                if "redirectResponse" in event:
                    hop = self.requests.pop(event["requestId"])
                    hop.update(status=event["redirectResponse"]["status"], end=event["timestamp"])
                    hop["bytes"] = event["redirectResponse"]["encodedDataLength"]
                    self.hops.append(hop)
                address = event["request"]["url"]
                if not address.startswith(("data:", "blob:")):
                    self.requests[event["requestId"]] = {
                        "address": address, "start": event["timestamp"], "bytes": 0, "cached": False, "status": None,
                        "end": None,
                    }  # fmt: skip
            case "Network.requestServedFromCache":
                if request := self.requests.get(event["requestId"]):
                    request["cached"] = True
            case "Network.responseReceived":
                if request := self.requests.get(event["requestId"]):
                    request["status"] = event["response"]["status"]
                    request["cached"] |= event["response"].get("fromDiskCache", False)
            case "Network.loadingFinished":
                if request := self.requests.get(event["requestId"]):
                    request.update(end=event["timestamp"], bytes=event["encodedDataLength"])
            case "Network.loadingFailed":
                if request := self.requests.get(event["requestId"]):
                    request["end"] = event["timestamp"]
            case "Network.webSocketCreated":
                self.sockets.append(event["url"])
            case "Network.webSocketFrameReceived":
                frame, text = event["response"], event["response"]["payloadData"]
                self.socket_bytes += len(text.encode()) if frame["opcode"] == 1 else len(text) * 3 // 4

    def tell(self, name, value):
        waiter = self.waiters.pop(name, None)
        if waiter and not waiter.done():
            waiter.set_result(value)
        else:
            self.told[name] = value

    def wait(self, name):
        """Returns a future of the next value that is told under a name."""
        future = asyncio.get_running_loop().create_future()
        if name in self.told:
            future.set_result(self.told.pop(name))
        else:
            self.waiters[name] = future
        return future

    async def until(self, name):
        return await within(PATIENCE, self.wait(name), f"{self.app.name}: '{name}' on the page")

    async def go(self):
        navigated = await self.call("Page.navigate", {"url": self.app.address})
        if "errorText" in navigated:
            raise Failed(f"{self.app.name}: {navigated['errorText']}")

    async def settle(self):
        """Waits until everything of the app is on the page, painted, and no request runs."""
        await self.until("whole")
        await self.until("idle")
        await self.value("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))")

    def traffic(self):
        """Returns the requests that went over the network; those of WebSockets are not among them."""
        return [one for one in self.hops + list(self.requests.values()) if one["bytes"] > 0]

    def key(self, letter):
        """Presses a key, without waiting."""
        code = {"\r": ("Enter", "Enter", 13)}.get(letter, (letter, f"Key{letter.upper()}", ord(letter.upper())))
        shared = {"key": code[0], "code": code[1], "windowsVirtualKeyCode": code[2]}
        self.browser.send("Input.dispatchKeyEvent", {"type": "keyDown", "text": letter, **shared}, self.session)
        return self.browser.send("Input.dispatchKeyEvent", {"type": "keyUp", **shared}, self.session)

    def type(self, letter):
        self.key(letter)
        if self.app.needs_enter:
            self.key("\r")

    async def first_echo(self):
        """Types letters as soon as the field is there, until the server echoes one; returns the time of the echo."""
        await self.until("field")
        echo = self.wait("echo")
        for _ in range(int(PATIENCE / self.app.pace)):
            self.browser.send("Runtime.evaluate", {"expression": "peer.focus()"}, self.session)
            self.type("a")
            done, _ = await asyncio.wait([echo], timeout=self.app.pace)
            if done:
                return echo.result()
        raise Failed(f"{self.app.name}: the field did not answer within {PATIENCE} s")

    async def close(self):
        await self.browser.call("Target.closeTarget", {"targetId": self.target})
        del self.browser.pages[self.session]


# --- The servers -----------------------------------------------------------------------------------------------------


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def all_processes():
    """Returns the fields of /proc/PID/stat after the name, by process."""
    found = {}
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                found[int(entry)] = Path("/proc", entry, "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
    return found


def descendants(root, everything=None):
    """Returns the ids of a process and of everything that it started."""
    everything, found = everything or all_processes(), {root}
    while True:
        # A process whose parent has ended still has the session of the root.
        more = {
            one for one, fields in everything.items()
            if int(fields[1]) in found or int(fields[3]) == root or one in found
        }  # fmt: skip
        if more <= found:
            return found
        found |= more


class OtherWork:
    """The share of the processors that processes used which this file did not start."""

    def __init__(self):
        self.begin = self.look()

    def look(self):
        fields = [int(field) for field in Path("/proc/stat").read_text().splitlines()[0].split()[1:9]]
        everything = all_processes()
        family = descendants(os.getpid(), everything) & everything.keys()
        own = sum(sum(map(int, everything[one][11:15])) for one in family)
        return sum(fields), sum(fields) - fields[3] - fields[4], own

    @property
    def share(self):
        whole, busy, own = (after - before for before, after in zip(self.begin, self.look()))
        return max(0, busy - own) / max(1, whole)


async def calm(limit):
    """Waits until other processes use less than a tenth of the processors."""
    for _ in range(limit):
        other = OtherWork()
        await asyncio.sleep(1)
        if other.share < 0.1:
            return
    print("Other processes are busy; the times are too long.", file=sys.stderr)


class App:
    """One of the apps, and its running server."""

    def __init__(self, name, field, command, needs_enter=False):
        self.name, self.field, self.command, self.needs_enter = name, field, command, needs_enter
        # The time between two letters of the first echo, in seconds. A letter that comes earlier restarts Streamlit's
        # script, which would delay its echo.
        self.pace = 0.25 if needs_enter else 0.025

    @property
    def address(self):
        return f"http://127.0.0.1:{self.port}/"

    async def start(self):
        self.port = free_port()
        self.folder = tempfile.mkdtemp(prefix="gangway-peers-server-")
        environment = {
            "PATH": os.environ["PATH"], "HOME": self.folder, "LANG": "C.UTF-8", "PEERS_PORT": str(self.port),
            "PEERS_ROWS": self.rows, "TMPDIR": self.folder,
        }  # fmt: skip
        self.log = open(f"{self.folder}/log", "wb")
        self.process = await asyncio.create_subprocess_exec(
            *self.command(self.port, self.folder), cwd=self.folder, env=environment, start_new_session=True,
            stdin=asyncio.subprocess.DEVNULL, stdout=self.log, stderr=self.log,
        )  # fmt: skip
        limit = time.monotonic() + PATIENCE
        while True:
            if self.process.returncode is not None or time.monotonic() > limit:
                raise Failed(f"{self.name} did not start: {Path(self.folder, 'log').read_text()[-2000:]}")
            try:
                _, writer = await asyncio.open_connection("127.0.0.1", self.port)
                writer.close()
                return
            except OSError:
                await asyncio.sleep(0.02)

    def processes(self):
        """Returns the ids of the server's processes."""
        return descendants(self.process.pid)

    def memory(self):
        """Returns the proportional set size of all processes of the server, in KB."""
        total = 0
        for one in self.processes():
            try:
                text = Path(f"/proc/{one}/smaps_rollup").read_text()
            except (FileNotFoundError, ProcessLookupError):
                continue
            total += next(int(line.split()[1]) for line in text.splitlines() if line.startswith("Pss:"))
        if total == 0:
            raise Failed(f"{self.name} has no memory: its server has ended")
        return total

    async def steady_memory(self):
        """Returns the memory after it has changed by at most 64 KB between two looks."""
        before = self.memory()
        for _ in range(40):
            await asyncio.sleep(0.25)
            now = self.memory()
            if abs(now - before) <= 64:
                return now
            before = now
        raise Failed(f"the memory of {self.name} keeps changing")

    async def stop(self):
        started = self.processes() if self.process.returncode is None else set()
        if self.process.returncode is None:
            self.process.terminate()
            try:
                await asyncio.wait_for(self.process.wait(), 10)
            except asyncio.TimeoutError:
                self.process.kill()
                await self.process.wait()
        for one in started - {self.process.pid}:
            try:
                os.kill(one, signal.SIGKILL)
            except ProcessLookupError:
                pass
        self.log.close()
        shutil.rmtree(self.folder, ignore_errors=True)


def all_apps(options):
    def gangway(port, folder):
        return [
            options.gangway, "serve", "--anyone", "--port", str(port), "--state-dir", f"{folder}/state",
            "--plugin", options.plugin, "--title", "Counter",
        ]  # fmt: skip

    def streamlit(port, folder):
        return [
            f"{options.venv}/bin/streamlit", "run", str(HERE / "app_streamlit.py"), "--server.address", "127.0.0.1",
            "--server.port", str(port), "--server.headless", "true", "--browser.gatherUsageStats", "false",
            "--server.fileWatcherType", "none",
        ]  # fmt: skip

    def nicegui(port, folder):
        return [f"{options.venv}/bin/python", str(HERE / "app_nicegui.py")]

    return [
        App("Gangway", "main input[name^=edit]", gangway),
        App("Streamlit", "[data-testid=stTextInput] input", streamlit, needs_enter=True),
        App("NiceGUI", "input[aria-label=Text]", nicegui),
    ]


# --- The measurements ------------------------------------------------------------------------------------------------


async def check(browser, app):
    """Visits the app once, so that server and browser are warm, and checks that it works."""
    user = await browser.user()
    page = await browser.open(app, user)
    await page.go()
    await page.settle()
    await page.first_echo()
    await page.value("peer.press()")
    await page.value("peer.expect('one')")
    await page.until("one")
    rows = await page.value("peer.rows()")
    if app.rows == "none":
        if rows != 0:
            raise Failed(f"{app.name} shows {rows} rows, which nobody asked for")
    elif app.name == "Gangway":
        await page.value("peer.jump()")
        await page.value("peer.expect('last')")
        await page.until("last")
    elif app.rows == "all" and rows != 1000:
        raise Failed(f"{app.name} shows {rows} of 1,000 rows")
    await browser.remove(user)
    return rows


async def visit(browser, app, user):
    page = await browser.open(app, user)
    await page.go()
    await page.settle()
    timeline = await page.value("peer.timeline()")
    traffic = page.traffic()
    if not traffic or not page.sockets or not timeline["largestPaint"]:
        raise Failed(f"{app.name}: requests {len(traffic)}, sockets {page.sockets}, paint {timeline['largestPaint']}")
    everything = [
        {
            "address": one["address"].removeprefix(app.address), "status": one["status"], "bytes": one["bytes"],
            "cached": one["cached"],
            **{at: one[at] and round((one[at] - page.begin) * 1000, 1) for at in ("start", "end")},
        }
        for one in page.hops + list(page.requests.values())
    ]  # fmt: skip
    await page.close()
    return {
        "bytes": sum(one["bytes"] for one in traffic), "requests": len(traffic), "timeline": timeline,
        "socket": page.socket_bytes,
        "everything": everything, "paint": timeline["largestPaint"]["time"],
    }  # fmt: skip


async def measure(app, options):
    app.rows = options.rows
    figures = {}
    await calm(options.patience)
    other = OtherWork()
    await app.start()
    try:
        async with Browser() as browser:
            figures["rows"] = await check(browser, app)
            user = await browser.user()
            figures["first"] = await visit(browser, app, user)
            figures["second"] = await visit(browser, app, user)
            await browser.remove(user)

            user = await browser.user()
            page = await browser.open(app, user)
            await page.go()
            figures["answer"] = await page.first_echo()
            # Letters that were typed before the first echo may still be on their way.
            await page.settle()
            await page.value(
                "new Promise(done => { const look = () => peer.echo() === peer.value() ? done(true)"
                " : requestAnimationFrame(look); look() })"
            )
            keys = []
            for number in range(KEYS):
                letter = LETTERS[number % len(LETTERS)]
                await page.value(f"peer.next('{letter}')")
                told = page.wait("key")
                page.type(letter)
                keys.append(await within(PATIENCE, told, f"{app.name}: the echo of key {number + 1}"))
                # This is the pace of a person, not a wait for the page.
                await asyncio.sleep(random.uniform(0.08, 0.12))
            if len(keys) != KEYS or min(one["found"] for one in keys) <= 0:
                raise Failed(f"{app.name}: the keys have no times")
            figures["keys"] = keys
            await browser.remove(user)

            async def session():
                page = await browser.open(app, await browser.user())
                await page.go()
                await page.until("whole")
                await page.first_echo()

            for _ in range(5):
                await session()
            before = await app.steady_memory()
            for _ in range(FURTHER):
                await session()
            after = await app.steady_memory()
            figures["other"] = other.share
            figures["memory"] = {"before": before, "after": after, "each": (after - before) / FURTHER}
    finally:
        await app.stop()
    return figures


# --- The table -------------------------------------------------------------------------------------------------------

ROWS = [
    ("first page, empty cache", "KB", 1, 25, lambda one: one["first"]["bytes"] / 1024),
    ("requests of the first page", "", 0, 7, lambda one: one["first"]["requests"]),
    ("second visit, cached", "KB", 1, 1.2, lambda one: one["second"]["bytes"] / 1024),
    ("requests of the second visit", "", 0, None, lambda one: one["second"]["requests"]),
    ("over the WebSocket, first page, before compression", "KB", 1, None, lambda one: one["first"]["socket"] / 1024),
    ("largest contentful paint", "ms", 0, 200, lambda one: one["first"]["paint"]),
    ("largest contentful paint, second visit", "ms", 0, None, lambda one: one["second"]["paint"]),
    ("until the field answers", "ms", 0, 400, lambda one: one["answer"]),
    ("key to echo, p50 of 50", "ms", 1, 6, lambda one: statistics.median(key["found"] for key in one["keys"])),
    ("key to echo, slowest of 50", "ms", 1, 12, lambda one: max(key["found"] for key in one["keys"])),
    ("key to painted echo, p50 of 50", "ms", 1, None, lambda one: statistics.median(k["painted"] for k in one["keys"])),
    ("memory of a further session", "KB", 0, 40, lambda one: one["memory"]["each"]),
    ("memory of the server with 6 sessions", "MB", 1, None, lambda one: one["memory"]["before"] / 1024),
    ("processor time of other work", "%", 0, None, lambda one: one["other"] * 100),
    ("rows in the document", "", 0, None, lambda one: one["rows"]),
]


def table(results, apps, rounds):
    print(f"Median of {rounds} interleaved rounds (least to most).\n")
    print(f"| measured | {' | '.join(app.name for app in apps)} | bar |")
    print(f"| --- |{' --- |' * len(apps)} --- |")
    over = False
    for title, unit, digits, bar, figure in ROWS:
        cells = []
        for app in apps:
            values = [figure(one) for one in results[app.name]]
            middle = statistics.median(values)
            low, high = f"{min(values):,.{digits}f}", f"{max(values):,.{digits}f}"
            is_over = app.name == "Gangway" and bar is not None and middle > bar
            over |= is_over
            cells.append(
                f"{middle:,.{digits}f} {unit}".strip() + ("" if low == high else f" ({low} to {high})")
                + ("  OVER" if is_over else "")
            )  # fmt: skip
        print(f"| {title} | {' | '.join(cells)} | {'' if bar is None else f'≤ {bar} {unit}'.strip()} |")
    return over


def profile(results, apps):
    for app in apps:
        one = results[app.name][-1]
        for visit in ("first", "second"):
            print(f"\n{app.name}, {visit} visit of the last round, in ms from the navigation:")
            requests = sorted(one[visit]["everything"], key=lambda request: request["start"])
            for request in requests[:40]:
                times = f"{request['start']:8} {request['end'] or '-':>8}"
                size = "cached" if request["cached"] and not request["bytes"] else request["bytes"]
                print(f"  {times} {size:>9} {request['status'] or '-'} /{request['address'][:90]}")
            if len(requests) > 40:
                print(f"  and {len(requests) - 40} more")
            print(f"  {json.dumps(one[visit]['timeline'])}")
        parts = [
            f"{part} {statistics.median(values):.1f} (slowest {max(values):.1f})"
            for part in ("handled", "sent", "received", "found", "painted")
            if (values := [key[part] for key in one["keys"] if part in key])
        ]
        print(f"\n{app.name}, keys of the last round, in ms from the key: {', '.join(parts)}")
        print(f"  memory: {json.dumps(one['memory'])}")


async def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--gangway", required=True, help="the command, of a release build")
    parser.add_argument("--plugin", required=True, help="the library of the plugin Counter")
    parser.add_argument("--venv", required=True, help="the virtual environment with the peers")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--rows", choices=["all", "table", "none"], default="all", help="how the peers show the rows")
    parser.add_argument("--only", help="one app, for a profile")
    parser.add_argument("--profile", action="store_true", help="also print the requests of the last round")
    parser.add_argument("--patience", type=int, default=60, help="how many seconds to wait for other work, each time")
    parser.add_argument("--json", help="a file for all figures")
    options = parser.parse_args()
    if options.rounds < 1:
        raise Failed("there must be a round")
    apps = [app for app in all_apps(options) if options.only in (None, app.name)]
    if not apps:
        raise Failed(f"no app is called {options.only}")
    print(f"Load before: {os.getloadavg()[0]:.2f}.", end=" ")
    results = {app.name: [] for app in apps}
    for number in range(options.rounds):
        # Each round begins with another app.
        for app in apps[number % len(apps) :] + apps[: number % len(apps)]:
            print(f"Round {number + 1}: {app.name}", file=sys.stderr)
            results[app.name].append(await measure(app, options))
    print(f"Load after: {os.getloadavg()[0]:.2f}.", end=" ")
    over = table(results, apps, options.rounds)
    if options.profile:
        profile(results, apps)
    if options.json:
        Path(options.json).write_text(json.dumps(results))
    return 3 if over else 0


if __name__ == "__main__":
    try:
        sys.exit(asyncio.run(main()))
    except Failed as failure:
        print(f"compare.py: {failure}", file=sys.stderr)
        sys.exit(1)
