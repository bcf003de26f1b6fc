import { describe, expect, it } from "vitest";
import { createClient, request } from "../support/client";

describe("every response", () => {
  it("has a request id and no message of an unexpected error", async () => {
    const { call } = await createClient();
    for (const response of [await call("GET", "/v1/jobs"), await request("/"), await request("/v1/jobs")]) {
      expect(response.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
      expect(response.headers.get("x-content-type-options")).toBe("nosniff");
    }
  });

  it("distinguishes an unknown path from an unsupported method", async () => {
    const { call } = await createClient();
    expect((await call("GET", "/v1/nope")).status).toBe(404);
    for (const [method, path, allow] of [
      ["DELETE", "/v1/scrape", "POST"],
      ["POST", "/v1/jobs", "GET, HEAD"],
      ["PUT", "/v1/jobs/x", "GET, HEAD, DELETE"],
    ] as const) {
      const response = await call(method, path);
      expect([response.status, response.headers.get("allow")]).toEqual([405, allow]);
    }
  });

  it("can be read by pages of any origin, and preflights don't require a key", async () => {
    const { call } = await createClient();
    const response = await call("GET", "/v1/jobs", undefined, { headers: { origin: "https://app.example" } });
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
    expect(response.headers.get("access-control-expose-headers")).toContain("Location");
    const preflight = await request("/v1/scrape", {
      method: "OPTIONS",
      headers: {
        origin: "https://app.example",
        "access-control-request-method": "POST",
        "access-control-request-headers": "authorization",
      },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get("access-control-allow-headers")).toMatch(/authorization/i);
  });
});
