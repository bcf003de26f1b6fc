import { describe, expect, it } from "vitest";
import { joinSecrets, maybeSecret, splitSecrets } from "../../src/contract/secret-fields";

const REQUEST = {
  url: "https://example.com/",
  headers: JSON.parse('{"X-Api-Key":"key-1","__proto__":"key-2"}'),
  cookies: [
    { name: "session", value: "cookie-1", path: "/" },
    { name: "theme", value: "cookie-2" },
  ],
  basic_auth: { username: "user-1", password: "password-1" },
  actions: [
    { type: "click", selector: "#login", text: "not a secret" },
    { type: "type", selector: "#password", text: "typed-1" },
  ],
};

describe("the secrets of a request", () => {
  it("are replaced in the shown request, and nothing else is changed", () => {
    const { shown, secrets } = splitSecrets(REQUEST);
    expect(shown).toEqual({
      url: "https://example.com/",
      headers: JSON.parse('{"X-Api-Key":"[redacted]","__proto__":"[redacted]"}'),
      cookies: [
        { name: "session", value: "[redacted]", path: "/" },
        { name: "theme", value: "[redacted]" },
      ],
      basic_auth: { username: "[redacted]", password: "[redacted]" },
      actions: [
        { type: "click", selector: "#login", text: "not a secret" },
        { type: "type", selector: "#password", text: "[redacted]" },
      ],
    });
    expect(JSON.stringify(shown)).not.toMatch(/(?:key|cookie|user|password|typed)-\d/);
    expect(secrets).toMatch(/key-1.*cookie-2.*password-1.*typed-1/);
  });

  it("can be restored after both parts were stored as JSON", () => {
    const { shown, secrets } = splitSecrets(REQUEST);
    expect(joinSecrets(JSON.parse(JSON.stringify(shown)), secrets ?? "")).toEqual(JSON.parse(JSON.stringify(REQUEST)));
  });

  it("include the values of cookies that are given as a map", () => {
    expect(splitSecrets({ cookies: { session: "cookie-1" } }).shown).toEqual({ cookies: { session: "[redacted]" } });
  });

  it("are null if there are none, and the request isn't copied", () => {
    const request = { url: "https://example.com/", actions: [{ type: "click", selector: "#a" }] };
    expect(splitSecrets(request)).toEqual({ shown: request, secrets: null });
    expect(splitSecrets(request).shown).toBe(request);
  });

  it.each([
    [["headers"], true],
    [["headers", "X-Api-Key"], true],
    [["cookies", 0], true],
    [["cookies", 0, "value"], true],
    [["cookies", 0, "value", "text"], true],
    [["basic_auth"], true],
    [["actions", 1, "text"], true],
    [["actions", 1, "selector"], false],
    [["actions"], false],
    [["url"], false],
    [[], false],
  ])("aren't quoted in errors about %j: %s", (path, expected) => {
    expect(maybeSecret(path)).toBe(expected);
  });

  it("aren't changed in the given request", () => {
    const request = { headers: { "X-Api-Key": "key-1" } };
    splitSecrets(request);
    expect(request.headers).toEqual({ "X-Api-Key": "key-1" });
  });
});
