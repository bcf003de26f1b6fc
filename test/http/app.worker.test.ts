import { describe, expect, it } from "vitest";
import { createClient, read, request } from "../support/client";

const preflight = (path: string) =>
  request(path, {
    method: "OPTIONS",
    headers: { origin: "https://app.example", "access-control-request-method": "POST" },
  });
const listOf = (response: Response, name: string) =>
  (response.headers.get(name) ?? "").split(",").map((one) => one.trim());

describe("a page of another origin", () => {
  it.each([
    ["/v1/scrape", ["GET", "POST", "PUT", "PATCH", "DELETE"], ["Authorization", "Content-Type", "Idempotency-Key"]],
    ["/mcp", ["POST"], ["Authorization", "Content-Type", "Mcp-Protocol-Version", "Mcp-Session-Id", "Last-Event-ID"]],
  ])("may call %s with these methods and headers, without a key in the preflight", async (path, methods, headers) => {
    const response = await preflight(path);
    expect([response.status, response.headers.get("access-control-allow-origin")]).toEqual([204, "*"]);
    expect(listOf(response, "access-control-allow-methods")).toEqual(methods);
    expect(listOf(response, "access-control-allow-headers")).toEqual(headers);
    expect(response.headers.get("access-control-max-age")).toBe("86400");
    expect(response.headers.has("access-control-allow-credentials")).toBe(false);
  });

  it("may read the headers of results and errors", async () => {
    const { call } = await createClient();
    for (const response of [await call("GET", "/v1/jobs"), await call("GET", "/v1/nope"), await request("/v1/jobs")]) {
      expect(response.headers.get("access-control-allow-origin")).toBe("*");
      expect(listOf(response, "access-control-expose-headers")).toEqual([
        ...["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"],
        ...["Location", "Retry-After", "X-Cancelled-Jobs", "X-Request-Id", "WWW-Authenticate"],
      ]);
    }
  });

  it("can't read other paths, such as the dashboard", async () => {
    for (const path of ["/", "/health", "/dashboard/sign-in"])
      expect((await request(path)).headers.has("access-control-allow-origin")).toBe(false);
  });
});

describe("a response", () => {
  it("has its own request id, even if the caller sends one", async () => {
    const ids = [];
    for (const path of ["/health", "/health", "/v1/jobs"])
      ids.push((await request(path, { headers: { "x-request-id": "own" } })).headers.get("x-request-id"));
    for (const id of ids) expect(id).toMatch(/^[0-9a-f-]{36}$/);
    expect(new Set(ids).size).toBe(3);
  });

  it("with an error has the request id of the header in its body", async () => {
    for (const path of ["/v1/jobs", "/nowhere", "/admin/v1/nowhere", "/screenshots/1"]) {
      const response = await request(path);
      expect((await read(response)).error.request_id, path).toBe(response.headers.get("x-request-id"));
    }
  });

  it("under /v1 isn't cached, whether it is a result or an error", async () => {
    const { call } = await createClient();
    for (const response of [await call("GET", "/v1/jobs"), await call("GET", "/v1/nope"), await request("/v1/usage")])
      expect(response.headers.get("cache-control")).toBe("no-store");
  });

  it("has the headers that protect browsers, and none that they don't need", async () => {
    const { headers } = await request("/health");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("x-frame-options")).toBe("SAMEORIGIN");
    expect(headers.get("referrer-policy")).toBe("no-referrer");
    expect(headers.get("strict-transport-security")).toMatch(/^max-age=\d{8}/);
    for (const name of ["origin-agent-cluster", "x-dns-prefetch-control", "x-download-options", "x-xss-protection"])
      expect(headers.has(name)).toBe(false);
  });
});

describe("an unknown request", () => {
  const errorOf = async (method: string, path: string) => {
    const { call } = await createClient();
    const response = await call(method, path);
    const { code, message } = (await read(response)).error;
    return [response.status, code, message, response.headers.get("allow")];
  };

  it.each([
    ["DELETE", "/v1/scrape", "POST", "POST"],
    ["PUT", "/v1/jobs/1", "GET, HEAD or DELETE", "GET, HEAD, DELETE"],
    ["PATCH", "/v1/webhooks", "GET, HEAD or PUT", "GET, HEAD, PUT"],
    ["POST", "/v1/keys/1", "PATCH or DELETE", "PATCH, DELETE"],
  ])("with the method %s of %s is told to use %s", async (method, path, use, allow) => {
    const message = `The method ${method} is not allowed for this path. Use ${use}.`;
    expect(await errorOf(method, path)).toEqual([405, "method_not_allowed", message, allow]);
  });

  it.each(["/v1/nope", "/v1/jobs/1/2", "/xv1/scrape", "/health/x"])(
    "of the path %s gets 404 with the path",
    async (path) => {
      for (const method of ["GET", "PATCH"])
        expect(await errorOf(method, path)).toEqual([404, "not_found", `The path '${path}' doesn't exist.`, null]);
    },
  );

  it("of a path that is similar to another one gets 404 with the other path", async () => {
    expect((await errorOf("POST", "/v1/scrapes"))[2]).toMatch(/ Did you mean POST \/v1\/scrape\?$/);
    expect((await errorOf("GET", "/scrape/"))[2]).toMatch(/ Did you mean POST \/v1\/scrape\?$/);
  });

  it("of a path with a secret doesn't repeat the secret", async () => {
    const [, , message] = await errorOf("GET", "/v1/sk_live_abcdefgh");
    expect(message).toBe("The path '/v1/sk_live_…' doesn't exist.");
  });
});
