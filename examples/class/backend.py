"""A school's backend: lessons for a class, each person with a link of their own, the video of the lesson, and all events.

pip install https://YOUR-SERVER/clients/lectern_partner-0.2.0-py3-none-any.whl
LECTERN_URL=… LECTERN_ACCOUNT=… LECTERN_SECRET=… EVENTS_SECRET=… python3 backend.py

EVENTS_SECRET has 16 characters or more and signs the events. PORT is that of this program, JOURNAL its file.
"""

import json
import os
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import unquote

from lectern_partner import PartnerClient, WebhookVerificationError, verify_standard_webhook

SECRET = os.environ["EVENTS_SECRET"]
PORT = int(os.environ.get("PORT", "4001"))
URL = f"http://127.0.0.1:{PORT}/events"
lectern = PartnerClient(os.environ["LECTERN_URL"], os.environ["LECTERN_ACCOUNT"], os.environ["LECTERN_SECRET"]).v2


class Journal:
    """Events on the disk, each once, and the position up to which all of them are there."""

    def __init__(self, path: str) -> None:
        self.events: dict = {}
        self.last = 0
        self._lock = threading.Lock()
        self._file = open(path, "a+", encoding="utf-8")
        self._file.seek(0)
        for line in self._file:
            try:
                self._apply(json.loads(line))
            except ValueError:
                pass  # empty, or cut off by a crash before it was acknowledged

    def store(self, entry: dict) -> None:
        with self._lock:
            if entry.get("event", {}).get("id") in self.events:
                return
            self._file.write("\n" + json.dumps(entry))
            self._file.flush()
            os.fsync(self._file.fileno())
            self._apply(entry)

    def _apply(self, entry: dict) -> None:
        if "event" in entry:
            self.events[entry["event"]["id"]] = entry["event"]
        self.last = entry.get("last", self.last)


journal = Journal(os.environ.get("JOURNAL", "journal.jsonl"))


def catch_up() -> None:
    """Reads what was missed while this program did not run."""
    missed = lectern.events(after=journal.last)
    for event in missed:
        journal.store({"event": event})
    journal.store({"last": missed.last})


def create(lesson: str, body: dict) -> dict:
    metadata = {"lesson": lesson}  # comes back in every event
    recording = {"mode": "automatic", "format": "mp4"}
    lectern.put_room(lesson, {"title": body["title"], "lobby": True, "recording": recording, "metadata": metadata})
    links = {
        person["id"]: lectern.put_person(
            lesson, person["id"], {"display_name": person["name"], "role": person["role"], "metadata": metadata}
        )["join_url"]
        for person in body["people"]
    }
    return {"tag": lectern.get_room(lesson)["tag"], "links": links}


def video(lesson: str, _: dict) -> dict:
    recordings = lectern.list_recordings(room=lesson)["recordings"]
    if not recordings:
        return {"url": None}
    return lectern.create_recording_link(recordings[0]["id"], {"path": "recording.mp4", "expires_in": 600})


def events(lesson: str, _: dict) -> dict:
    own = [event for event in journal.events.values() if event["room"]["external_id"] == lesson]
    return {"events": sorted(own, key=lambda event: event["sequence"])}


ACTIONS = {"create": create, "video": video, "events": events, "delete": lambda lesson, _: lectern.delete_room(lesson)}


class Handler(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
        try:
            self._answer(*self._route(body))
        except WebhookVerificationError as error:
            self._answer(400, {"error": str(error)})
        except Exception as error:
            self._answer(502, {"error": str(error)})

    def _route(self, body: bytes) -> tuple:
        if self.path == "/events":
            event = verify_standard_webhook(body, self.headers.items(), SECRET)
            if event["type"] != "webhook.test":
                journal.store({"event": event})
            return 200, {}
        _, action, lesson = [*self.path.split("/"), "", ""][:3]
        if action not in ACTIONS or not lesson:
            return 404, None
        return 200, ACTIONS[action](unquote(lesson), json.loads(body or b"{}"))

    def _answer(self, status: int, body: object) -> None:
        content = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        pass


server = ThreadingHTTPServer(("127.0.0.1", PORT), Handler)
threading.Thread(target=server.serve_forever).start()
known = next((each for each in lectern.list_endpoints()["endpoints"] if each["url"] == URL), None)
if known is None:
    lectern.add_endpoint({"url": URL, "secret": SECRET})
elif not known["enabled"]:
    lectern.update_endpoint(known["id"], {"enabled": True})  # it was away for five days
catch_up()
print("Ready", flush=True)
