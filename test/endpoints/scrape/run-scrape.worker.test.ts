import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { page, querySite } from "../../support/client";
import { run, runFailing } from "../../support/run-endpoint";
import { PAYLOADS } from "../../support/script-payloads";

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

describe("the formats images, raw_html and clean_html", () => {
  const script = `<p>one</p><img src="/i.png" alt="first"><script>document.body.innerHTML += '<img src="/j.png" alt="second"><p onclick="x()">two</p>'</script>`;
  const url = `${page("type")}?${new URLSearchParams({ type: "text/html", body: script })}`;
  const { origin } = new URL(url);
  const formats = ["raw_html", "clean_html", "images"];
  const options = { url, formats, only_main_content: false };

  it("show a plain page as the server sent it", async () => {
    expect((await run("scrape", options)).data).toEqual({
      raw_html: script,
      clean_html: `<p>one</p>\n<p><img src="${origin}/i.png" alt="first"></p>`,
      images: [{ url: `${origin}/i.png`, alt: "first" }],
    });
  });

  it("of a rendered page have the body that the server sent, and the content that scripts added", async () => {
    const { data } = await run("scrape", { ...options, js_render: true });
    expect(data.raw_html).toBe(script);
    expect(data.clean_html).toContain("<p>two</p>");
    expect(data.images).toEqual([
      { url: `${origin}/i.png`, alt: "first" },
      { url: `${origin}/j.png`, alt: "second" },
    ]);
  });

  it.each([false, true])("decode the body as a browser does, rendered: %s", async (js_render) => {
    const body = '<meta charset="windows-1254"><p>\u00fdstanbul</p>';
    const latin1 = `${page("type")}?${new URLSearchParams({ type: "text/html", encoding: "latin1", body })}`;
    const { data } = await run("scrape", { url: latin1, formats: ["raw_html"], js_render });
    expect(data.raw_html).toBe('<meta charset="windows-1254"><p>ıstanbul</p>');
  });

  it("of a hostile page run no scripts in a page that contains clean_html", async () => {
    const serve = (body: string) => `${page("type")}?${new URLSearchParams({ type: "text/html", body })}`;
    const detect = `<title>unchanged</title><script>alert = () => { document.title = "changed"; }</script>`;
    const titleWith = async (inner: string) => {
      const outer = serve(`${detect}<h1>Outer page</h1><p>It contains a part.</p><div>${inner}</div>`);
      // Images are only loaded for a screenshot.
      const { data } = await run("scrape", { url: outer, formats: ["metadata", "screenshot"] });
      return (data as { metadata: { title: string } }).metadata.title;
    };
    expect(await titleWith("<img src=x onerror=alert(1)>")).toBe("changed");
    // A URL has space for only a few payloads.
    for (let at = 0; at < PAYLOADS.length; at += 5) {
      const parts = PAYLOADS.slice(at, at + 5).map((payload) => `<div>Words ${payload}</div>`);
      const url = serve(parts.join(""));
      const { data } = await run("scrape", { url, formats: ["clean_html"], only_main_content: false });
      expect(data.clean_html).toContain("Words");
      expect(await titleWith(String(data.clean_html))).toBe("unchanged");
    }
  });

  it("of a text are the text itself", async () => {
    const text = `${page("type")}?type=text/plain&body=a%3Cb`;
    const { data } = await run("scrape", { url: text, formats });
    expect(data).toEqual({ raw_html: "a<b", clean_html: "<pre>\na&#60;b</pre>", images: [] });
  });

  it("of a PDF are only clean_html", async () => {
    expect(Object.keys((await run("scrape", { url: page("pdf"), formats })).data)).toEqual(["clean_html"]);
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
