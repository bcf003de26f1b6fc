import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { insufficientCredits, type ValidatedRequest, validateBody } from "../../src/endpoints/validate";
import type { Mode } from "../../src/model/api-key";
import type { Endpoint } from "../../src/model/endpoint";
import { AppError } from "../../src/model/errors";
import { toPrices } from "../../src/model/prices";
import { createClient, forbidden, ORIGIN, read } from "../support/client";

const contextOf = (mode: Mode) => ({ env, mode, origin: ORIGIN, prices: toPrices(env) });

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
const BASE = { item: "scrape", credits: 1 };
const RENDERING = { item: "rendering", credits: 1 };

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
    ["an unsupported format", "scrape", "live", { url: "https://example.com", formats: ["docx"] }],
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
    const { doc_url, request_id, hint: _hint, ...error } = (await read(response)).error;
    expect(response.status).toBeGreaterThanOrEqual(400);
    expect(request_id).toBe(response.headers.get("x-request-id"));
    expect(doc_url).toBe(`${ORIGIN}/docs/errors#${error.code}`);
    expect(refusal(endpoint, body, mode)).toEqual({ status: response.status, error });
  });

  const url = "https://example.com/";
  it.each<[string, Endpoint, Mode, unknown, number, string, string[]]>([
    ["a forbidden target", "scrape", "live", { url: forbidden }, 400, "invalid_target", ["url"]],
    ["a target of the service", "parse", "live", { url: ORIGIN, prompt: "x" }, 400, "invalid_target", ["url"]],
    ["wait_for", "scrape", "live", { url, wait_for: "p[" }, 400, "invalid_request", ["wait_for"]],
    [
      "a selector",
      "scrape",
      "test",
      { url, include_selectors: ["p", "a["] },
      400,
      "invalid_request",
      ["include_selectors.1"],
    ],
    ["excludes", "scrape", "live", { url, exclude_selectors: ["a["] }, 400, "invalid_request", ["exclude_selectors.0"]],
    ["no proxy", "scrape", "live", { url, proxy_country: "BR" }, 400, "proxy_unavailable", ["proxy_country"]],
    ["a webhook", "scrape", "test", { url, webhook_url: "https://10.0.0.1/" }, 400, "invalid_request", ["webhook_url"]],
    [
      "a schema",
      "parse",
      "test",
      { html, prompt: "x", schema: { type: "array" } },
      400,
      "invalid_request",
      ["schema.type"],
    ],
    ["a model", "parse", "live", { html, prompt: "x", model: "none" }, 400, "invalid_request", ["model"]],
    ["a model of a test", "parse", "test", { html, prompt: "x", model: "none" }, 400, "invalid_request", ["model"]],
    ["a location", "serp", "test", { query: "x", location: "Atlantis" }, 400, "invalid_request", ["location"]],
    ["no credits", "scrape", "test", { url: "https://out-of-credits.test" }, 402, "insufficient_credits", []],
    ["a rate limit", "parse", "test", { url: "https://rate-limited.test", prompt: "x" }, 429, "rate_limited", []],
  ])("is refused with the path of the wrong parameter: %s", (_, endpoint, mode, body, status, code, paths) => {
    const refused = refusal(endpoint, body, mode);
    expect([refused?.status, refused?.error.code]).toEqual([status, code]);
    expect((refused?.error.details ?? []).map(({ path }) => path)).toEqual(paths);
  });

  it.each([
    ["USA", "US"],
    ["uk", "GB"],
    ["Germany", "DE"],
    ["Turkye", "TR"],
    ["CHE", "CH"],
    ["XX", null],
    ["Atlantis", null],
    ["", null],
  ])("is refused with the code of the country that is probably meant: %s", (country, code) => {
    const message = refusal("scrape", { url, proxy_country: country }, "live")?.error.message ?? "";
    expect(message).toMatch(/^The parameter 'proxy_country' must be an ISO 3166-1 alpha-2 country code/);
    expect(/Did you mean '(.+)'\?$/.exec(message)?.[1] ?? null).toBe(code);
  });

  it.each([
    ["http://localhost:3000/", "localhost is a loopback name.", "ALLOWED_PRIVATE_HOSTS:localhost:3000."],
    ["https://169.254.1.1/a", "169.254.1.1 is a link-local address.", "ALLOWED_PRIVATE_HOSTS:169.254.1.1:443."],
    [ORIGIN, null, "Use a public http or https URL."],
    [
      "https://blocked.test/",
      "blocked.test is a name reserved for tests.",
      "Send the request with a test key (sk_test_…).",
    ],
  ])("is refused with the reason and the next step if the target isn't public: %s", (target, reason, end) => {
    const context = { ...contextOf("live"), env: { ...env, LOCAL_RECEIVERS: [] } as unknown as Env };
    let refused: unknown;
    try {
      validateBody("scrape", { url: target }, context);
    } catch (error) {
      refused = error;
    }
    if (!(refused instanceof AppError)) throw new Error("The request was accepted.");
    expect(refused.message).toMatch(/^The parameter 'url' must be a public URL: /);
    if (reason !== null) expect(refused.message).toContain(reason);
    expect(refused.hint?.endsWith(end)).toBe(true);
    expect(refused.hint?.includes("npm start")).toBe(end.startsWith("ALLOWED"));
  });

  it("is refused with the selector and the problem", () => {
    expect(refusal("scrape", { url, wait_for: "div[[" }, "live")?.error.message).toBe(
      "The parameter 'wait_for' must be a CSS selector, not 'div[[': expected a name, not '[' (character 5).",
    );
    expect(refusal("scrape", { url, exclude_selectors: ["p", "a:foo"] }, "test")?.error.details).toEqual([
      {
        path: "exclude_selectors.1",
        message: "must be a CSS selector, not 'a:foo': unknown pseudo-class :foo",
      },
    ]);
  });

  it("is refused with the price and the delay that a test simulates", () => {
    const target = { url: "https://out-of-credits.test", formats: ["text"] };
    expect(refusal("scrape", target, "test")?.error.message).toBe("This request costs 1 credit; the balance is 0.");
    const rendered = refusal("scrape", { ...target, js_render: true }, "test");
    expect(rendered?.error.message).toBe("This request costs 2 credits; the balance is 0.");
    expect(refusal("serp", { query: "out-of-credits" }, "test")?.error.message).toContain("costs 2 credits");
    expect(insufficientCredits(7, 3).message).toBe("This request costs 7 credits; the balance is 3.");
    try {
      validateBody("serp", { query: "rate-limited" }, contextOf("test"));
      expect.unreachable();
    } catch (error) {
      expect(error).toMatchObject({ code: "rate_limited", headers: { "Retry-After": "60" } });
    }
  });

  it.each<[string, Endpoint, Mode, unknown]>([
    ["targets that it never fetches", "scrape", "test", { url: forbidden }],
    ["countries without a proxy", "scrape", "test", { url, proxy_country: "BR" }],
    ["a country with a proxy", "scrape", "live", { url, proxy_country: "TR" }],
    ["any known model", "parse", "test", { html, prompt: "x", model: "claude-haiku-4-5" }],
    ["a target that simulates an error of a run", "scrape", "test", { url: "https://blocked.test" }],
    ["the name of a simulated error with a live key", "serp", "live", { query: "rate-limited" }],
    ["selectors that only a browser knows", "scrape", "live", { url, wait_for: "p:hover" }],
    ["a known location", "serp", "live", { query: "x", location: "Istanbul, Turkey" }],
  ])("is accepted with %s", (_, endpoint, mode, body) => {
    expect(refusal(endpoint, body, mode)).toBeNull();
  });

  it("needs a configured model with a live key, but not with a test key", () => {
    const context = { ...contextOf("live"), env: { ...env, OPENAI_API_KEY: "", ANTHROPIC_API_KEY: "" } as Env };
    expect(() => validateBody("parse", { html, prompt: "x" }, context)).toThrow(
      expect.objectContaining({ code: "not_configured", status: 503, retryable: false }),
    );
    expect(validateBody("parse", { html, prompt: "x" }, { ...context, mode: "test" }).rendered).toBe(false);
  });

  it.each<[Endpoint, Mode, unknown, Partial<ValidatedRequest>]>([
    [
      "scrape",
      "live",
      { url: "https://example.com", js_render: true },
      { rendered: true, plan: { method: "browser", lines: [BASE, RENDERING] } },
    ],
    [
      "scrape",
      "live",
      { url: "https://example.com", render: "auto" },
      { rendered: false, plan: { method: "plain_then_browser", lines: [BASE, RENDERING] } },
    ],
    [
      "scrape",
      "live",
      { url: "https://example.com", render: "never" },
      { rendered: false, plan: { method: "plain", lines: [BASE] } },
    ],
    [
      "scrape",
      "live",
      { url: "https://example.com", render: "auto", wait_for: "p" },
      { rendered: true, plan: { method: "browser", lines: [BASE, RENDERING] } },
    ],
    ["scrape", "test", { url: "https://example.com", formats: ["screenshot"] }, { rendered: true }],
    ["scrape", "live", { url: "https://example.com", formats: ["html", "links"] }, { rendered: false }],
    [
      "scrape",
      "live",
      { url: "https://example.com", formats: ["text", "text"], webhook_url: "https://hooks.example.org" },
      {
        rendered: false,
        request: {
          url: "https://example.com",
          formats: ["text"],
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
