"""The client against an HTTP server that plays a script."""

import json
import sys
import threading
import unittest
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from unittest import mock

sys.path.insert(0, str(Path(__file__).parents[1]))

from lectern_partner import LecternError, PartnerClient  # noqa: E402

TOKEN_PATH = "/api/v1/integration/auth/token"


class ScriptedServer(ThreadingHTTPServer):
    """Answers token requests with token-1, token-2, ... and all others from its script, then with {"result": 200}."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.script, self.seen, self.tokens = [], [], 0
        threading.Thread(target=self.serve_forever, args=(0.01,), daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"

    def close(self) -> None:
        self.shutdown()
        self.server_close()


class Handler(BaseHTTPRequestHandler):
    def answer(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode()
        if self.path.endswith(TOKEN_PATH):
            self.server.tokens += 1
            status, content, headers = 200, {"access_token": f"token-{self.server.tokens}", "expires_in": 604800}, {}
        else:
            self.server.seen.append((self.command, self.path, body, dict(self.headers)))
            step = self.server.script.pop(0) if self.server.script else (200, {"result": 200}, {})
            if step == "reset":
                self.connection.close()
                return
            if step == "cut":
                self.send_response(200)
                self.send_header("Content-Length", "100")
                self.end_headers()
                self.wfile.write(b"the beginning")
                return
            status, content, headers = step
        data = content if isinstance(content, bytes) else json.dumps(content).encode()
        self.send_response(status)
        for name, value in {**headers, "Content-Length": str(len(data))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)

    do_GET = do_PUT = do_PATCH = do_POST = do_DELETE = answer

    def log_message(self, *_: object) -> None:
        pass


class ClientTest(unittest.TestCase):
    def setUp(self) -> None:
        self.server = ScriptedServer()
        self.addCleanup(self.server.close)
        self.client = self.make_client()

    def make_client(self, path: str = "", retry_delays: tuple = ()) -> PartnerClient:
        return PartnerClient(self.server.url + path, "school", "a-very-secret-secret", retry_delays=retry_delays)

    def requests(self) -> list:
        return [f"{method} {path}" for method, path, *_ in self.server.seen]

    def bearers(self) -> list:
        return [headers.get("Authorization") for *_, headers in self.server.seen]

    def error_of(self, call) -> LecternError:
        with self.assertRaises(LecternError) as caught:
            call()
        return caught.exception

    def test_sends_the_requests_of_the_reference(self) -> None:
        client = self.client
        client.server_info()
        client.create_room("lesson-1", {"title": "Algebra"})
        client.get_room("lesson-1")
        client.update_room("lesson-1", {"title": "Geometry"})
        client.cancel_room("lesson-1")
        client.close_room("lesson-1")
        client.room_status("lesson-1")
        client.set_webhook({"enabled": False})
        client.get_webhook()
        client.list_rooms()
        client.list_rooms(status="closed", teacher="teacher:7", search="a b&ü", limit=5, before="p1")
        client.delete_webhook()
        client.test_webhook()
        client.rotate_webhook_secret({"secret": "the-next-secret-of-all", "overlap_seconds": 60})
        client.finish_webhook_rotation()
        client.list_deliveries(status="failed", limit=1)
        client.get_delivery("wh_1")
        client.replay_delivery("wh_1")
        rooms = "/api/v1/integration/rooms/lesson-1"
        self.assertEqual(
            self.requests(),
            [
                "GET /api/v1/integration/server_info",
                f"PUT {rooms}",
                f"GET {rooms}",
                f"PATCH {rooms}",
                f"POST {rooms}/cancel",
                f"POST {rooms}/close",
                f"GET {rooms}/status",
                "PUT /api/v1/integration/webhook",
                "GET /api/v1/integration/webhook",
                "GET /api/v1/integration/rooms",
                "GET /api/v1/integration/rooms?status=closed&teacher=teacher%3A7&search=a+b%26%C3%BC&limit=5&before=p1",
                "DELETE /api/v1/integration/webhook",
                "POST /api/v1/integration/webhook/test",
                "POST /api/v1/integration/webhook/rotate",
                "POST /api/v1/integration/webhook/rotate/finish",
                "GET /api/v1/integration/webhook/deliveries?status=failed&limit=1",
                "GET /api/v1/integration/webhook/deliveries/wh_1",
                "POST /api/v1/integration/webhook/deliveries/wh_1/replay",
            ],
        )
        rotation = json.loads(self.server.seen[13][2])
        self.assertEqual(rotation, {"secret": "the-next-secret-of-all", "overlap_seconds": 60})
        self.assertEqual(json.loads(self.server.seen[1][2]), {"title": "Algebra"})
        self.assertEqual(self.server.tokens, 1)
        self.assertEqual(set(self.bearers()), {"Bearer token-1"})

    def test_supports_a_base_url_with_a_path(self) -> None:
        client = self.make_client("/meet/")
        client.get_room("a/b ü")
        client.download_blob("/api/storage/blobs/b1").close()
        self.assertEqual(
            self.requests(),
            ["GET /meet/api/v1/integration/rooms/a%2Fb%20%C3%BC", "GET /meet/api/storage/blobs/b1"],
        )

    def test_refuses_invalid_ids_without_a_request(self) -> None:
        for external_id in ("", ".", "..", "x" * 256, "\ud800", "a\0b", None):
            error = self.error_of(lambda: self.client.create_room(external_id))
            self.assertEqual((error.code, error.status), ("invalid_argument", None))
        for delivery_id in ("", "..", "\ud800"):
            error = self.error_of(lambda: self.client.get_delivery(delivery_id))
            self.assertEqual((error.code, error.status), ("invalid_argument", None))
        self.assertEqual(self.error_of(lambda: self.client.list_rooms(search="\ud800")).code, "invalid_argument")
        self.assertEqual(self.server.tokens, 0)
        self.client.get_room("😀" * 255)

    def test_retries_temporary_failures(self) -> None:
        self.server.script = [(503, {"result": 503, "code": "draining", "message": "Later."}, {}), "reset"]
        self.assertEqual(self.make_client(retry_delays=(0, 0)).get_room("x"), {"result": 200})
        self.assertEqual(len(self.server.seen), 3)

    def test_retries_what_is_cut(self) -> None:
        client = self.make_client(retry_delays=(0, 0))
        self.server.script = ["cut", "cut"]
        self.assertEqual(client.get_room("x"), {"result": 200})
        self.server.script = ["cut", "cut", (200, b"WEBVTT\n", {})]
        self.assertEqual(client.v2.get_transcript_as_web_vtt("x"), "WEBVTT\n")

    def test_waits_as_long_as_its_caller_says(self) -> None:
        self.server.script = ["reset"]
        with mock.patch("time.sleep") as sleep:
            self.assertEqual(self.make_client(retry_delays=(120,)).get_room("x"), {"result": 200})
        sleep.assert_called_once_with(120)

    def test_leaves_long_delays_to_the_caller(self) -> None:
        self.server.script = [(429, {"code": "rate_limited", "message": "Slow."}, {"Retry-After": "120"})]
        error = self.error_of(lambda: self.make_client(retry_delays=(0, 0)).get_room("x"))
        self.assertEqual((error.code, error.retry_after, error.retryable), ("rate_limited", 120, True))
        self.assertEqual(len(self.server.seen), 1)

    def test_does_not_retry_refusals(self) -> None:
        self.server.script = [(404, {"code": "room_not_found", "message": "No room."}, {"X-Request-Id": "r-1"})]
        error = self.error_of(lambda: self.make_client(retry_delays=(0, 0)).get_room("x"))
        self.assertEqual((error.code, error.status, str(error)), ("room_not_found", 404, "No room."))
        self.assertEqual(error.request_id, "r-1")
        self.assertEqual(len(self.server.seen), 1)

    def test_renews_a_refused_token_once(self) -> None:
        refusal = (401, {"code": "token_expired", "message": "Expired."}, {})
        self.server.script = [refusal]
        self.client.get_room("x")
        self.assertEqual(self.bearers(), ["Bearer token-1", "Bearer token-2"])
        self.server.script = [refusal, refusal]
        self.assertEqual(self.error_of(lambda: self.client.get_room("x")).status, 401)

    def test_reports_failures_of_the_archive(self) -> None:
        self.server.script = [(200, {"ok": False, "error": "index is locked", "recordings": []}, {})]
        error = self.error_of(self.client.list_recordings)
        self.assertEqual((error.code, str(error), error.retryable), ("archive_unavailable", "index is locked", True))
        self.server.script = [(200, {"ok": True, "recordings": [{"id": "job-1"}]}, {})]
        self.assertEqual(self.client.list_recordings(), [{"id": "job-1"}])

    def test_downloads_ranges(self) -> None:
        self.server.script = [(206, b"llo", {})]
        with self.client.download_blob("b 1", range="bytes=2-") as response:
            self.assertEqual(response.read(), b"llo")
        self.assertEqual(self.server.seen[0][1], "/api/storage/blobs/b%201")
        self.assertEqual(self.server.seen[0][3]["Range"], "bytes=2-")
        error = self.error_of(lambda: self.client.download_blob("b1", range="bytes=1-\r\nX: 1"))
        self.assertEqual(error.code, "invalid_argument")

    def test_never_sends_the_token_to_another_origin(self) -> None:
        other = ScriptedServer()
        self.addCleanup(other.close)
        for url in (f"{other.url}/file", f"//127.0.0.1:{other.server_port}/file"):
            self.client.download_blob(url).close()
        self.assertEqual([headers.get("Authorization") for *_, headers in other.seen], [None, None])
        self.server.script = [(302, b"", {"Location": f"{other.url}/file"})]
        self.assertEqual(self.error_of(lambda: self.client.download_blob("b1")).code, "redirected")
        self.assertEqual(len(other.seen), 2)
        for url in ("", ".", "..", "file:///etc/passwd", "data:text/plain,x/y", "http://[", "/a\r\nb"):
            self.assertEqual(self.error_of(lambda: self.client.download_blob(url)).code, "invalid_argument", url)

    def test_reports_answers_that_are_not_json(self) -> None:
        self.server.script = [(200, b"<html>", {}), (502, b"<html>", {})]
        self.assertEqual(self.error_of(lambda: self.client.get_room("x")).code, "bad_answer")
        self.assertEqual(self.error_of(lambda: self.client.get_room("x")).code, "http_502")

    def test_errors_do_not_contain_secrets(self) -> None:
        self.server.script = ["reset"]
        error = self.error_of(lambda: self.client.get_room("x"))
        self.assertEqual(error.code, "network_error")
        for text in (repr(error), str(error.__cause__), repr(self.client)):
            self.assertNotIn("secret-secret", text)
            self.assertNotIn("token-1", text)


if __name__ == "__main__":
    unittest.main()
