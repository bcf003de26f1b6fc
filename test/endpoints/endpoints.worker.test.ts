import { describe, expect, it } from "vitest";
import { ENDPOINTS, toPrice } from "../../src/endpoints/endpoints";
import { FETCH_ERROR_CODES } from "../../src/endpoints/shared/definition";
import type { Endpoint } from "../../src/model/endpoint";
import { toPrices } from "../../src/model/prices";
import { page, querySite } from "../support/client";
import { run, runFailing } from "../support/run-endpoint";

describe("the price", () => {
  it.each<[Endpoint, boolean, number]>([
    ["scrape", false, 1],
    ["scrape", true, 2],
    ["parse", false, 5],
    ["parse", true, 5],
    ["serp", false, 2],
    ["serp", true, 2],
    ["map", false, 1],
    ["map", true, 1],
  ])("of %s is the documented one (rendered: %s)", (endpoint, rendered, credits) => {
    expect(toPrice(toPrices({}), endpoint, rendered)).toBe(credits);
    expect(ENDPOINTS[endpoint].describePrice(toPrices({}))).toContain(`${credits} credit`);
  });
});

describe("the definition of each endpoint", () => {
  it("lists the errors that its runs can have", () => {
    expect(FETCH_ERROR_CODES).toEqual(
      expect.arrayContaining([
        ...["dns_failure", "connection_failed", "tls_failure", "target_http_error", "too_many_redirects"],
        ...["payment_required", "blocked_by_target"],
      ]),
    );
    const { scrape, parse, serp } = ENDPOINTS;
    for (const { errorCodes } of [scrape, parse, serp]) {
      expect(errorCodes[502]).toEqual(expect.arrayContaining([...FETCH_ERROR_CODES]));
      expect(errorCodes[422]).toEqual(
        expect.arrayContaining(["invalid_target", "unsupported_content", "target_too_large"]),
      );
      expect(errorCodes[500]).toContain("render_failed");
    }
    expect(scrape.errorCodes[400]).toEqual(["invalid_target", "proxy_unavailable"]);
    expect(scrape.errorCodes[422]).toContain("selector_not_found");
    expect(scrape.errorCodes[502]).toContain("proxy_unavailable");
    expect(parse.errorCodes[400]).toEqual(["invalid_target", "proxy_unavailable"]);
    expect(parse.errorCodes[422]).toEqual(expect.arrayContaining(["schema_mismatch", "model_refused"]));
    expect(parse.errorCodes[502]).toContain("model_failed");
    expect(serp.errorCodes[502]).toEqual(expect.arrayContaining(["proxy_unavailable", "serp_unavailable"]));
  });
});

describe("a job of a test key", () => {
  it("never fetches its page", async () => {
    const url = page("article");
    const { data } = await run("scrape", { url }, { mode: "test" });
    expect(data.markdown).toContain("Mock page of 127.0.0.1");
    expect(await querySite("hits", url)).toBe(0);
  });

  it.each([
    ["scrape", { url: "https://blocked.test/" }, { code: "blocked_by_target", retryable: true }],
    ["scrape", { url: "https://dns.test/" }, { code: "dns_failure", retryable: true }],
    ["scrape", { url: "https://http-404.test/" }, { code: "target_http_error", retryable: false }],
    [
      "scrape",
      { url: "https://http-402.test/" },
      { code: "payment_required", retryable: false, details: [{ path: "crawler-price", message: "USD 0.01" }] },
    ],
    ["scrape", { url: "https://http-500.test/" }, { code: "target_http_error", retryable: true }],
    ["parse", { url: "https://timeout.test/", prompt: "x" }, { code: "target_timeout", retryable: true }],
    ["map", { url: "https://blocked.test/" }, { code: "blocked_by_target", retryable: true }],
    ["serp", { query: "blocked" }, { code: "blocked_by_target", retryable: true }],
  ] as const)("fails as its target says: %s %j", async (endpoint, request, error) => {
    expect(await runFailing(endpoint, request, { mode: "test" })).toMatchObject(error);
  });

  it.each([
    ["scrape", { url: "https://large.test/" }],
    ["parse", { url: "https://large.test/", prompt: "x" }],
    ["serp", { query: "large" }],
    ["map", { url: "https://large.test/" }],
  ] as const)("has a result of more than 1 MB if its target says so: %s", async (endpoint, request) => {
    expect(JSON.stringify((await run(endpoint, request, { mode: "test" })).data).length).toBeGreaterThan(1_048_576);
    const small = endpoint === "serp" ? { query: "x" } : { ...request, url: "https://example.com/" };
    expect(JSON.stringify((await run(endpoint, small, { mode: "test" })).data).length).toBeLessThan(50_000);
  });

  it("waits for a slow target, and stops when the run is aborted", async () => {
    const slow = { url: "https://slow-60.test/" };
    const signal = AbortSignal.abort(new Error("the run is over"));
    await expect(run("scrape", slow, { mode: "test", signal })).rejects.toThrow("the run is over");
    expect(
      (await run("scrape", { url: "https://slow-0.test/" }, { mode: "test", signal: new AbortController().signal }))
        .data,
    ).toHaveProperty("markdown");
  });
});
