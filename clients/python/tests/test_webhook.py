"""The vectors that the clients of all languages share."""

import json
import sys
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from lectern_partner import WebhookVerificationError, verify_standard_webhook, verify_webhook  # noqa: E402

FOLDER = Path(__file__).parents[2] / "vectors"
VECTORS = FOLDER / "webhooks.json"


class WebhookTest(unittest.TestCase):
    def test_vectors(self) -> None:
        self.check_vectors("webhooks.json", verify_webhook)

    def test_vectors_of_standard_webhooks(self) -> None:
        self.check_vectors("standard-webhooks.json", verify_standard_webhook)

    def check_vectors(self, name: str, verify) -> None:
        cases = json.loads((FOLDER / name).read_text("utf-8"))["cases"]
        self.assertGreater(len(cases), 30)
        for case in cases:
            with self.subTest(case["name"]):
                body = case["body"].encode()
                arguments = dict(raw_body=body, headers=case["headers"], secret=case["secrets"], now=case["now"])
                if case["expect"] == "valid":
                    self.assertEqual(verify(**arguments), json.loads(body))
                else:
                    with self.assertRaises(WebhookVerificationError) as caught:
                        verify(**arguments)
                    self.assertEqual(caught.exception.reason, case["expect"])

    def test_headers_may_be_a_mapping(self) -> None:
        case = json.loads(VECTORS.read_text("utf-8"))["cases"][0]
        body, (secret,) = case["body"].encode(), case["secrets"]
        for headers in (dict(case["headers"]), {name: [value] for name, value in case["headers"]}):
            self.assertTrue(verify_webhook(body, headers, secret, now=case["now"]))

    def test_the_system_clock_is_the_default(self) -> None:
        case = json.loads(VECTORS.read_text("utf-8"))["cases"][0]
        self.assertGreater(time.time() - case["now"], 300)
        with self.assertRaises(WebhookVerificationError) as caught:
            verify_webhook(case["body"].encode(), case["headers"], case["secrets"])
        self.assertEqual(caught.exception.reason, "timestamp_out_of_tolerance")

    def test_a_receiver_needs_a_secret(self) -> None:
        for secret in ("", [], [""], ["another", ""]):
            with self.assertRaises(ValueError):
                verify_webhook(b"{}", {}, secret)


if __name__ == "__main__":
    unittest.main()
