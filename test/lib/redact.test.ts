import { describe, expect, it } from "vitest";
import { redact, redactQuery, redactSecrets } from "../../src/lib/redact";

describe("an error message", () => {
  it.each([
    [`Unexpected token 'S', "Secret page" is not valid JSON`, `Unexpected token 'S', "…" is not valid JSON`],
    [
      `Unexpected token 'o', "{"a": o" or "Secret" words" is not valid JSON`,
      `Unexpected token 'o', "…" is not valid JSON`,
    ],
    [`[\n  {\n    "message": "Unrecognized key: \\"secret\\""\n  }\n]`, `[\n  {\n    "…"\n  }\n]`],
    [`Unexpected token 'S', ..."Secret page that goes on`, `Unexpected token 'S', ..."…"`],
    ["Invalid URL: https://user:secret@example.com:81/secret?secret", "Invalid URL: https://example.com:81/…"],
    ["GET http://example.com failed", "GET http://example.com/… failed"],
    ["at data:text/html,secret (x)", "at data:… (x)"],
    [`the key sk_live_${"a".repeat(38)} is old`, "the key sk_live_… is old"],
    ["whsec_abc+/=", "whsec_…"],
    ["authorization: bearer abc.def", "authorization: Bearer …"],
    ["wss://example.com/secret", "wss://example.com/…"],
    ["ws://example.com/secret", "ws://example.com/…"],
    ["(HTTPS://example.com/secret) failed", "(HTTPS://example.com/…) failed"],
    ["https://example.com#secret and http://b.example?secret", "https://example.com/… and http://b.example/…"],
    ["authorization: Bearer abc.def", "authorization: Bearer …"],
    ["D1_ERROR: UNIQUE constraint failed: jobs.id", "D1_ERROR: UNIQUE constraint failed: jobs.id"],
    ["Cannot read properties of undefined (reading 'id')", "Cannot read properties of undefined (reading 'id')"],
  ])("is redacted: %s", (message, expected) => {
    expect(redact(message)).toBe(expected);
  });

  it("is shortened to 4,000 characters", () => {
    expect(redact("x".repeat(100_000)).length).toBe(4_000);
  });
});

it.each([
  ["There is no job 'sk_live_4fGhT2bQ9xY7mN3pR8sV1wZ6kL5jH0cD'.", "There is no job 'sk_live_…'."],
  ["sk_test_abcdefgh and whsec_abc-def_ghi", "sk_test_… and whsec_…"],
  ["/v1/jobs/sk_live_abcdefgh?wait=1", "/v1/jobs/sk_live_…?wait=1"],
  ["Send it as 'Authorization: Bearer sk_live_…'.", "Send it as 'Authorization: Bearer sk_live_…'."],
  ["task_live_abcdefghij", "task_live_abcdefghij"],
  ["https://a.example/?q=x%3Dsk_live_abcdefgh", "https://a.example/?q=x%3Dsk_live_…"],
  [JSON.stringify({ prompt: "My key:\nsk_live_abcdefgh" }), '{"prompt":"My key:\\nsk_live_…"}'],
  [JSON.stringify({ prompt: "\u0007whsec_abc" }), '{"prompt":"\\u0007whsec_…"}'],
])("redacts the secrets in a text: %s", (text, redacted) => {
  expect(redactSecrets(text)).toBe(redacted);
});

it.each([
  ["https://a.example/?page=2&access_token=abc&x=1#token=y", "https://a.example/?page=2&access_token=…&x=1#token=y"],
  [
    "https://a.example/?X-Amz-Signature=ab&X-Amz-Date=1&sig=c",
    "https://a.example/?X-Amz-Signature=…&X-Amz-Date=1&sig=…",
  ],
  ["https://a.example/?apiKey=a&API-KEY=b&user[password]=c", "https://a.example/?apiKey=…&API-KEY=…&user[password]=…"],
  [
    "https://a.example/token/x?pageToken=a&next_token=b&key=1&author=d",
    "https://a.example/token/x?pageToken=a&next_token=b&key=1&author=d",
  ],
  ["https://a.example/?token=&token", "https://a.example/?token=&token"],
])("redacts the secret parameters of a query: %s", (url, redacted) => {
  expect(redactQuery(url)).toBe(redacted);
});
