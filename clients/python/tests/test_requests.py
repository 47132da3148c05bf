"""The requests that the clients of all languages share."""

import json
import re
import unittest
from pathlib import Path

from test_client import ScriptedServer

from lectern_partner import PartnerClient

VECTORS = Path(__file__).parents[2] / "vectors" / "requests.json"


def in_python(name: str) -> str:
    return re.sub(r"[A-Z]", lambda letter: "_" + letter[0].lower(), name)


class RequestsTest(unittest.TestCase):
    def setUp(self) -> None:
        self.server = ScriptedServer()
        self.addCleanup(self.server.close)
        self.client = PartnerClient(self.server.url, "school", "a-very-secret-secret", retry_delays=(0,))

    def test_vectors(self) -> None:
        for case in json.loads(VECTORS.read_text("utf-8"))["calls"]:
            with self.subTest(case["call"], version=case["version"]):
                self.server.seen.clear()
                self.server.script = [(503, {"message": "Later."}, {})]
                target = self.client if case["version"] == 1 else self.client.v2
                body = [case["body"]] if "body" in case else []
                if "content" in case:
                    body = [case["content"].encode()]
                call = getattr(target, in_python(case["call"]))
                call(*case.get("ids", []), *body, **case.get("filters", {}))
                (_, _, _, first), (method, path, sent, second) = self.server.seen
                self.assertEqual(f"{method} {path}", case["request"])
                if "content" in case:
                    self.assertEqual(sent, case["content"])
                elif body:
                    self.assertEqual(json.loads(sent), case["body"])
                key = first.get("Idempotency-Key")
                self.assertEqual(key, second.get("Idempotency-Key"))
                self.assertEqual(key is not None, case["version"] == 2 and method == "POST")

    def test_a_key_of_your_own(self) -> None:
        self.client.v2.send_message("x", {"text": "Hello"}, idempotency_key="mine")
        self.assertEqual(self.server.seen[0][3]["Idempotency-Key"], "mine")

    def test_events_are_iterated_page_by_page(self) -> None:
        self.server.script = [
            (200, {"events": [{"id": "evt_1"}, {"id": "evt_2"}], "next": 9, "last": 9}, {}),
            (200, {"events": [{"id": "evt_3"}], "next": None, "last": 11}, {}),
        ]
        events = self.client.v2.events(after=7, limit=2)
        found = [(event["id"], events.last) for event in events]
        self.assertEqual(found, [("evt_1", 7), ("evt_2", 7), ("evt_3", 9)])
        self.assertEqual(events.last, 11)
        queries = [path.split("?")[1] for _, path, *_ in self.server.seen]
        self.assertEqual(queries, ["after=7&limit=2", "after=9&limit=2"])

    def test_a_transcript_is_text(self) -> None:
        self.server.script = [(200, "WEBVTT\n\nЯ".encode(), {})]
        self.assertEqual(self.client.v2.get_transcript_as_web_vtt("job_1"), "WEBVTT\n\nЯ")


if __name__ == "__main__":
    unittest.main()
