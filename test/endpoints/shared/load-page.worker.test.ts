import { describe, expect, it } from "vitest";
import { LARGE_PAGE_BYTES, MAX_REDIRECTS } from "../../../src/model/page-limits";
import { ORIGIN, page } from "../../support/client";
import { type RunOptions, run, runFailing } from "../../support/run-endpoint";

/** Returns the URL of a response with this content type and body. */
function typed(type: string, body: string, encoding: "utf8" | "latin1" = "utf8"): string {
  return `${page("type")}?${new URLSearchParams({ type, body, encoding })}`;
}

async function textOf(url: string, request: Record<string, unknown> = {}, options: RunOptions = {}) {
  return (await run("scrape", { url, formats: ["text"], ...request }, options)).data.text;
}

/** Returns a function that counts how often the run needs the memory of a large page. */
function countLocks() {
  const acquireLargeLock = async (bytes = LARGE_PAGE_BYTES) => void (bytes >= LARGE_PAGE_BYTES && locks.count++);
  const locks = { count: 0, acquireLargeLock };
  return locks;
}

it.each([false, true])("of this service is refused, with js_render: %s", async (js_render) => {
  const error = await runFailing("scrape", { url: `${ORIGIN}/docs`, js_render });
  expect(error).toMatchObject({ code: "invalid_target", message: expect.stringContaining("this service's own host") });
});

describe("a page with a meta refresh", () => {
  const refreshing = (content: string) =>
    typed("text/html", `<meta http-equiv="refresh" content="${content}"><p>First`);

  it.each([0, 5])("is left for the next page after a delay of %i seconds", async (seconds) => {
    const url = page("described");
    const { data } = await run("scrape", { url: refreshing(`${seconds};url=${url}`), formats: ["metadata"] });
    expect(data.metadata).toMatchObject({ url, status_code: 200, title: "The log" });
  });

  it("is returned if the delay is longer than five seconds", async () => {
    expect(await textOf(refreshing(`6;url=${page("article")}`))).toBe("First");
  });

  it("is returned if it only reloads itself", async () => {
    const url = page("type");
    const body = `<meta http-equiv="refresh" content="0;url=${url}?type=text/html"><p>First`;
    const own = `${url}?type=text/html`;
    expect(await textOf(`${own}&body=${encodeURIComponent(body)}`)).not.toBe("First");
    const reloading = typed("text/html", '<meta http-equiv="refresh" content="0;url="><p>First');
    expect(await textOf(reloading)).toBe("First");
  });

  it("can redirect as often as a page with HTTP redirects, and not more often", async () => {
    const url = page("refreshes");
    expect(await textOf(`${url}?times=${MAX_REDIRECTS}`)).toContain("kept since 1899");
    const error = await runFailing("scrape", { url: `${page("refreshes")}?times=${MAX_REDIRECTS + 1}` });
    expect(error).toMatchObject({ code: "too_many_redirects", message: expect.stringContaining("more than 10 times") });
  });
});

describe("a visit", () => {
  const visit = (first: Record<string, string>) => `${page("visit")}?${new URLSearchParams(first)}`;
  const own = '<meta http-equiv="refresh" content="0">';

  it.each([
    ["a refresh to itself that sets a cookie", { body: own, cookies: "1" }],
    ["a page that checks the browser", { body: `${own}<title>Checking your browser</title>`, cookies: "1" }],
    ["a Refresh header that sets a cookie", { refresh: "1", cookies: "1" }],
    ["a Refresh header to another page", { refresh: "0; url=described" }],
    ["a refresh in <noscript>", { body: '<noscript><meta http-equiv=refresh content="0;url=described"></noscript>' }],
    ["a script", { body: "<title>Redirecting</title><script>location.href = 'described'</script>" }],
  ])("continues after %s", async (_, first) => {
    const { data, outcome } = await run("scrape", { url: visit(first), formats: ["metadata"] });
    expect([data.metadata, outcome]).toEqual([expect.objectContaining({ title: "The log" }), "ok"]);
  });

  it.each([
    ["refreshes that set cookies", { body: own, cookies: "99" }, "more than 10 times"],
    ["redirects after a refresh", { refresh: "0; url=loop" }, "form a loop"],
    ["scripts", { body: "<script>location.replace('{URL}')</script>" }, "form a loop"],
  ])("ends with the chain of its URLs in a loop of %s", async (_, first, problem) => {
    const { code, message } = await runFailing("scrape", { url: visit(first) });
    expect([code, message]).toEqual(["too_many_redirects", expect.stringContaining(problem)]);
    expect(message.split(" → ").length).toBeGreaterThan(1);
  });

  it("returns a page that reloads itself forever if the page has content", async () => {
    const body = `${own}<p>The water is at 3.2 meters, and it is still rising.`;
    expect(await textOf(visit({ body, cookies: "99" }))).toContain("3.2 meters");
  });

  it.each([
    ["a message about scripts", typed("text/html", "<h1>JavaScript is off</h1><p>Switch it on and reload the page.")],
    ["an error page", `${page("status")}?code=404`],
    ["another site", "https://other.example/"],
  ])("needs a browser if an application leads visitors without scripts to %s", async (_, to) => {
    const refresh = `<noscript><meta http-equiv=refresh content="0;url=${to.replaceAll("&", "&amp;")}"></noscript>`;
    const { outcome } = await run("scrape", {
      url: visit({ body: `${refresh}<div id=app></div><script src=a.js></script>` }),
    });
    expect(outcome).toBe("needs_rendering");
  });

  it("follows only one of the refreshes of a page with content", async () => {
    const text = "The water is at 3.2 meters, and it is still rising. ".repeat(8);
    expect(await textOf(visit({ body: `<meta http-equiv=refresh content="5;url={URL}&n=1"><p>${text}` }))).toBe(
      text.trim(),
    );
  });

  it.each([
    ["a script for another site", "<script>location.href = 'https://other.example/'</script>"],
    ["a script that sets a cookie", "<script>document.cookie = 'a=1'; location.reload()</script>"],
    ["an unknown script", "<p>You are being redirected.</p><script src=/go.js></script>"],
  ])("needs a browser for %s", async (_, body) => {
    expect((await run("scrape", { url: visit({ body }) })).outcome).toBe("needs_rendering");
  });
});

describe("the kind of a fetched page", () => {
  it.each([
    ["application/json", '{"a":"<b>1</b>"}'],
    ["application/vnd.api+json", '{"a":1}'],
    ["application/problem+json; charset=utf-8", '{"a":1}'],
    ["application/x-ndjson", "1\n2"],
    ["application/x-yaml", "a: 1"],
    ["application/yaml", "a: 1"],
    ["application/javascript", "a = '<p>1</p>'"],
    ["application/rss+xml", "<rss><title>A</title></rss>"],
    ["TEXT/PLAIN", "a,b"],
    ["text/markdown", "# <p>A</p>"],
    ["", "Text without <p>a type</p>"],
    ["application/x-subrip", "1\n00:00:01,000 --> 00:00:02,000\n<i>Low tide</i>"],
    ["application/octet-stream", "a: 1\nb: <p>2</p>"],
    ["application/toml", "a = 1"],
    ["image/svg+xml", '<svg xmlns="http://www.w3.org/2000/svg"><text>High water</text></svg>'],
    ["text/html", '{"a":"<b>1</b>"}'],
    ["text/html", '{"a":"<b>1</b>"}\n{"a":2}\n'],
    ["text/html; charset=utf-8", "# Tides\n\n* one\n* two<br>three\n\n```html\n<body>\n```"],
    ["text/html", "---\ntitle: Tides\n---\n<div>Low</div>"],
    ["text/html", "Line one\n  1 < 2 && 3 > 2\n\nList<String> of `<p>`"],
    ["text/html", "name,price\nbell,2.50\nrope,3.00\n"],
    ["text/html", '<?xml version="1.0"?>\n<!-- Tides --><tides><low unit="m">1</low></tides>'],
    ["text/html", "<rss><channel><title>Tides</title></channel></rss>"],
  ])("is text that is returned unchanged for the content type '%s'", async (type, body) => {
    const { data } = await run("scrape", { url: typed(type, body), formats: ["html", "text", "markdown", "links"] });
    expect(data).toEqual({ html: body, text: body, markdown: body, links: [] });
  });

  it.each([
    ["text/html; charset=utf-8", "<p>A page</p>"],
    ["application/xhtml+xml", "<p>A page</p>"],
    ["", " <!DOCTYPE html><p>A page"],
    ["", "<html><p>A page"],
    ["", "<head></head><p>A page"],
    ["", "\n<body><p>A page"],
    ["", "<!-- A comment --><p>A page"],
    ["application/octet-stream", "<!doctype html><p>A page"],
    ["application/xml", '<?xml version="1.0"?>\n<html xmlns="http://www.w3.org/1999/xhtml"><p>A page</p></html>'],
    [
      "text/xml",
      '<?xml version="1.0"?>\n<?xml-stylesheet href="a.css"?><!-- A --><!DOCTYPE html PUBLIC "a" "b"><html><p>A page</p></html>',
    ],
    ["text/html", '<?xml version="1.0"?><div>A page</div>'],
    ["text/html", "A <b>page</b>"],
    ["text/html", "A&#32;page"],
  ])("is HTML for the content type '%s' and the body %j", async (type, body) => {
    expect(await textOf(typed(type, body))).toBe("A page");
  });

  it.each(["application/zip", "image/png", "application/wasm", "video/mp4", "font/woff2"])(
    "is refused for the content type %s, unless the body is empty",
    async (type) => {
      expect((await runFailing("scrape", { url: typed(type, "words") })).code).toBe("unsupported_content");
      expect(await textOf(typed(type, ""))).toBe("");
    },
  );

  it.each([
    "\x89PNG\r\n\x1a\n",
    "GIF87a",
    "GIF89a",
    "\xff\xd8\xff\xe0",
    "RIFF\0\0\0\0WEBPVP8 ",
    "RIFF\0\0\0\0AVI LIST",
    "RIFF\0\0\0\0WAVEfmt ",
    "\0\0\0\x18ftypmp42",
    "\x1a\x45\xdf\xa3",
    "OggS\0",
    "ID3\x04",
    "PK\x03\x04",
    "\x1f\x8b\x08",
    "Rar!\x1a\x07",
    "7z\xbc\xaf\x27\x1c",
    "wOFF",
    "wOF2",
    "\0asm",
    "\x7fELF",
  ])("is refused if the body of a text begins with the bytes %j of a binary file", async (bytes) => {
    const error = await runFailing("scrape", { url: typed("text/plain", `${bytes} and more`, "latin1") });
    expect(error).toMatchObject({ code: "unsupported_content", message: expect.stringContaining("binary file") });
    expect(await textOf(typed("text/plain", `Text with ${bytes}`, "latin1"))).toContain("Text with ");
  });

  it("is refused for a file of an unknown type with binary bytes", async () => {
    expect((await runFailing("scrape", { url: typed("application/octet-stream", "a\0\x01b") })).code).toBe(
      "unsupported_content",
    );
  });

  it("is text if a browser has rendered a text with the type of HTML", async () => {
    const body = "# Tides\n\n* one & 1 > 0\n";
    expect((await run("scrape", { url: typed("text/html", body), js_render: true })).data.markdown).toBe(body);
  });

  it("has the declared character set", async () => {
    expect(await textOf(page("latin1"))).toContain("Ouvert toute la journée");
  });
});

describe("a block page", () => {
  it.each([false, true])("is an error and not a result (js_render: %s)", async (js_render) => {
    const error = await runFailing("scrape", { url: page("block-page"), js_render });
    expect(error).toMatchObject({ code: "blocked_by_target", retryable: true });
  });
});

describe("the settings of the service", () => {
  it.each([
    ["the origin of the request", {}, `${ORIGIN}/v1/jobs`],
    ["PUBLIC_URL", { PUBLIC_URL: "https://own.example" }, "https://own.example/v1/jobs"],
  ])("don't allow pages of the service itself: %s", async (_, bindings, url) => {
    for (const js_render of [false, true]) {
      expect((await runFailing("scrape", { url, js_render }, { bindings })).code).toBe("invalid_target");
    }
  });

  it.each([false, true])("allow only the private hosts of ALLOWED_PRIVATE_HOSTS (js_render: %s)", async (js_render) => {
    const error = await runFailing(
      "scrape",
      { url: page("article"), js_render },
      { bindings: { ALLOWED_PRIVATE_HOSTS: "" } },
    );
    expect(error.code).toBe("invalid_target");
  });

  it("set the user agent of a fetch", async () => {
    const bindings = { USER_AGENT: "TestAgent/1.0" } as Partial<Env>;
    expect(await textOf(page("agent"), {}, { bindings })).toContain("TestAgent/1.0");
  });

  it.each([false, true])("limit the bytes of a page with MAX_PAGE_BYTES (js_render: %s)", async (js_render) => {
    const bindings = { MAX_PAGE_BYTES: "3000" } as Partial<Env>;
    expect(await textOf(`${page("bytes")}?count=2500`, { js_render }, { bindings })).toHaveLength(2500);
    const error = await runFailing("scrape", { url: `${page("bytes")}?count=3500`, js_render }, { bindings });
    expect(error.code).toBe("target_too_large");
  });
});

describe("the lock for large pages", () => {
  it("is acquired for each PDF, and for HTML and rendered pages of more than 1 MB", async () => {
    const words = (1.2 * LARGE_PAGE_BYTES) / 5;
    for (const [url, js_render, count] of [
      [page("pdf"), false, 1],
      [page("article"), false, 0],
      [page("article"), true, 0],
      [`${page("large")}?words=${words}`, true, 1],
    ] as const) {
      const locks = countLocks();
      await textOf(url, { js_render }, locks);
      expect([url, js_render, locks.count]).toEqual([url, js_render, count]);
    }
  });
});

describe("a rendered page", () => {
  it("that isn't markup is returned unchanged", async () => {
    const body = '{"a":"<b>1</b>"}';
    expect(await textOf(typed("application/json", body), { js_render: true })).toBe(body);
  });

  it("is converted if it is markup, also if its content type has capital letters", async () => {
    expect(await textOf(typed("Text/HTML", "<p>A page</p>"), { js_render: true })).toBe("A page");
  });
});
