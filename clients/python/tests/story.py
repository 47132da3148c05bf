"""Uses every method against a running server; prints what came back as one JSON object."""

import json
import os
import sys
import time
import urllib.request
from pathlib import Path

sys.path.insert(0, os.environ.get("LECTERN_CLIENT") or str(Path(__file__).parents[1]))

from lectern_partner import LecternError, PartnerClient, WebhookVerificationError, verify_webhook  # noqa: E402

client = PartnerClient(os.environ["LECTERN_URL"], os.environ["LECTERN_ACCOUNT"], os.environ["LECTERN_SECRET"])
room_id = os.environ["LECTERN_ROOM"]
receiver = os.environ["LECTERN_WEBHOOK"]
FIRST, SECOND = "the-first-secret-of-the-partner", "the-second-secret-of-the-partner"


def code_of(call) -> str:
    try:
        call()
    except LecternError as error:
        return f"{error.status} {error.code}"
    return "no error"


def received(count: int) -> list:
    """What the receiver has been sent, as soon as it is so many deliveries."""
    while True:
        with urllib.request.urlopen(receiver) as answer:
            deliveries = json.load(answer)
        if len(deliveries) >= count:
            return deliveries
        time.sleep(0.05)


def delivered(delivery_id: str) -> dict:
    while True:
        delivery = client.get_delivery(delivery_id)
        if delivery["status"] != "pending":
            return delivery
        time.sleep(0.05)


def secrets_of(delivery: dict) -> list:
    """The secrets with which a receiver accepts it."""
    accepted = []
    for secret in (FIRST, SECOND):
        try:
            if verify_webhook(delivery["body"].encode(), delivery["headers"], secret)["type"] == "webhook.test":
                accepted.append(secret)
        except WebhookVerificationError as error:
            assert error.reason == "signature_mismatch"
    return accepted


info = client.server_info()
teacher = {"display_name": "Anna", "external_id": room_id}
created = client.create_room(room_id, {"title": "Algebra", "teacher": teacher})
again = client.create_room(room_id, {"title": "Another"})
moved = client.update_room(room_id, {"title": "Geometry"})
status = client.room_status(room_id)
rooms = client.list_rooms(teacher=room_id, search="geometry", limit=1)
webhook = client.set_webhook({"url": receiver, "secret": FIRST, "enabled": True})
test = delivered(client.test_webhook()["id"])
rotating = client.rotate_webhook_secret({"secret": SECOND, "overlap_seconds": 600})
replayed = client.replay_delivery(test["id"])
received(2)
finished = client.finish_webhook_rotation()
last = delivered(client.test_webhook()["id"])
deliveries = client.list_deliveries(status="delivered", limit=1)
listed = [delivery["id"] for delivery in client.list_deliveries()["deliveries"]]
sent = received(3)
off = client.set_webhook({"enabled": False})
recordings = client.list_recordings()
cancelled = client.cancel_room(room_id)
closed = client.close_room(room_id)
print(
    json.dumps(
        {
            "version": info["api"]["version"],
            "title": created["title"],
            "again": again["title"],
            "links": created["teacher_join_url"] != created["student_join_url"],
            "moved": moved["title"],
            "same": client.get_room(room_id)["tag"] == created["tag"],
            "put": [created["created"], again["created"], again["differing_fields"]],
            "list": [[room["external_id"] for room in rooms["rooms"]], rooms["next"]],
            "status": [status["status"], status["live"]],
            "webhook": [webhook["enabled"], off["enabled"], client.get_webhook()["url"] == receiver],
            "rotation": [rotating["previous_secret_expires_at"] is not None, finished["previous_secret_expires_at"]],
            "test": [test["event"], test["history"][0]["response_status"], test["payload"]["id"] == test["id"]],
            "replay": [replayed["id"] == test["id"], sent[1]["body"] == sent[0]["body"]],
            "deliveries": [len(deliveries["deliveries"]), deliveries["next"] is not None, last["id"] in listed],
            "secrets": [secrets_of(delivery) for delivery in sent],
            "deleted": client.delete_webhook()["configured"],
            "recordings": recordings,
            "blob": code_of(lambda: client.download_blob("no-such-blob")),
            "missing": code_of(lambda: client.get_room("no-such-room")),
            "ended": [cancelled["status"], closed["status"]],
        }
    )
)
