import { describe, expect, it } from "vitest";
import { withoutContent } from "../../src/lib/without-content";

describe("an accident's words", () => {
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
    ["authorization: Bearer abc.def", "authorization: Bearer …"],
    ["D1_ERROR: UNIQUE constraint failed: jobs.id", "D1_ERROR: UNIQUE constraint failed: jobs.id"],
    ["Cannot read properties of undefined (reading 'id')", "Cannot read properties of undefined (reading 'id')"],
  ])("%s", (words, expected) => {
    expect(withoutContent(words)).toBe(expected);
  });

  it("are cut before they are long", () => {
    expect(withoutContent("x".repeat(100_000)).length).toBe(4_000);
  });
});
