import { describe, expect, it } from "vitest";
import { redact, redactSecrets } from "../../src/lib/redact";

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
])("redacts the secrets in a text: %s", (text, redacted) => {
  expect(redactSecrets(text)).toBe(redacted);
});
