"""Uses every method against a running server; prints what came back as one JSON object."""

import json
import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from lectern_partner import LecternError, PartnerClient  # noqa: E402

client = PartnerClient(os.environ["LECTERN_URL"], os.environ["LECTERN_ACCOUNT"], os.environ["LECTERN_SECRET"])
room_id = os.environ["LECTERN_ROOM"]


def code_of(call) -> str:
    try:
        call()
    except LecternError as error:
        return f"{error.status} {error.code}"
    return "no error"


info = client.server_info()
created = client.create_room(room_id, {"title": "Algebra", "teacher": {"display_name": "Anna"}})
again = client.create_room(room_id, {"title": "Another"})
moved = client.update_room(room_id, {"title": "Geometry"})
status = client.room_status(room_id)
webhook = client.set_webhook({"url": os.environ["LECTERN_WEBHOOK"], "secret": "a-secret-of-the-partner", "enabled": True})
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
            "status": [status["status"], status["live"]],
            "webhook": [webhook["enabled"], off["enabled"], client.get_webhook()["url"]],
            "recordings": recordings,
            "blob": code_of(lambda: client.download_blob("no-such-blob")),
            "missing": code_of(lambda: client.get_room("no-such-room")),
            "ended": [cancelled["status"], closed["status"]],
        }
    )
)
