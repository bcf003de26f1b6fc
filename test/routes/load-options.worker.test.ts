import { describe, expect, it } from "vitest";
import { createClient, page, querySite, read } from "../support/client";

/** Returns the URL of a page with this markup. */
const pageWith = (html: string) =>
  `${page("type")}?${new URLSearchParams({ type: "text/html; charset=utf-8", body: `<!doctype html><title>T</title><body>${html}` })}`;

const errorOf = async (response: Response) => [response.status, (await read(response)).error] as const;

describe.concurrent("timeout_ms", () => {
  it.each([
    ["a plain request", {}],
    ["a rendering", { render: "always" }],
    ["both requests together", { render: "auto" }],
  ])("ends %s, and the message names the limit", async (_, more) => {
    const { scrape } = await createClient();
    const url = page("held");
    const [status, error] = await errorOf(await scrape({ url, timeout_ms: 1_500, ...more }));
    expect([status, error.code]).toEqual([504, "target_timeout"]);
    expect(error.message).toContain("1.5 seconds");
    await querySite("release", url);
  });

  it("ends the wait for an element, and the error names the selector", async () => {
    const { scrape } = await createClient();
    const url = page("article");
    const [status, error] = await errorOf(await scrape({ url, wait_for: "#missing", timeout_ms: 15_000 }));
    expect([status, error.code]).toEqual([422, "selector_not_found"]);
    expect(error.message).toMatch(/^No element matched the selector '#missing' within [\d.]+ seconds?\.$/);
  });

  it("also limits a parse", async () => {
    const { call } = await createClient();
    const url = page("held");
    const [status, error] = await errorOf(
      await call("POST", "/v1/parse?wait=true", { url, prompt: "The tides.", timeout_ms: 1_000 }),
    );
    expect([status, error.code]).toEqual([504, "target_timeout"]);
    expect(error.message).toContain("1 second");
    await querySite("release", url);
  });

  it("has a lower maximum if the response waits for the result", async () => {
    const { call } = await createClient({ mode: "test" });
    const body = { url: "https://example.com/", timeout_ms: 55_001 };
    expect(await errorOf(await call("POST", "/v1/scrape?wait=true", body))).toMatchObject([
      400,
      {
        code: "invalid_request",
        details: [{ path: "timeout_ms" }],
        message:
          "The parameter 'timeout_ms' must be at most 55000 if the response waits for the result, not 55001. Send the request without 'wait=true' to use a longer limit.",
      },
    ]);
    const accepted = await call("POST", "/v1/scrape?wait=true", { ...body, timeout_ms: 55_000 });
    expect(accepted.status).toBe(200);
    const asynchronous = await call("POST", "/v1/scrape", { ...body, timeout_ms: 120_000 });
    expect(asynchronous.status).toBe(202);
  });
});

describe.concurrent("wait_until and wait_ms", () => {
  /** The text changes when the document is parsed, when it has loaded, and `laterMs` later. Default: a minute. */
  const stages = (image: string, laterMs = 60_000) =>
    pageWith(
      `<p id="stage">raw</p><iframe src="${image}"></iframe><script>
       const show = (text) => { document.querySelector("#stage").textContent = text };
       addEventListener("DOMContentLoaded", () => show("parsed"));
       addEventListener("load", () => { show("loaded"); setTimeout(() => show("later"), ${laterMs}) });
       </script>`,
    );
  const textOf = async (more: object) => {
    const { scrape } = await createClient();
    const { data, error } = await read(await scrape({ formats: ["text"], only_main_content: false, ...more }));
    expect(error).toBeUndefined();
    return data.text;
  };

  it("reads the page when it is parsed, without waiting for a frame", async () => {
    const held = page("held");
    expect(await textOf({ url: stages(held), wait_until: "domcontentloaded" })).toContain("parsed");
    await querySite("release", held);
  });

  it("reads the page after the load event", async () => {
    expect(await textOf({ url: stages(page("article")), wait_until: "load" })).toContain("loaded");
  });

  it("waits additionally, and renders the page for that", async () => {
    expect(await textOf({ url: stages(page("article")), render: "always" })).toContain("loaded");
    expect(await textOf({ url: stages(page("article"), 2_500), wait_ms: 6_000 })).toContain("later");
  });

  it("costs the price of a rendering", async () => {
    const { scrape } = await createClient();
    const { meta } = await read(await scrape({ url: page("article"), wait_ms: 1 }));
    expect(meta).toMatchObject({ rendered: true, credits_used: 2 });
    const plain = await read(await scrape({ url: page("article"), wait_until: "load", render: "auto" }));
    expect(plain.meta).toMatchObject({ rendered: false, credits_used: 1 });
  });

  it.each([
    [{ wait_ms: 5, render: "never" }, "wait_ms", "'render: never'"],
    [{ wait_ms: 5, js_render: false }, "wait_ms", "'js_render: false'"],
    [{ wait_until: "load", render: "never" }, "wait_until", "'render: never'"],
  ])("is refused if the request forbids rendering: %j", async (more, path, cause) => {
    const { call } = await createClient({ mode: "test" });
    const [status, error] = await errorOf(await call("POST", "/v1/scrape", { url: "https://example.com/", ...more }));
    expect([status, error.code, error.details?.[0]?.path]).toEqual([400, "invalid_request", path]);
    expect(error.message).toContain(cause);
  });

  it("must be shorter than the limit", async () => {
    const { call } = await createClient({ mode: "test" });
    const body = { url: "https://example.com/", wait_ms: 5_000, timeout_ms: 5_000 };
    const [status, error] = await errorOf(await call("POST", "/v1/scrape", body));
    expect([status, error.details?.[0]?.path]).toEqual([400, "timeout_ms"]);
    expect(error.message).toContain("must be more than the waits of the request");
  });

  it.each(["timeout_ms", "wait_ms"])("is refused for a parse of the caller's own HTML: %s", async (path) => {
    const { call } = await createClient({ mode: "test" });
    const body = { html: "<p>7", prompt: "The number.", [path]: 2_000 };
    const [status, error] = await errorOf(await call("POST", "/v1/parse", body));
    expect([status, error.details?.[0]?.path]).toEqual([400, path]);
    expect(error.message).toContain("use 'url' instead");
  });
});
