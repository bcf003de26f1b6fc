import { describe, expect, it } from "vitest";
import type { PageFields } from "../../../src/contract/scrape";
import { checkSession, toSession } from "../../../src/endpoints/shared/session";
import { AppError } from "../../../src/model/errors";
import {
  MAX_COOKIE_BYTES,
  MAX_COOKIE_PATH_BYTES,
  MAX_COOKIES_BYTES,
  MAX_REQUEST_HEADER_BYTES,
  MAX_REQUEST_HEADERS,
} from "../../../src/model/limits";

const URL_OF_PAGE = "https://www.example.co.uk/account";

/** Returns the path and the message of the error, or null if the session is valid. */
function findProblem(fields: PageFields, url = URL_OF_PAGE): { path: string | undefined; message: string } | null {
  try {
    checkSession(fields, url);
    return null;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    expect(error.code).toBe("invalid_request");
    return { path: error.details?.[0]?.path, message: error.message };
  }
}

const cookie = (more: object) => ({ cookies: [{ name: "session", value: "marked", ...more }] });

describe("headers", () => {
  it.each([
    ["Connection", "connection"],
    ["keep-alive", "connection"],
    ["Transfer-Encoding", "connection"],
    ["TE", "connection"],
    ["Trailer", "connection"],
    ["Upgrade", "connection"],
    ["Proxy-Authorization", "connection"],
    ["Content-Length", "connection"],
    ["Expect", "connection"],
    ["Host", "host of 'url'"],
    ["Forwarded", "misstate the origin"],
    ["X-Forwarded-For", "misstate the origin"],
    ["X-Real-IP", "misstate the origin"],
    ["Via", "misstate the origin"],
    ["CF-Connecting-IP", "network"],
    ["Sec-Fetch-Site", "browsers"],
    ["Accept-Encoding", "decodes"],
    ["Webhook-Signature", "webhooks"],
    ["Cookie", "use 'cookies'"],
    ["User-Agent", "use 'user_agent'"],
  ])("that belong to others are refused with the reason: %s", (name, reason) => {
    const problem = findProblem({ headers: { [name]: "marked" } });
    expect(problem?.path).toBe(`headers.${name}`);
    expect(problem?.message).toContain(reason);
    expect(problem?.message).not.toContain("marked");
  });

  it.each([
    ["a name with a space", { "X Key": "a" }, "headers.X Key"],
    ["an empty name", { "": "a" }, "headers."],
    ["a line break in the value", { "X-Key": "marked\r\nX-Other: 1" }, "headers.X-Key"],
    ["a value outside of ASCII", { "X-Key": "markedé" }, "headers.X-Key"],
    ["the same name twice", { "X-Key": "a", "x-key": "b" }, "headers.x-key"],
    ["a value from a job record", { "X-Key": "[redacted]" }, "headers.X-Key"],
    ["too many bytes", { "X-Key": "x".repeat(MAX_REQUEST_HEADER_BYTES) }, "headers"],
    [
      "too many headers",
      Object.fromEntries(Array.from({ length: MAX_REQUEST_HEADERS + 1 }, (_, i) => [`X-${i}`, ""])),
      "headers",
    ],
  ])("with %s are refused", (_, headers, path) => {
    const problem = findProblem({ headers });
    expect(problem?.path).toBe(path);
    expect(problem?.message).not.toContain("marked");
  });

  it("can't have an Authorization next to basic_auth", () => {
    const basic_auth = { username: "a", password: "b" };
    expect(findProblem({ headers: { authorization: "x" }, basic_auth })?.message).toContain("basic_auth");
    expect(findProblem({ headers: { authorization: "x" } })).toBeNull();
  });

  it.each(["X-Api-Key", "Accept", "Accept-Language", "Referer", "If-None-Match", "DNT"])("may have %s", (name) => {
    expect(findProblem({ headers: { [name]: 'value, with "quotes" and\ttab' } })).toBeNull();
  });
});

describe("cookies", () => {
  it.each([
    ["an empty name", { name: "" }, "name"],
    ["a name with '='", { name: "a=b" }, "name"],
    ["a name with a space", { name: "a b" }, "name"],
    ["a value with ';'", { value: "marked;b" }, "value"],
    ["a value with a line break", { value: "marked\n" }, "value"],
    ["a value outside of ASCII", { value: "markedü" }, "value"],
    ["a value from a job record", { value: "[redacted]" }, "value"],
    ["more bytes than browsers accept", { value: "x".repeat(MAX_COOKIE_BYTES) }, "value"],
    ["a relative path", { path: "account" }, "path"],
    ["a longer path than browsers accept", { path: `/${"x".repeat(MAX_COOKIE_PATH_BYTES)}` }, "path"],
    ["the domain of another site", { domain: "example.com" }, "domain"],
    ["a public suffix as the domain", { domain: "co.uk" }, "domain"],
    ["a domain that only ends like the site", { domain: "badexample.co.uk" }, "domain"],
    ["a domain with an empty part", { domain: "..example.co.uk" }, "domain"],
    ["the prefix __Secure- without secure", { name: "__Secure-a", secure: false }, "name"],
    ["the prefix __Host- with a domain", { name: "__Host-a", domain: "example.co.uk" }, "domain"],
    ["the prefix __Host- with a path", { name: "__Host-a", path: "/account" }, "path"],
  ])("with %s are refused", (_, more, field) => {
    const problem = findProblem(cookie(more));
    expect(problem?.path).toBe(`cookies.0.${field}`);
    expect(problem?.message).not.toContain("marked");
  });

  it("are named in the error", () => {
    expect(findProblem(cookie({ domain: "example.com" }))?.message).toBe(
      "The parameter 'cookies.0.domain' of the cookie 'session' must belong to the site of 'url': example.co.uk or one of its subdomains.",
    );
  });

  it.each([
    ["a secure cookie for an http URL", { secure: true }, "http://example.com/", "secure"],
    ["the prefix __Secure- for an http URL", { name: "__Secure-a" }, "http://example.com/", "name"],
    ["the prefix __Http- for an http URL", { name: "__Http-a" }, "http://example.com/", "name"],
    ["a domain for an IP address", { domain: "0.0.1" }, "http://192.0.2.1/", "domain"],
    [
      "the domain of another customer of a hosting service",
      { domain: "b.github.io" },
      "https://a.github.io/",
      "domain",
    ],
  ])("are refused: %s", (_, more, url, field) => {
    expect(findProblem(cookie(more), url)?.path).toBe(`cookies.0.${field}`);
  });

  it("with the same name, domain and path are refused, but not with another path", () => {
    const twice = (path: string) => ({
      cookies: [
        { name: "a", value: "1" },
        { name: "a", value: "2", path },
      ],
    });
    expect(findProblem(twice("/"))?.path).toBe("cookies.1.name");
    expect(findProblem(twice("/b"))).toBeNull();
  });

  it("have a maximum size together", () => {
    const value = "x".repeat(MAX_COOKIES_BYTES / 4);
    const cookies = ["a", "b", "c", "d"].map((name) => ({ name, value: value.slice(1) }));
    expect(findProblem({ cookies })?.path).toBe("cookies");
    expect(findProblem({ cookies: cookies.slice(1) })).toBeNull();
  });

  it.each([
    [{ domain: "example.co.uk" }],
    [{ domain: ".EXAMPLE.co.uk" }],
    [{ domain: "login.example.co.uk" }],
    [{ name: "__Host-a", path: "/", secure: true }],
    [{ value: '{"a":1,"b":"c d"}' }],
    [{ value: "" }],
  ])("may be %j", (more) => {
    expect(findProblem(cookie(more))).toBeNull();
  });
});

describe("the user agent and the password", () => {
  it("are refused if they can't be sent", () => {
    expect(findProblem({ user_agent: "a\nb" })?.path).toBe("user_agent");
    expect(findProblem({ basic_auth: { username: "a:b", password: "" } })?.path).toBe("basic_auth.username");
    expect(findProblem({ basic_auth: { username: "a", password: "marked\0" } })?.path).toBe("basic_auth.password");
  });
});

describe("the session of a request", () => {
  it("has the password as a header, and cookies with their defaults", () => {
    expect(
      toSession(
        {
          headers: { "X-Key": "a" },
          cookies: [
            { name: "a", value: "1" },
            { name: "b", value: "2", domain: ".Example.co.uk", path: "/x", secure: false },
          ],
          basic_auth: { username: "ü", password: "b:c" },
        },
        URL_OF_PAGE,
      ),
    ).toEqual({
      headers: { "X-Key": "a", authorization: "Basic w7w6Yjpj" },
      cookies: [
        { name: "a", value: "1", domain: null, path: "/", secure: true },
        { name: "b", value: "2", domain: "example.co.uk", path: "/x", secure: false },
      ],
      userAgent: null,
    });
  });

  it.each(["github.io", "192.0.2.1"])("has a cookie of the domain %s only for this host", (domain) => {
    const { cookies } = toSession({ cookies: [{ name: "a", value: "1", domain }] }, `https://${domain}/`) ?? {};
    expect(cookies).toMatchObject([{ domain: null }]);
  });

  it("is undefined if the request has none of the fields", () => {
    expect(toSession({}, URL_OF_PAGE)).toBeUndefined();
  });
});
