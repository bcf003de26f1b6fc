import { describe, expect, inject, it } from "vitest";
import { PageProxy } from "../../../src/browser/page-proxy";
import { MAX_PROXIED_PAGE_REQUESTS, PROXIED_PAGE_CONNECTIONS } from "../../../src/model/page-limits";
import { createClient, page, querySite, read, site } from "../../support/client";
import type { ProxyLog } from "../../support/proxy";

async function proxied(user: string): Promise<ProxyLog> {
  return await (await fetch(`${site}/__proxy-log?path=${encodeURIComponent(user)}`)).json();
}

describe("a page requested without a country", () => {
  it("doesn't use a proxy", async () => {
    const { scrape } = await createClient();
    const { job_id } = await read(await scrape({ url: page("article") }));
    expect((await proxied(`ok-tr-${job_id.replaceAll("-", "")}`)).requests).toEqual([]);
  });
});

describe("a page requested from a country", () => {
  it("is fetched through the country's proxy, including redirects, with a separate IP address for each job", async () => {
    const { scrape } = await createClient();
    const url = `${page("redirect")}?to=article`;
    const { data, job_id } = await read(await scrape({ url, formats: ["text"], proxy_country: "tr" }));
    expect(data.text).toContain("kept since 1899");
    const { requests } = await proxied(`ok-tr-${job_id.replaceAll("-", "")}`);
    expect(requests.map(({ line }) => line)).toEqual([`GET ${url}`, `GET ${new URL("article", url)}`]);
  });

  it.each([
    ["refuses our credentials", "DE"],
    ["is unreachable", "FR"],
  ])("is never fetched without the proxy if the proxy %s", async (_, proxy_country) => {
    const client = await createClient();
    const url = page("article");
    const answer = await client.scrape({ url, proxy_country });
    const { error } = await read(answer);
    expect([answer.status, error]).toMatchObject([502, { code: "proxy_unavailable", retryable: true }]);
    expect(error.message).not.toMatch(/wrong|secret/);
    expect(await querySite("hits", url)).toBe(0);
    const usage = await client.call("GET", "/v1/usage");
    expect((await usage.json<{ data: { balance: number } }>()).data.balance).toBe(100_000);
  });

  it.each([false, true])(
    "is refused immediately if no proxy is configured for the country (js_render: %s)",
    async (js_render) => {
      const { scrape } = await createClient();
      const url = page("article");
      const answer = await scrape({ url, proxy_country: "US", js_render });
      expect([answer.status, (await read(answer)).error]).toMatchObject([
        400,
        { code: "proxy_unavailable", details: [{ path: "proxy_country" }] },
      ]);
      expect(await querySite("hits", url)).toBe(0);
    },
  );

  it("is refused if the address isn't public", async () => {
    const { scrape } = await createClient();
    const answer = await scrape({ url: `${page("redirect")}?to=http://10.1.2.3/`, proxy_country: "TR" });
    expect([answer.status, (await read(answer)).error.code]).toEqual([422, "invalid_target"]);
  });
});

describe("a rendered page that is requested from a country", () => {
  /** Only the proxy can resolve this host name. */
  const onlyViaProxy = (behavior: string) => page(behavior).replace("127.0.0.1", "far.world.example");

  async function render(body: Record<string, unknown>) {
    const client = await createClient();
    const answer = await client.scrape({ js_render: true, proxy_country: "TR", formats: ["text"], ...body });
    const { status } = answer;
    const { success, data, error, job_id } = await read(answer);
    const log = await proxied(`ok-tr-${job_id.replaceAll("-", "")}`);
    return { client, status, success, data, error, log, lines: log.requests.map(({ line }) => line) };
  }

  it("loads everything through the proxy: methods, bodies, redirects, cookies, bytes, frames, workers", async () => {
    const url = onlyViaProxy("abroad");
    const { data, lines } = await render({ url });
    const [own = "", frame = ""] = data.text?.split("\n").slice(1).join("\n").trim().split("\n\n") ?? [];
    expect(JSON.parse(frame)).toMatchObject({ method: "GET" });
    expect(own).toBe(
      [
        "cookies: plain=1; hidden=2",
        "cookies for scripts: plain=1",
        "post: POST,1,100000,ü",
        "form: a=b+c",
        "redirected: echo,true",
        "bytes: 3,2",
        "gone: 404",
        "reset: TypeError: Failed to fetch",
        "worker: GET",
        "worker from a blob: GET",
      ].join("\n"),
    );
    const requestLine = (path: string, method = "GET") => `${method} ${new URL(path, url)}`;
    expect(lines[0]).toBe(`GET ${url}`);
    expect(lines).toEqual(
      expect.arrayContaining(["style", "echo?frame", "pixels", "echo-worker.js"].map((path) => requestLine(path))),
    );
    expect(lines.filter((line) => line === requestLine("echo", "POST"))).toHaveLength(2);
  });

  it("loads an https target through a CONNECT tunnel with our own TLS", async () => {
    const url = `${inject("hook")}/${crypto.randomUUID()}/ok`;
    const { success, lines } = await render({ url, formats: ["html"] });
    expect([success, lines[0]]).toEqual([true, `CONNECT ${new URL(url).host}`]);
  });

  it("has a screenshot with images that were loaded through the proxy", async () => {
    const url = onlyViaProxy("with-pictures");
    const { data, lines } = await render({ url, formats: ["screenshot", "pdf", "raw_html"] });
    expect(data.screenshot_url).toContain("/screenshots/");
    expect(data.pdf_url).toContain("/pdfs/");
    expect(data.raw_html).toContain("<h1>Pictures</h1>");
    expect(lines).toContain(`GET ${new URL("picture", url)}`);
  });

  it("can load a limited number of subresources, a few at a time", async () => {
    const { data, log } = await render({ url: onlyViaProxy("greedy") });
    expect(data.text).toContain(`this many of them succeeded: ${MAX_PROXIED_PAGE_REQUESTS}.`);
    expect(log.requests).toHaveLength(1 + MAX_PROXIED_PAGE_REQUESTS);
    expect(log.mostOpen).toBeLessThanOrEqual(PROXIED_PAGE_CONNECTIONS + 1); // The log may count a connection that has just ended.
  });

  it("doesn't wait for requests that the page has aborted", async () => {
    const { data } = await render({ url: onlyViaProxy("gives-up") });
    expect(data.text).toContain("Only a browser can read this sentence");
  });

  it.each([
    ["status?code=404", 502, "target_http_error"],
    ["block-page", 502, "blocked_by_target"],
    ["reset", 502, "connection_failed"],
    ["loop", 502, "too_many_redirects"],
    ["moves-to-nowhere", 502, "connection_failed"],
    ["redirect?to=http://10.1.2.3/", 422, "invalid_target"],
    ["moves-inside", 422, "invalid_target"],
    ["bytes?count=30000000", 422, "target_too_large"],
    ["type?type=application/zip", 422, "unsupported_content"],
  ])("returns the error of the target: %s", async (behavior, status, code) => {
    expect(await render({ url: onlyViaProxy(behavior) })).toMatchObject({ status, error: { code } });
  });

  it("accepts a response with status 204", async () => {
    expect(await render({ url: onlyViaProxy("status?code=204") })).toMatchObject({ success: true, data: { text: "" } });
  });

  it.each([
    ["refuses our credentials", "DE"],
    ["is unreachable", "FR"],
  ])("is never fetched without the proxy if the proxy %s", async (_, proxy_country) => {
    const url = page("article");
    const { client, status, error } = await render({ url, proxy_country });
    expect([status, error]).toMatchObject([502, { code: "proxy_unavailable", retryable: true }]);
    expect(await querySite("hits", url)).toBe(0);
    const usage = await client.call("GET", "/v1/usage");
    expect((await usage.json<{ data: { balance: number } }>()).data.balance).toBe(100_000);
  });

  it("can't bypass the proxy, and can't reach private addresses", async () => {
    const url = onlyViaProxy("holes");
    const { data, lines } = await render({ url, wait_for: "h1" });
    expect(data.text).toContain("tries each way");
    expect(lines).toContain(`GET ${new URL("holes-worker.js", url)}`);
    expect(lines.filter((line) => !line.includes(new URL(url).host))).toEqual([]);
    expect(await querySite("arrivals")).toEqual([]);
  });

  it("shares its browser with pages without a proxy, and both keep their own network path", async () => {
    const { scrape } = await createClient();
    const directUrl = page("abroad");
    const proxiedUrl = onlyViaProxy("abroad");
    const [direct, { data, lines }] = await Promise.all([
      scrape({ url: directUrl, js_render: true, formats: ["text"] }).then(read),
      render({ url: proxiedUrl }),
    ]);
    for (const { text } of [direct.data, data]) expect(text).toContain("worker from a blob: GET");
    expect(lines.filter((line) => !line.includes(new URL(proxiedUrl).host))).toEqual([]);
  });
});

it("a rendered page isn't retried if the URL of its proxy can't be used for https targets", async () => {
  const proxy = { secure: true, hostname: "proxy.example", port: 443, authorization: null };
  const limits = { maxDocumentBytes: 1_000, documentMs: 10_000, signal: new AbortController().signal };
  const event = { request: { url: "https://a.example/", method: "GET", headers: {} } } as never;
  const document = new PageProxy(proxy, limits).fetchDocument(event);
  await expect(document).rejects.toMatchObject({ code: "proxy_unavailable", retryable: false });
});
