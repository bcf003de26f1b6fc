import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { page, querySite } from "../../support/client";
import { run, runFailing } from "../../support/run-endpoint";

const FORMATS = ["html", "markdown", "text", "links", "metadata"];
const html =
  "<html lang=pl><head><title>Log</title></head><body><nav><a href=/home>Home</a></nav><main><h1>Log</h1><p class=a>First words</p><p class=b>Second words</p></main></body>";
const own = () => `${page("type")}?${new URLSearchParams({ type: "text/html", body: html })}`;

describe("the formats of a scrape", () => {
  it("are those of the request, in a fixed order", async () => {
    const url = own();
    const { data, extras } = await run("scrape", { url, formats: FORMATS.toReversed() });
    expect(Object.keys(data)).toEqual(FORMATS);
    expect(data).toMatchObject({
      html,
      markdown: "# Log\n\nFirst words\n\nSecond words",
      text: "Log\n\nFirst words\n\nSecond words",
      links: [{ url: `${new URL(url).origin}/home`, text: "Home" }],
      metadata: { title: "Log", language: "pl", url, status_code: 200, content_type: "text/html" },
    });
    expect(extras).toEqual({ outcome: "ok", page_kind: expect.any(String), rendered: false });
    for (const format of FORMATS) {
      const only = await run("scrape", { url, formats: [format] });
      expect(only.data).toEqual({ [format]: data[format] });
    }
  });

  it("of a text are the text itself, no links, and the metadata of the response", async () => {
    const url = `${page("type")}?type=text/plain&body=words`;
    const { data } = await run("scrape", { url, formats: FORMATS });
    expect(data).toEqual({
      ...{ html: "words", markdown: "words", text: "words", links: [] },
      metadata: { url, status_code: 200, content_type: "text/plain" },
    });
  });

  it("of a PDF omit html, which is an error if it is the only one", async () => {
    const { data } = await run("scrape", { url: page("pdf"), formats: ["html", "links"] });
    expect(data).toEqual({ links: [{ url: "https://example.com/tides", text: "" }] });
    expect((await runFailing("scrape", { url: page("pdf"), formats: ["html"] })).code).toBe("unsupported_content");
  });

  it("have only the parts that the selectors and only_main_content select", async () => {
    const textOf = async (more: Record<string, unknown>) =>
      (await run("scrape", { url: own(), formats: ["text"], ...more })).data.text;
    expect(await textOf({ include_selectors: [".b"] })).toBe("Second words");
    expect(await textOf({ exclude_selectors: [".b"] })).toBe("Log\n\nFirst words");
    expect(await textOf({ only_main_content: false })).toContain("Home");
    expect(await textOf({})).not.toContain("Home");
    expect(await textOf({ include_selectors: [".c"] })).toBe("");
  });
});

describe("a rendered scrape", () => {
  it.each([{ js_render: true }, { wait_for: "p" }])("has the content that scripts create: %j", async (more) => {
    const { data } = await run("scrape", { url: page("script"), formats: ["text"], ...more });
    expect(data.text).toContain("Only a browser can read this sentence");
  });

  it("isn't used without need", async () => {
    const { data } = await run("scrape", { url: page("script"), formats: ["text"] });
    expect(data.text).not.toContain("Only a browser can read this sentence");
  });

  it.each([["screenshot"], ["screenshot", "text"]])(
    "stores its screenshot and returns the link: %s %s",
    async (...formats) => {
      const id = crypto.randomUUID();
      const { data } = await run("scrape", { url: page("article"), formats }, { job: { id, run: 3 } });
      expect(Object.keys(data).sort()).toEqual(
        formats.map((format) => (format === "screenshot" ? "screenshot_url" : format)).sort(),
      );
      expect(data.screenshot_url).toContain(`/screenshots/${id}?expires=`);
      const { objects } = await env.STORE.list();
      const stored = objects.find(({ key }) => key.includes(id));
      const bytes = new Uint8Array((await (await env.STORE.get(stored?.key ?? ""))?.arrayBuffer()) ?? []);
      expect(Array.from(bytes.slice(0, 4))).toEqual([0x89, 0x50, 0x4e, 0x47]);
    },
  );

  it("returns the stored picture of a mock page for a test key", async () => {
    const id = crypto.randomUUID();
    const request = { url: "https://example.com/", formats: ["screenshot", "text"] };
    const { data } = await run("scrape", request, { mode: "test", job: { id } });
    expect(data).toMatchObject({
      screenshot_url: expect.stringContaining(`/screenshots/${id}?`),
      text: expect.any(String),
    });
    expect((await env.STORE.list()).objects.filter(({ key }) => key.includes(id))).toHaveLength(1);
  });
});

it("a scrape fails instead of using another country if the proxy was removed", async () => {
  const url = page("article");
  const error = await runFailing("scrape", { url, proxy_country: "TR" }, { bindings: { PROXIES: "{}" } });
  expect(error).toMatchObject({ code: "proxy_unavailable", status: 502, message: expect.stringContaining("TR") });
  expect(await querySite("hits", url)).toBe(0);
});
