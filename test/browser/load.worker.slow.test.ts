import { afterAll, beforeAll, describe, inject, it, vi } from "vitest";
import {
  LOAD_MAX_MS,
  LOAD_TICK_MS,
  OTHER_SITES_LOAD_MS,
  OWN_PARSE_MAX_MS,
  WAIT_FOR_TIMEOUT_MS,
} from "../../src/model/page-limits";
import { createClient, page, querySite, read } from "../support/client";
import { RESOURCE_KINDS } from "../support/site/hanging";

/**
 * The time limits of a render (ms), each mapped to a shorter limit for the tests. A shorter tick also shortens the
 * limits for the page's own site (to 2 seconds) and for other sites (to 1 second). The scripts that a page waits for end
 * several seconds before the limits, so that they also end in time on a slow machine.
 */
const SHORT_LIMITS = new Map<number, number>([
  [LOAD_TICK_MS, 50],
  [LOAD_MAX_MS, 10_000],
  [OWN_PARSE_MAX_MS, 16_000],
  [OTHER_SITES_LOAD_MS, 1_000],
  [WAIT_FOR_TIMEOUT_MS, 8_000],
]);
/** Returns the URL of the test site with another host name, which makes it another site. */
const onOtherSite = (url: string) => url.replace("//127.0.0.1:", "//localhost:");

beforeAll(() => {
  const createTimeout = AbortSignal.timeout.bind(AbortSignal);
  vi.spyOn(AbortSignal, "timeout").mockImplementation((ms) => createTimeout(SHORT_LIMITS.get(ms) ?? ms));
});

afterAll(() => vi.restoreAllMocks());

/** Scrapes a page in the browser. Returns its HTML, `meta` and error. */
async function scrape(url: string, more: object = {}) {
  const { data, meta, error } = await read(
    await (await createClient()).scrape({ url, js_render: true, formats: ["html"], ...more }),
  );
  return { html: data?.html ?? "", meta, error };
}

/** Returns the URL of a page with resources. Each resource has a kind and a URL. */
function withResources(resources: [kind: string, at: string][], script?: string): string {
  const query = new URLSearchParams(
    resources.flatMap(([kind, at]) => [
      ["kind", kind],
      ["at", at],
    ]),
  );
  if (script !== undefined) query.set("script", script);
  return `${page("with-resources")}?${query}`;
}

describe.concurrent.each([
  ["another site", onOtherSite(page("never"))],
  ["the page's own site", page("never")],
])("a resource of %s that never responds", (_, at) => {
  it.for(RESOURCE_KINDS)("doesn't prevent the result: %s", async (kind, { expect }) => {
    const url = withResources([[kind, at]]);
    // Images are only loaded for screenshots. A style sheet must not prevent the screenshot.
    const formats = kind === "image" || kind.startsWith("stylesheet") ? ["html", "screenshot"] : ["html"];
    const { html, meta } = await scrape(url, { formats });
    expect(html).toContain("A script added this line.</p>");
    // The charset of the page is known from its markup, not from its header.
    expect(html).toContain("Прилив");
    expect(html).toContain("The page ends here.");
    // The browser reports `load` without waiting for calls.
    expect(meta.partial_load).toBe(kind === "fetch" ? undefined : true);
    // If the page was reloaded, its document was not requested again.
    expect(await querySite("hits", url)).toBe(1);
  });
});

const ASYNC: [string, string] = ["async script", onOtherSite(page("never"))];

describe.concurrent("a page with a resource of another site that never responds", () => {
  it("isn't allowed to request that site again", async ({ expect }) => {
    const [first, second] = [onOtherSite(page("never")), onOtherSite(page("never"))];
    const add = `document.head.append(Object.assign(document.createElement("script"), { src: ${JSON.stringify(second)} }))`;
    const { html } = await scrape(withResources([["blocking script", first]], add));
    expect(html).toContain("The page ends here.");
    expect([await querySite("hits", first), await querySite("hits", second)]).toEqual([1, 0]);
  });

  it("loads the other resources of that site if it has responded before", async ({ expect }) => {
    const { html, meta } = await scrape(
      withResources([
        ["deferred script", onOtherSite(page("slow-script?ms=0"))],
        ["blocking script", onOtherSite(page("never"))],
      ]),
    );
    expect(html).toContain("The slow script added this line.</p>");
    expect(meta.partial_load).toBe(true);
  });

  it("is reloaded again if it then waits for another site that never responds", async ({ expect }) => {
    const write = `document.write('<script src="${inject("hostile")}/x/never"><\\/script>')`;
    const url = withResources([["blocking script", onOtherSite(page("never"))]], write);
    expect((await scrape(url)).html).toContain("The page ends here.");
    expect(await querySite("hits", url)).toBe(1);
  });

  it("is reloaded for each of several resources that its scripts add one after another", async ({ expect }) => {
    const dead = [1, 2, 3, 4].map(() => onOtherSite(page("never")));
    const writes = dead.map((at) => `document.write('<script src="${at}"><\\/script>')`).join("</script><script>");
    // The site has responded, so that only the URL of each resource is blocked.
    const url = withResources([["blocking script", onOtherSite(page("slow-script?ms=0"))]], writes);
    const { html, meta } = await scrape(url);
    expect(html).toContain("The page ends here.");
    expect(meta.partial_load).toBe(true);
    expect(await querySite("hits", url)).toBe(1);
  });

  it("is read when its element appears, even after the limit for the load", async ({ expect }) => {
    const script = `setTimeout(() => document.body.insertAdjacentHTML("beforeend", "<p id=late>Late.</p>"), 2000)`;
    const { html, meta } = await scrape(withResources([ASYNC], script), { wait_for: "#late" });
    expect(html).toContain("Late.");
    expect(meta.partial_load).toBe(true);
  });

  it("can be parsed, and the result says that the load is partial", async ({ expect }) => {
    const fill = `document.querySelector("#root").innerHTML = "<article>" + "<p>The tide table has one price: 19.50 EUR.</p>".repeat(30) + "</article>"`;
    const url = `${page("shell")}?${new URLSearchParams({ at: onOtherSite(page("never")), script: fill })}`;
    const response = await (await createClient()).call("POST", "/v1/parse?wait=true", { url, prompt: "The price." });
    const { meta } = await read(response);
    expect(meta).toMatchObject({ rendered: true, partial_load: true });
  });

  it("fails if its element doesn't appear", async ({ expect }) => {
    const { error } = await scrape(withResources([ASYNC]), { wait_for: "#missing" });
    expect(error.code).toBe("selector_not_found");
  });
});

describe.concurrent("a page that is loaded through a proxy", () => {
  it.for(["blocking script", "stylesheet", "async script"])(
    "is read without a resource of another site that never responds: %s",
    async (kind, { expect }) => {
      const url = withResources([[kind, onOtherSite(page("never"))]]);
      const { html, meta } = await scrape(url, { proxy_country: "TR" });
      expect(html).toContain("A script added this line.</p>");
      expect(html).toContain("The page ends here.");
      expect(meta.partial_load).toBe(true);
      expect(await querySite("hits", url)).toBe(1);
    },
  );
});

describe.concurrent("a slow script of the page's own site", () => {
  it("isn't cut off if it is one of many that block the parser", async ({ expect }) => {
    const write = `document.write('<script src="slow-script?ms=1400"><\\/script>')`;
    const writes = Array<string>(4).fill(write).join("</script><script>");
    const { html, meta } = await scrape(withResources([], writes));
    expect(html.match(/<p>The slow script added this line/g)).toHaveLength(4);
    expect(meta.partial_load).toBeUndefined();
  });

  it("is left out if it blocks the parser and never ends", async ({ expect }) => {
    const { html, meta } = await scrape(withResources([["blocking script", "slow-script?ms=60000"]]));
    expect(html).toContain("The page ends here.");
    expect(meta.partial_load).toBe(true);
  });

  it("isn't cut off while it sends data", async ({ expect }) => {
    const { html, meta } = await scrape(withResources([["async script", "slow-script?ms=2600"]]));
    expect(html).toContain("The slow script added this line.</p>");
    expect(meta.partial_load).toBeUndefined();
  });

  it("isn't cut off if the page has no content without it", async ({ expect }) => {
    const at = encodeURIComponent("slow-script?ms=2600&silent");
    const { html, meta } = await scrape(`${page("shell")}?at=${at}`);
    expect(html).toContain("The slow script added this line.</p>");
    expect(meta.partial_load).toBeUndefined();
  });
});
