import { describe, expect, it } from "vitest";
import { page, site } from "../support/client";
import type { LoggedModelRequest } from "../support/models";
import { run, runFailing } from "../support/run-endpoint";

/** Returns the URL of an HTML page. */
function htmlOf(body: string): string {
  return `${page("type")}?${new URLSearchParams({ type: "text/html", body })}`;
}

const MISSING = "<title>Page not found</title><main><h1>404</h1><p>This page doesn't exist.</p></main>";
const SHELL =
  '<title>Shop</title><body><noscript>You need to enable JavaScript to run this app.</noscript><div id="root"></div><script>0</script>';
const HIDING_SHELL =
  '<title>Shop</title><body><div id="root"></div><script>onload = () => { root.innerHTML = "<h1>Kettles</h1><p>" + "All of our kettles are made of copper and boil within two minutes. ".repeat(9) }</script>';
const ARTICLE = `<title>Tides</title><main><h1>Tides</h1>${"<p>The harbor records the height of each tide and the direction of the wind.</p>".repeat(6)}</main>`;

const PLAIN = [{ item: "scrape", credits: 1 }];
const RENDERED = [...PLAIN, { item: "rendering", credits: 1 }];

/** The binding of a runtime that can't start a browser. */
const NO_BROWSER = {
  BROWSER_HOST: {
    getByName: () => ({
      hasFreeSlot: async () => true,
      render: async () => ({ kind: "failed", code: "render_failed", message: "No browser.", isBrowserMissing: true }),
    }),
  },
} as unknown as Partial<Env>;

describe("the outcome of a scrape", () => {
  it("is ok for an ordinary page, which is charged", async () => {
    const execution = await run("scrape", { url: htmlOf(ARTICLE) });
    expect(execution).toMatchObject({ outcome: "ok", lines: PLAIN, isFree: false });
    expect(execution.extras).toEqual({ outcome: "ok", page_kind: expect.any(String), rendered: false });
  });

  it("makes the page free, but returns it with the reason", async () => {
    const execution = await run("scrape", { url: htmlOf(MISSING), formats: ["markdown", "text", "links", "metadata"] });
    expect(execution).toMatchObject({
      outcome: "soft_404",
      isFree: true,
      data: { text: expect.stringContaining("404") },
    });
    expect(execution.extras).toEqual({
      outcome: "soft_404",
      outcome_reason: expect.stringMatching(/.\.$/),
      rendered: false,
    });
  });

  it("doesn't make a page free whose HTML or screenshot was delivered", async () => {
    expect(await run("scrape", { url: htmlOf(MISSING), formats: ["markdown", "html"] })).toMatchObject({
      ...{ outcome: "soft_404", lines: PLAIN, isFree: false },
    });
    expect(await run("scrape", { url: htmlOf(MISSING), formats: ["screenshot"] })).toMatchObject({
      ...{ outcome: "soft_404", lines: RENDERED, isFree: false },
    });
  });

  it.each([
    ["an empty body", () => htmlOf("")],
    ["only spaces", () => `${page("type")}?type=text/plain&body=%20%0A`],
    ["status 204", () => `${page("status")}?code=204`],
  ])("is empty for %s", async (_, url) => {
    expect(await run("scrape", { url: url() })).toMatchObject({ outcome: "empty", isFree: true });
  });

  it("is ok for text and PDFs", async () => {
    const url = `${page("type")}?type=text/plain&body=Page%20not%20found`;
    expect(await run("scrape", { url })).toMatchObject({ outcome: "ok", isFree: false });
    expect(await run("scrape", { url: page("pdf") })).toMatchObject({ outcome: "ok", isFree: false });
  });
});

describe("the parameter 'render'", () => {
  it("with 'auto' renders a page without content, and has the price of rendering", async () => {
    const execution = await run("scrape", { url: htmlOf(HIDING_SHELL), render: "auto" });
    expect(execution).toMatchObject({ outcome: "ok", lines: RENDERED, isFree: false, extras: { rendered: true } });
    expect(execution.data.markdown).toContain("# Kettles");
  });

  it("with 'auto' doesn't render a page that has content, and has the price of a plain page", async () => {
    const execution = await run("scrape", { url: htmlOf(ARTICLE), render: "auto" });
    expect(execution).toMatchObject({ outcome: "ok", lines: PLAIN, extras: { rendered: false } });
  });

  it.each([
    ["a download", () => `${page("type")}?type=text/csv&body=a,b`],
    ["a PDF", () => page("pdf")],
    ["JSON", () => `${page("type")}?type=application/json&body={}`],
  ])("with 'auto' has the price of a plain request for %s", async (_, url) => {
    const execution = await run("scrape", { url: url(), render: "auto" });
    expect(execution).toMatchObject({ outcome: "ok", lines: PLAIN, extras: { rendered: false } });
  });

  it("is 'auto' by default in a parse, which renders a page with few words although its outcome is ok", async () => {
    const poem = "<title>Poem</title><h1>The sea</h1><p>Waves on the shore</p><script>0</script>";
    const { extras } = await run("parse", { url: htmlOf(poem), prompt: "[[good any {}]]" });
    expect(extras).toMatchObject({ outcome: "ok", rendered: true });
  });

  it("with 'auto' has no effect on the outcome of a shell that stays empty", async () => {
    const execution = await run("scrape", { url: htmlOf(SHELL), render: "auto" });
    expect(execution).toMatchObject({ isFree: true, extras: { rendered: true } });
    expect(["empty", "needs_rendering"]).toContain(execution.outcome);
  });

  it("with 'auto' and without a browser returns the plain page for free", async () => {
    const execution = await run("scrape", { url: htmlOf(SHELL), render: "auto" }, { bindings: NO_BROWSER });
    expect(execution).toMatchObject({ outcome: "needs_rendering", isFree: true, extras: { rendered: false } });
    const request = { url: htmlOf(SHELL), render: "always" };
    expect(await runFailing("scrape", request, { bindings: NO_BROWSER })).toMatchObject({ code: "render_failed" });
  });

  it("with 'never' doesn't render, and with 'always' does", async () => {
    const never = await run("scrape", { url: htmlOf(HIDING_SHELL), render: "never" });
    expect(never).toMatchObject({ outcome: "needs_rendering", isFree: true, extras: { rendered: false } });
    const always = await run("scrape", { url: htmlOf(ARTICLE), render: "always" });
    expect(always).toMatchObject({ outcome: "ok", lines: RENDERED, extras: { rendered: true } });
  });
});

describe("parse", () => {
  /** Returns a prompt for the model server, and a function that counts its requests. */
  function mark() {
    const id = crypto.randomUUID();
    const count = async () =>
      ((await (await fetch(`${site}/__model-requests?path=${id}`)).json()) as LoggedModelRequest[]).length;
    return { prompt: `The product. [[good ${id} {"name": "Tides"}]]`, count };
  }

  it.each([
    ["a page that doesn't exist", MISSING],
    [
      "a sign-in form",
      '<title>Sign in</title><form action="/login" method="post"><h1>Sign in</h1><input name="email"><input type="password" name="password"><button>Sign in</button></form>',
    ],
    ["an empty page", "<title>Shop</title>"],
    ["a shell that stays empty", SHELL],
  ])("calls no model for %s", async (_, body) => {
    const { prompt, count } = mark();
    const error = await runFailing("parse", { url: htmlOf(body), prompt });
    expect(error).toMatchObject({ code: "unusable_page", status: 422, retryable: false });
    expect(error.message).toMatch(/^The outcome of the page is \w+\. The page .*\. No model was called\.$/);
    expect((await runFailing("parse", { html: body, prompt })).code).toBe("unusable_page");
    expect(await count()).toBe(0);
  });

  it("renders a page without content, and has its outcome", async () => {
    const { prompt, count } = mark();
    const execution = await run("parse", { url: htmlOf(HIDING_SHELL), prompt });
    expect(execution).toMatchObject({ outcome: "ok", extras: { outcome: "ok", rendered: true } });
    expect(execution.isFree).toBeUndefined();
    expect(await count()).toBe(1);
  });
});

describe("a test key", () => {
  it("can select the outcome of its mock page with the target's name", async () => {
    const scrape = await run("scrape", { url: "https://login.test/" }, { mode: "test" });
    expect(scrape).toMatchObject({
      outcome: "login",
      extras: { outcome: "login", outcome_reason: expect.any(String) },
    });
    const request = { url: "https://soft-404.test/", prompt: "The product." };
    expect(await runFailing("parse", request, { mode: "test" })).toMatchObject({ code: "unusable_page" });
    const paywall = await run("parse", { ...request, url: "https://paywall.test/" }, { mode: "test" });
    expect(paywall).toMatchObject({ outcome: "paywall", extras: { outcome: "paywall" } });
    const other = await run("scrape", { url: "https://other.test/" }, { mode: "test" });
    expect(other.extras).toEqual({ outcome: "ok", rendered: false });
  });
});
