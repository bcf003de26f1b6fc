import { describe, expect, inject, it } from "vitest";
import { MAX_PROXIED_PAGE_REQUESTS, PROXIED_PAGE_CONNECTIONS } from "../../../src/model/limits";
import { createClient, page, querySite, read, site } from "../../support/client";
import type { ProxyLog } from "../../support/proxy";

async function proxied(user: string): Promise<ProxyLog> {
  return await (await fetch(`${site}/__proxy-log?path=${encodeURIComponent(user)}`)).json();
}

describe("a page as a country sees it", () => {
  it("comes through the proxy of the country, redirects too, each job from an address of its own", async () => {
    const { scrape } = await createClient();
    const url = `${page("redirect")}?to=article`;
    const { data, job_id } = await read(await scrape({ url, formats: ["text"], proxy_country: "tr" }));
    expect(data.text).toContain("kept since 1899");
    const { requests } = await proxied(`ok-tr-${job_id.replaceAll("-", "")}`);
    expect(requests.map(({ line }) => line)).toEqual([`GET ${url}`, `GET ${new URL("article", url)}`]);
  });

  it("doesn't come through a proxy when no country is asked for", async () => {
    const { scrape } = await createClient();
    const { job_id } = await read(await scrape({ url: page("article") }));
    expect((await proxied(`ok-tr-${job_id.replaceAll("-", "")}`)).requests).toEqual([]);
  });

  it.each([
    ["refuses our credentials", "DE"],
    ["is dead", "FR"],
  ])("isn't sold from elsewhere when its proxy %s", async (_, proxy_country) => {
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

  it.each([false, true])("is refused at once for a country that no proxy serves (js_render: %s)", async (js_render) => {
    const { scrape } = await createClient();
    const url = page("article");
    const answer = await scrape({ url, proxy_country: "US", js_render });
    expect([answer.status, (await read(answer)).error]).toMatchObject([
      400,
      { code: "proxy_unavailable", details: [{ path: "proxy_country" }] },
    ]);
    expect(await querySite("hits", url)).toBe(0);
  });

  it("still refuses addresses that aren't public", async () => {
    const { scrape } = await createClient();
    const answer = await scrape({ url: `${page("redirect")}?to=http://10.1.2.3/`, proxy_country: "TR" });
    expect([answer.status, (await read(answer)).error.code]).toEqual([422, "invalid_target"]);
  });
});

describe("a rendered page as a country sees it", () => {
  /** The proxy alone knows where this name leads. */
  const abroad = (behaviour: string) => page(behaviour).replace("127.0.0.1", "far.world.example");

  async function render(body: Record<string, unknown>) {
    const client = await createClient();
    const answer = await client.scrape({ js_render: true, proxy_country: "TR", formats: ["text"], ...body });
    const { status } = answer;
    const { success, data, error, job_id } = await read(answer);
    const log = await proxied(`ok-tr-${job_id.replaceAll("-", "")}`);
    return { client, status, success, data, error, log, lines: log.requests.map(({ line }) => line) };
  }

  it("asks for everything through the proxy: methods, bodies, redirects, cookies, bytes, frames, workers", async () => {
    const url = abroad("abroad");
    const { data, lines } = await render({ url });
    expect(data.text?.split("\n").slice(1).join("\n").trim()).toBe(
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
    const asked = (path: string, method = "GET") => `${method} ${new URL(path, url)}`;
    expect(lines[0]).toBe(`GET ${url}`);
    expect(lines).toEqual(
      expect.arrayContaining(["style", "echo?frame", "pixels", "echo-worker.js"].map((path) => asked(path))),
    );
    expect(lines.filter((line) => line === asked("echo", "POST"))).toHaveLength(2);
  });

  it("reaches an https target whole, with our own TLS through the tunnel", async () => {
    const url = `${inject("hook")}/${crypto.randomUUID()}/ok`;
    const { success, lines } = await render({ url, formats: ["html"] });
    expect([success, lines[0]]).toEqual([true, `CONNECT ${new URL(url).host}`]);
  });

  it("takes its picture", async () => {
    const url = abroad("with-pictures");
    const { data, lines } = await render({ url, formats: ["screenshot"] });
    expect(data.screenshot_url).toContain("/screenshots/");
    expect(lines).toContain(`GET ${new URL("picture", url)}`);
  });

  it("gets so many parts and no more, a few at a time", async () => {
    const { data, log } = await render({ url: abroad("greedy") });
    expect(data.text).toContain(`got so many of them: ${MAX_PROXIED_PAGE_REQUESTS}.`);
    expect(log.requests).toHaveLength(1 + MAX_PROXIED_PAGE_REQUESTS);
    expect(log.mostOpen).toBeLessThanOrEqual(PROXIED_PAGE_CONNECTIONS + 1); // One may not have been seen to end yet.
  });

  it("isn't kept waiting by what the page has given up", async () => {
    const { data } = await render({ url: abroad("gives-up") });
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
  ])("names the cause when the target is %s", async (behaviour, status, code) => {
    expect(await render({ url: abroad(behaviour) })).toMatchObject({ status, error: { code } });
  });

  it("takes 204 for what it is", async () => {
    expect(await render({ url: abroad("status?code=204") })).toMatchObject({ success: true, data: { text: "" } });
  });

  it.each([
    ["refuses our credentials", "DE"],
    ["is dead", "FR"],
  ])("isn't sold from elsewhere when its proxy %s", async (_, proxy_country) => {
    const url = page("article");
    const { client, status, error } = await render({ url, proxy_country });
    expect([status, error]).toMatchObject([502, { code: "proxy_unavailable", retryable: true }]);
    expect(await querySite("hits", url)).toBe(0);
    const usage = await client.call("GET", "/v1/usage");
    expect((await usage.json<{ data: { balance: number } }>()).data.balance).toBe(100_000);
  });

  it("has no way around the proxy, and none to where nobody may go", async () => {
    const url = abroad("holes");
    const { data, lines } = await render({ url, wait_for: "h1" });
    expect(data.text).toContain("tries every way out");
    expect(lines).toContain(`GET ${new URL("holes-worker.js", url)}`);
    expect(lines.filter((line) => !line.includes(new URL(url).host))).toEqual([]);
    expect(await querySite("arrivals")).toEqual([]);
  });

  it("shares its browser with pages that go straight, and neither takes the other's way", async () => {
    const { scrape } = await createClient();
    const straight = page("abroad");
    const far = abroad("abroad");
    const [direct, { data, lines }] = await Promise.all([
      scrape({ url: straight, js_render: true, formats: ["text"] }).then(read),
      render({ url: far }),
    ]);
    for (const { text } of [direct.data, data]) expect(text).toContain("worker from a blob: GET");
    expect(lines.filter((line) => !line.includes(new URL(far).host))).toEqual([]);
  });
});
