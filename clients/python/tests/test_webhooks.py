from __future__ import annotations

import pytest

from web_data_extraction import WebhookSignatureError, verify_webhook

# The same vectors as in the tests of the TypeScript client, computed with another implementation.
SECRET = "whsec_of-this-test"
BODY = '{"event":"webhook.test","message":"Zażółć","meta":{"created_at":"2026-11-21T09:00:00.000Z"}}'
GOOD = "sha256=74f6c3ef4eb6bd88fd052f05f1f99bacc573a14368a1ad4fe2e1c1072a7ecb6d"
BEFORE = "sha256=23927849e6e67bfd089cd64766358d624565d90cd9cda13976ab265802a0be94"


@pytest.mark.parametrize(
    "headers",
    [
        {"X-Webhook-Signature": GOOD},
        {"x-webhook-signature": GOOD},
        {"x-webhook-signature": BEFORE, "x-webhook-signature-previous": GOOD},
    ],
)
@pytest.mark.parametrize("body", [BODY, BODY.encode()])
def test_accepts_a_valid_signature(body: bytes | str, headers: dict[str, str]) -> None:
    assert verify_webhook(body, headers, SECRET)["message"] == "Zażółć"


@pytest.mark.parametrize(
    ("body", "signature"),
    [
        (BODY, None),
        (BODY, BEFORE),
        (BODY.replace("test", "tost"), GOOD),
        (f"{BODY} ", GOOD),
        (BODY, GOOD[:-2]),
        (BODY, GOOD.replace("sha256", "sha1")),
        (BODY, f"sha256={'zz' * 32}"),
        (BODY, GOOD.replace("sha256=", "")),
    ],
)
def test_refuses_every_other_request(body: str, signature: str | None) -> None:
    headers = {} if signature is None else {"x-webhook-signature": signature}
    with pytest.raises(WebhookSignatureError):
        verify_webhook(body, headers, SECRET)


def test_refuses_a_parsed_body_and_an_empty_secret() -> None:
    with pytest.raises(TypeError, match="'body' must be the raw body"):
        verify_webhook({}, {}, SECRET)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="'secret' must be"):
        verify_webhook(BODY, {}, "")
