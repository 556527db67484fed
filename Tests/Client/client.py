#!/usr/bin/env python3
"""A front end in another language: python3 client.py SOCKET HOST_PROCESS

It attaches to a running app, fills the field "Text", survives a kill of the host, and goes on typing. It follows
Documentation/PresentationProtocol.md and nothing else. Exit code 0 if everything was as expected.
"""
import json
import os
import signal
import socket
import sys


class Client:
    def __init__(self, path):
        self.connection = socket.socket(socket.AF_UNIX)
        self.connection.settimeout(30)
        self.connection.connect(path)
        self.lines = self.connection.makefile("r", encoding="utf-8", newline="\n")
        self.count = self.patches = 0
        self.session, self.presentation, self.notices = None, None, []
        hello = self.read()
        assert hello["type"] == "hello" and hello["protocol"]["major"] == 1, hello
        self.send(type="hello", protocol={"major": 1, "minor": 0}, patches=True)

    def send(self, **message):
        self.connection.sendall(json.dumps(message).encode() + b"\n")
        self.count += 1
        return self.count

    def read(self):
        line = self.lines.readline()
        assert line, "the app has closed the connection"
        message = json.loads(line)
        assert message["type"] != "error", message
        if message["type"] == "update":
            self.session = message["session"]
            self.apply(message["update"])
        return message

    def apply(self, update):
        self.notices += update.get("notices", [])
        if "presentation" in update:
            self.presentation = update["presentation"]
        if "patch" in update:
            self.patches += 1
            self.patch(update["patch"])

    def patch(self, patch):
        """Applies a patch: changed parts are whole, and screens have only the changes of their elements."""
        if patch["base"] != self.presentation["revision"]:
            return self.send(type="resync", session=self.session)
        before = {screen["node"]: screen["elements"] for screen in self.screens()}
        path = self.presentation["path"][:patch.get("pathFrom", 0)] + patch.get("path", []) if "path" in patch else None
        self.presentation.update({name: patch[name] for name in patch if name not in ("base", "screens", "pathFrom")})
        self.presentation["path"] = self.presentation["path"] if path is None else path
        for screen in self.screens():
            screen.setdefault("elements", before.get(screen["node"], []))
            for change in patch.get("screens", []):
                if change["node"] == screen["node"]:
                    self.change(screen, change)

    def change(self, screen, change):
        screen["elements"] = change.get("elements", screen["elements"])
        for name in change.get("remove", []):
            siblings, element = find(screen, name)
            siblings.remove(element)
        for new in change.get("set", []):
            _, element = find(screen, new["id"])
            for name in new.pop("unset", []):
                element.pop(name, None)
            element.update(new)
        for new in change.get("insert", []):
            parent = find(screen, new["parent"])[1].setdefault("children", []) if "parent" in new else screen["elements"]
            parent[new["at"]:new["at"]] = new["elements"]
        for moved in change.get("move", []):
            siblings, element = find(screen, moved["id"])
            siblings.remove(element)
            siblings.insert(moved["at"], element)

    def screens(self):
        for layer in self.presentation["layers"]:
            yield layer
            yield from layer.get("panes", [])

    def event(self, **event):
        """Sends an event, and reads until its answer."""
        number = self.count + 1
        self.send(type="event", session=self.session, event={"id": number, "revision": self.presentation["revision"], **event})
        while True:
            message = self.read()
            if message["type"] == "update" and message["update"].get("event") == number:
                return

    def field(self, label):
        top = self.presentation["layers"][-1]
        return top["node"], next(e for e in flatten(top["elements"]) if e["kind"] == "field" and e["label"] == label)

    def type(self, label, text):
        node, field = self.field(label)
        self.event(action="edit", node=node, element=field["id"], text=text)
        assert self.field(label)[1]["value"] == text, self.field(label)


def flatten(elements):
    for element in elements:
        yield element
        yield from flatten(element.get("children", []))


def find(screen, name):
    """Returns an element with the list that it is in."""
    lists = [screen["elements"]] + [e["children"] for e in flatten(screen["elements"]) if "children" in e]
    return next((siblings, element) for siblings in lists for element in siblings if element["id"] == name)


client = Client(sys.argv[1])
client.send(type="attach")
while client.presentation is None:
    client.read()
client.type("Text", "before")
os.kill(int(sys.argv[2]), signal.SIGKILL)
while not client.notices:
    client.read()
client.type("Text", "before and after")
assert client.patches > 0, "no patch arrived"
client.send(type="list")
while (answer := client.read())["type"] != "done":
    pass
assert [plugin["id"] for plugin in answer["plugins"]] == ["scenes"], answer
client.send(type="close", session=client.session)
print(f"typed over a kill of the host: {client.notices[0]['text']} ({client.patches} patches)")
