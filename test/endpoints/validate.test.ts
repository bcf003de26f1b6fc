import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { type ValidatedRequest, validateBody } from "../../src/endpoints/validate";
import type { Mode } from "../../src/model/api-key";
import type { Endpoint } from "../../src/model/endpoint";
import { AppError } from "../../src/model/errors";
import { createClient, forbidden, ORIGIN, read } from "../support/client";

const contextOf = (mode: Mode) => ({ env, mode, origin: ORIGIN });

/** Returns the error of `validateBody` in the format of an error response, or null if the body is valid. */
function refusal(endpoint: Endpoint, body: unknown, mode: Mode) {
  try {
    validateBody(endpoint, body, contextOf(mode));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { status, code, message, retryable, details } = error;
    return { status, error: { code, message, retryable, ...(details === undefined ? {} : { details }) } };
  }
  return null;
}

const html = "<p>x</p>";

describe("a request with several errors", () => {
  const webhook_url = "https://10.0.0.1/";

  it.each<[string, Endpoint, Record<string, unknown>]>([
    ["scrape", "scrape", { url: forbidden, webhook_url, proxy_country: "BR" }],
    ["parse", "parse", { url: forbidden, webhook_url, prompt: "x", model: "none" }],
  ])("is refused for its target first, its webhook second, and other parameters last: %s", (_, endpoint, body) => {
    expect(refusal(endpoint, body, "live")?.error.code).toBe("invalid_target");
    const { error } = refusal(endpoint, { ...body, url: "https://example.com/" }, "live") ?? {};
    expect(error).toMatchObject({ code: "invalid_request", details: [{ path: "webhook_url" }] });
  });
});

describe("a body of any kind", () => {
  it.each<[string, Endpoint, Mode, unknown]>([
    ["not an object", "scrape", "live", ["https://example.com"]],
    ["an empty object", "scrape", "live", {}],
    ["unknown parameters", "scrape", "live", { url: "https://example.com", colour: "red", size: 1 }],
    ["an unsupported format", "scrape", "live", { url: "https://example.com", formats: ["pdf"] }],
    ["a wrong type", "scrape", "live", { url: 7 }],
    ["a forbidden target", "scrape", "live", { url: forbidden }],
    ["an invalid selector", "scrape", "live", { url: "https://example.com", exclude_selectors: ["p", "a["] }],
    ["a country without a proxy", "scrape", "live", { url: "https://example.com", proxy_country: "BR" }],
    ["a private webhook", "scrape", "live", { url: "https://example.com", webhook_url: "https://10.0.0.1/" }],
    ["both url and html", "parse", "live", { url: "https://example.com", html, prompt: "x" }],
    ["an invalid schema", "parse", "live", { html, prompt: "x", schema: { type: "thing" } }],
    ["an unknown model", "parse", "test", { html, prompt: "x", model: "none" }],
    ["an unknown location", "serp", "live", { query: "x", location: "Atlantis" }],
    ["too many results", "serp", "live", { query: "x", num_results: 1_000 }],
    ["a simulated lack of credits", "scrape", "test", { url: "https://out-of-credits.test/", js_render: true }],
    ["a simulated rate limit", "serp", "test", { query: "rate-limited" }],
  ])("gets the same error as from the route: %s", async (_, endpoint, mode, body) => {
    const client = await createClient({ mode });
    const response = await client.call("POST", `/v1/${endpoint}`, body);
    const { error } = await read(response);
    expect(response.status).toBeGreaterThanOrEqual(400);
    expect(refusal(endpoint, body, mode)).toEqual({ status: response.status, error });
  });

  it.each<[Endpoint, Mode, unknown, Partial<ValidatedRequest>]>([
    [
      "scrape",
      "live",
      { url: "https://example.com", formats: ["text", "text"], webhook_url: "https://hooks.example.org" },
      {
        rendered: false,
        request: {
          url: "https://example.com",
          formats: ["text"],
          js_render: false,
          only_main_content: true,
          webhook_url: "https://hooks.example.org/",
        },
      },
    ],
    ["scrape", "live", { url: "https://example.com", wait_for: "#price" }, { rendered: true }],
    ["parse", "live", { html, prompt: " price " }, { rendered: false, request: { html, prompt: "price" } }],
    ["serp", "live", { query: "x", engine: "google" }, { rendered: true }],
    ["serp", "live", { query: "x", engine: "bing" }, { rendered: false }],
    ["serp", "test", { query: "x", engine: "google" }, { rendered: false }],
  ])("gets the default values: %s, %s", (endpoint, mode, body, expected) => {
    expect(validateBody(endpoint, body, contextOf(mode))).toMatchObject({ endpoint, ...expected });
  });
});
