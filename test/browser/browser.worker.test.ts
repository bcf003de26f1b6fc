import { describe, expect, it } from "vitest";
import { createClient, page, querySite, read, site } from "../support/client";

const rendered = "Only a browser can read this sentence";

describe.concurrent("a rendered scrape", () => {
  it("reads text that scripts add immediately or after a delay, and costs one additional credit", async () => {
    const { scrape } = await createClient();
    for (const behavior of ["script", "after-timer"]) {
      const { data, meta } = await read(
        await scrape({ url: page(behavior), js_render: true, formats: ["text", "html"] }),
      );
      expect(data.text).toContain(rendered);
      expect(data.html).toMatch(/^<!DOCTYPE html>/);
      expect(meta.credits_used).toBe(2);
    }
    expect((await read(await scrape({ url: page("script"), formats: ["text"] }))).data.text).not.toContain(rendered);
  });

  it.each([
    "by-idle",
    "by-view",
    "by-frames",
    "by-text-timer",
    "by-timers",
    "by-interval",
    "by-task",
    "by-frame-timer",
    "by-slow-body",
  ])("waits for text that a callback or a response adds within a second: %s", async (behavior) => {
    const { scrape } = await createClient();
    const { data } = await read(await scrape({ url: page(behavior), js_render: true, formats: ["text"] }));
    expect(data.text).toContain(rendered);
  });

  it("reads the document correctly if the page has changed built-in functions", async () => {
    const { scrape } = await createClient();
    const { data } = await read(await scrape({ url: page("changes-built-ins"), js_render: true, formats: ["html"] }));
    expect(data.html).toMatch(/^<!DOCTYPE html>\s*<html><head><title>Rendered<\/title>.*<div id="app"><form/s);
  });

  it("has the layout of a desktop window, and pages can't detect the small paint scale", async () => {
    const { scrape } = await createClient();
    const { data } = await read(await scrape({ url: page("sees-itself"), js_render: true, formats: ["text"] }));
    expect(data.text).toContain("1280 800 1 1 true true");
  });

  it("isn't blocked by pages that flood their console", async () => {
    const { scrape } = await createClient();
    for (let i = 0; i < 3; i++) {
      const { data } = await read(await scrape({ url: page("floods-console"), js_render: true, formats: ["text"] }));
      expect(data.text).toContain("messages to its console");
    }
  });

  it("returns the received body of XML, JSON and plain text", async () => {
    const { scrape } = await createClient();
    for (const [type, body] of [
      ["application/xml", "<a><b>1</b></a>"],
      ["application/json", '{"a":[1]}'],
      ["text/plain", "a < b"],
    ]) {
      const url = `${page("type")}?type=${type}&body=${encodeURIComponent(body ?? "")}`;
      const { data } = await read(await scrape({ url, js_render: true, formats: ["html", "markdown", "text"] }));
      expect(data).toEqual({ html: body, markdown: body, text: body });
    }
  });

  it("retries once if the target is temporarily busy", async () => {
    const { scrape } = await createClient();
    const url = `${page("busy")}?after=0`;
    const { data } = await read(await scrape({ url, js_render: true, formats: ["text"] }));
    expect([data.text?.includes("kept since 1899"), await querySite("hits", url)]).toEqual([true, 2]);
  });

  it("waits for the page's pending fetch", async ({ expect }) => {
    const { scrape } = await createClient();
    const url = page("after-fetch");
    const held = new URL("held", url).href;
    const answer = scrape({ url, js_render: true, formats: ["text"] });
    await expect.poll(() => querySite("hits", held)).toBe(1);
    await querySite("release", held);
    expect((await read(await answer)).data.text).toContain(rendered);
  });

  it("follows navigations by scripts, and returns the last page", async () => {
    const { scrape } = await createClient();
    const url = page("moves-on");
    const { data } = await read(await scrape({ url, js_render: true }));
    expect(data.markdown).toContain("# Tide tables of Łeba");
    expect(data.markdown).toContain(`](${new URL("../archive/1899.html", url).href})`);
  });

  it("returns a page that never becomes quiet, and a page with a dialog", async () => {
    const { scrape } = await createClient();
    const [restless, asking] = await Promise.all(
      ["never-quiet", "with-dialog"].map(async (behavior) =>
        read(await scrape({ url: page(behavior), js_render: true, formats: ["text"] })),
      ),
    );
    expect(restless?.data.text).toContain("Counting without an end");
    expect(asking?.data.text).toContain("After the dialog");
  });

  it("doesn't wait for a running worker or for a response that the page doesn't read", async () => {
    const { scrape } = await createClient();
    const scrapeText = async () =>
      (await read(await scrape({ url: page("unread"), js_render: true, formats: ["text"] }))).data.text;
    // A busy machine may need more than four and a half seconds to load the page, but not each time.
    await expect.poll(scrapeText).toContain("changes after four and a half seconds");
  });

  it("waits for the selector, and reports a selector that no element matches", async () => {
    const { scrape } = await createClient();
    const { data } = await read(
      await scrape({ url: page("element-late"), wait_for: "#late", js_render: false, formats: ["text"] }),
    );
    expect(data.text).toContain(rendered);
    const response = await scrape({ url: page("article"), wait_for: "p:no-such-thing" });
    expect([response.status, (await read(response)).error.code]).toEqual([422, "selector_not_found"]);
  });

  it("follows a meta refresh, but not from the page with the awaited element", async () => {
    const { scrape } = await createClient();
    const url = page("refresh-after-seconds");
    const texts = await Promise.all(
      [{}, { wait_for: "#moving" }].map(async (more) => {
        return (await read(await scrape({ url, js_render: true, formats: ["text"], ...more }))).data.text;
      }),
    );
    expect(texts).toEqual([expect.stringContaining("kept since 1899"), "Moving."]);
  });

  it("loads images only for a screenshot, but keeps their elements otherwise", async () => {
    const { scrape } = await createClient();
    const without = page("with-pictures");
    const { data } = await read(await scrape({ url: without, js_render: true }));
    expect(await querySite("hits", new URL("picture", without).href)).toBe(0);
    expect(data.markdown).toContain("![a picture]");
    const withScreenshot = page("with-pictures");
    await scrape({ url: withScreenshot, formats: ["screenshot"] });
    expect(await querySite("hits", new URL("picture", withScreenshot).href)).toBe(1);
  });

  it("sends a browser's user agent with the service's name", async () => {
    const { scrape } = await createClient();
    const { data } = await read(await scrape({ url: page("agent"), js_render: true, formats: ["text"] }));
    expect(data.text).toMatch(/Chrome\/\d+.*WebDataExtraction/);
    expect(data.text).not.toContain("Headless");
  });

  it.each([
    ["status?code=404", "target_http_error"],
    ["status?code=503", "target_http_error"],
    ["reset", "connection_failed"],
    ["type?type=application/zip", "unsupported_content"],
    ["loop", "too_many_redirects"],
    ["redirect?to=http://127.0.0.1:1/", "invalid_target"],
    ["moves-inside", "invalid_target"],
    ["moves-to-nowhere", "connection_failed"],
  ])("reports the cause if the target is %s", async (behavior, code) => {
    const { scrape } = await createClient();
    expect((await read(await scrape({ url: page(behavior), js_render: true }))).error.code).toBe(code);
  });

  it("returns a page that starts a download, not the download", async () => {
    const { scrape } = await createClient();
    const { data } = await read(
      await scrape({ url: page("begins-a-download"), js_render: true, formats: ["text", "markdown"] }),
    );
    const words = "Your download begins in a moment.";
    expect(data).toEqual({ text: words, markdown: words });
  });

  it("returns an empty page for status 204", async () => {
    const { scrape } = await createClient();
    const { success, data } = await read(
      await scrape({ url: page("status?code=204"), js_render: true, formats: ["html", "text"] }),
    );
    expect([success, data]).toEqual([true, { html: "", text: "" }]);
  });

  it("shares no cookies and no storage with other renders", async () => {
    const { scrape } = await createClient();
    for (let i = 0; i < 3; i++) {
      const { data } = await read(
        await scrape({ url: `${site}/visitors/visitor`, js_render: true, formats: ["text"] }),
      );
      expect(data.text).toContain("Cookie: none at all");
      expect(data.text).toContain("Storage: empty");
    }
  });
});

describe("a screenshot", () => {
  it("is a PNG of the whole page, at a signed link that needs no key", async () => {
    const { scrape, call } = await createClient();
    const { data, job_id } = await read(await scrape({ url: page("tall"), formats: ["screenshot"] }));
    expect(Object.keys(data)).toEqual(["screenshot_url"]);
    const url = new URL(data.screenshot_url ?? "");
    const get = (href: string) =>
      call("GET", href.slice(url.origin.length), undefined, { headers: { authorization: "" } });
    const response = await get(url.href);
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "image/png"]);
    // This header lets browsers show the image on pages of other sites.
    expect(response.headers.get("cross-origin-resource-policy")).toBe("cross-origin");
    const png = new DataView(await response.arrayBuffer());
    expect(png.getUint32(0)).toBe(0x89504e47);
    expect([png.getUint32(16), png.getUint32(20)]).toEqual([1280, 3000]);
    expect((await read(await call("GET", `/v1/jobs/${job_id}`))).result).toEqual(data);

    for (const [name, value] of [
      ["expires", "9999999999"],
      ["signature", "0".repeat(64)],
      ["signature", ""],
    ] as const) {
      const changed = new URL(url);
      changed.searchParams.set(name, value);
      expect((await get(changed.href)).status).toBe(404);
    }
    const other = url.href.replace(job_id, "00000000-0000-7000-8000-000000000000");
    expect((await get(other)).status).toBe(404);
  });
});

it("paints the page at full scale for a screenshot", async () => {
  const { scrape, call } = await createClient();
  const { data } = await read(await scrape({ url: page("noise"), formats: ["screenshot"] }));
  const { pathname, search } = new URL(data.screenshot_url ?? "");
  const png = await (await call("GET", pathname + search)).arrayBuffer();
  // Noise can't be compressed, so the PNG has about 3 bytes for each of its 600 × 600 pixels.
  expect(png.byteLength).toBeGreaterThan(600 * 600 * 3 * 0.9);
});

describe("requests that bypass interception", () => {
  it("never reach a forbidden address", async () => {
    const { scrape } = await createClient();
    const url = page("holes");
    const { data } = await read(await scrape({ url, js_render: true, formats: ["text"], wait_for: "h1" }));
    expect(data.text).toContain("tries each way");
    // Only the page's scripts request this worker script. A request for it proves that the page's scripts ran.
    expect(await querySite("hits", new URL("holes-worker.js", url).href)).toBeGreaterThan(0);
    expect(await querySite("hits", new URL("redirect", url).href)).toBeGreaterThan(5);
    expect(await querySite("arrivals")).toEqual([]);
  });
});
