import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { validateBody } from "../../src/endpoints/validate";
import type { Endpoint } from "../../src/model/endpoint";
import { toPrices } from "../../src/model/prices";
import { ORIGIN, page } from "../support/client";
import { run } from "../support/run-endpoint";

const url = "https://example.com/";
const html = "<p>x</p>";
const context = { env, mode: "live" as const, origin: ORIGIN, prices: toPrices(env) };
const shell =
  '<title>Shop</title><body><noscript>You need to enable JavaScript to run this app.</noscript><div id="root"></div><script>0</script>';

describe("max_credits", () => {
  it.each<[Endpoint, Record<string, unknown>, string]>([
    ["scrape", { url, render: "auto", max_credits: 2 }, "plain_then_browser"],
    ["scrape", { url, render: "auto", max_credits: 1 }, "plain"],
    ["scrape", { url, max_credits: 1 }, "plain"],
    ["scrape", { url, render: "always", max_credits: 2 }, "browser"],
    ["parse", { url, prompt: "x", max_credits: 5 }, "plain_then_browser"],
    ["parse", { html, prompt: "x", max_credits: 100 }, "given_html"],
    ["serp", { query: "x", engine: "google", max_credits: 2 }, "browser"],
    ["serp", { query: "x", engine: "bing", max_credits: 2 }, "plain_then_browser"],
  ])("chooses a method that costs no more: %s %j uses %s", (endpoint, body, method) => {
    const { plan } = validateBody(endpoint, body, context);
    expect(plan.method).toBe(method);
    expect(plan.lines.reduce((sum, { credits }) => sum + credits, 0)).toBeLessThanOrEqual(Number(body.max_credits));
  });

  it.each<[Endpoint, Record<string, unknown>, number, string, string]>([
    ["scrape", { url, max_credits: 0 }, 1, "costs 1 credit (scrape 1)", "Set max_credits to 1 or more."],
    ["scrape", { url, render: "auto", max_credits: 0 }, 1, "costs at least 1 credit", "Set max_credits to 1 or more."],
    [
      "scrape",
      { url, formats: ["screenshot"], max_credits: 1 },
      2,
      "costs 2 credits (scrape 1, rendering 1), which is more than 'max_credits' (1)",
      "Set max_credits to 2 or more, or omit the options that need a browser, such as wait_for and screenshot.",
    ],
    ["parse", { url, prompt: "x", max_credits: 4 }, 5, "costs 5 credits (parse 5)", "Set max_credits to 5 or more."],
    ["serp", { query: "x", max_credits: 1 }, 2, "costs 2 credits (serp 2)", "Set max_credits to 2 or more."],
  ])("refuses a request if every method costs more: %s %j", (endpoint, body, price, message, hint) => {
    expect(() => validateBody(endpoint, body, context)).toThrow(
      expect.objectContaining({
        ...{ code: "price_limit", status: 402, message: expect.stringContaining(message), hint },
        details: [{ path: "max_credits", message: `must be at least ${price} for this request` }],
      }),
    );
  });

  it.each([-1, 1.5, "2", null])("must be a whole number of credits: %j", (max_credits) => {
    expect(() => validateBody("scrape", { url, max_credits }, context)).toThrow(
      expect.objectContaining({ code: "invalid_request", details: [expect.objectContaining({ path: "max_credits" })] }),
    );
  });

  it("keeps a page plain that would need rendering, and says so", async () => {
    const target = `${page("type")}?${new URLSearchParams({ type: "text/html", body: shell })}`;
    const { outcome, lines, extras, isFree } = await run("scrape", { url: target, render: "auto", max_credits: 1 });
    expect({ outcome, lines, isFree }).toEqual({
      outcome: "needs_rendering",
      lines: [{ item: "scrape", credits: 1 }],
      isFree: true,
    });
    expect(extras).toMatchObject({
      rendered: false,
      outcome_reason: expect.stringMatching(
        /^.*\. The page wasn't rendered, because rendering costs 2 credits and 'max_credits' is 1\.$/,
      ),
    });
  });
});
