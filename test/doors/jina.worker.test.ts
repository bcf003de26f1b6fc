import { describe, expect, it } from "vitest";
import { createClient, page, querySite, request } from "../support/client";

const JSON_ONLY = { accept: "application/json" };

interface Reply {
  code: number;
  status: number;
  name?: string;
  message?: string;
  data: Record<string, unknown>;
  meta: { usage: { tokens: number } };
}

async function openDoor(mode: "live" | "test" = "test") {
  const { secret } = await createClient({ mode });
  const call = (path: string, headers: Record<string, string> = {}, init: RequestInit = {}) =>
    request(path, { ...init, headers: { authorization: `Bearer ${secret}`, ...headers } });
  const json = async (path: string, headers: Record<string, string> = {}, init: RequestInit = {}) =>
    await (await call(path, { ...JSON_ONLY, ...headers }, init)).json<Reply>();
  return { call, json };
}

describe("Jina's reader", () => {
  it("returns a page as text with a head of lines", async () => {
    const { call } = await openDoor("live");
    const url = page("article");
    const response = await call(`/r/${url}`);
    expect(response.headers.get("content-type")).toBe("text/plain; charset=utf-8");
    expect(await response.text()).toMatch(/^Title: .+\n\nURL Source: http.+\n\n.*Markdown Content:\n.+/s);
  });

  it.each([
    ["with its query", (url: string) => `${url}?a=1&b=two`],
    ["percent-encoded", (url: string) => encodeURIComponent(`${url}?a=1&b=two`)],
    ["percent-encoded without a scheme", (url: string) => encodeURIComponent(`${url.slice(7)}?a=1&b=two`)],
    ["without a scheme", (url: string) => `${url.replace(/^https?:\/\//, "")}?a=1&b=two`],
    ["with one slash", (url: string) => `${url.replace("//", "/")}?a=1&b=two`],
  ])("reads the URL of the page %s", async (_, write) => {
    const { json } = await openDoor("live");
    const url = page("article");
    expect((await json(`/r/${write(url)}`)).data).toMatchObject({ url: `${url}?a=1&b=two` });
  });

  it("returns JSON, an event or the requested formats", async () => {
    const { call, json } = await openDoor();
    const whole = await json("/r/https://example.com/a", { "x-with-links-summary": "true", dnt: "1" });
    expect(whole).toMatchObject({
      ...{ code: 200, status: 20_000, meta: { usage: { tokens: expect.any(Number) } } },
      data: { title: expect.any(String), content: expect.any(String), links: expect.any(Object) },
    });
    const event = await (await call("/r/https://example.com/a", { accept: "text/event-stream" })).text();
    expect(JSON.parse(event.slice(event.indexOf("{")))).toMatchObject({ content: whole.data.content });
    const many = await json("/r/https://example.com/a", { "x-respond-with": "markdown+html" });
    expect(many.data).toMatchObject({ content: expect.any(String), html: expect.stringContaining("<") });
    const picture = await call("/r/https://example.com/a", { "x-return-format": "screenshot" }, { redirect: "manual" });
    expect([picture.status, picture.headers.get("location")]).toEqual([302, expect.stringContaining("/screenshots/")]);
  });

  it("omits images with X-Retain-Images, also next to other selectors", async () => {
    const { json } = await openDoor("live");
    const url = page("article");
    const read = async (headers: Record<string, string>) => String((await json(`/r/${url}`, headers)).data.content);
    expect(await read({})).toContain("![");
    expect(await read({ "x-retain-images": "none", "x-remove-selector": "h1" })).not.toContain("![");
  });

  it("takes the options of a JSON body or a form", async () => {
    const { json } = await openDoor();
    const headers = { "content-type": "application/json" };
    const body = JSON.stringify({ url: "https://example.com/a", respondWith: "text" });
    expect((await json("/r/", headers, { method: "POST", body })).data).toMatchObject({ text: expect.any(String) });
    const form = new URLSearchParams({ url: "https://example.com/a", respondWith: "html" });
    expect((await json("/r/", {}, { method: "POST", body: form })).data).toMatchObject({ html: expect.any(String) });
  });

  it("sends cookies, a user agent and headers to the page, and uses a kept page", async () => {
    const { json } = await openDoor("live");
    const url = page("article");
    const headers = { "x-cache-tolerance": "600" };
    for (let i = 0; i < 2; i++) await json(`/r/${url}`, headers);
    expect(await querySite("hits", url)).toBe(1);
    await json(`/r/${url}`, { ...headers, "x-no-cache": "true" });
    expect(await querySite("hits", url)).toBe(2);
    const sent = {
      "x-set-cookie": "sid=abc; Path=/, b=2",
      "x-user-agent": "Keeper/2.0",
      "x-referer": "https://a.example/",
    };
    await json(`/r/${url}`, { ...headers, ...sent });
    expect(await querySite("hits", url)).toBe(3);
  });

  it.each<[path: string, headers: Record<string, string>, code: number, status: number, message: RegExp]>([
    ["/r/not%20a%20url", {}, 400, 40001, /url/],
    ["/r/https://example.com/", { "x-respond-with": "readerlm-v2" }, 400, 40001, /X-Respond-With.*readerlm-v2/],
    ["/r/https://example.com/", { "x-token-budget": "1000" }, 400, 40001, /X-Token-Budget/],
    ["/r/https://example.com/", { "x-timeout": "181" }, 400, 40001, /X-Timeout/],
    ["/r/https://example.com/", { "x-target-selector": "a[" }, 400, 40001, /X-Target-Selector/],
    ["/r/https://example.com/", { authorization: "" }, 401, 40103, /key/],
    ["/r/https://example.com/", { authorization: "Bearer nope" }, 401, 40102, /key/],
    ["/r/https://out-of-credits.test/", {}, 402, 40203, /credit/],
    ["/r/https://timeout.test/", {}, 408, 40802, /./],
    ["/r/https://blocked.test/", {}, 422, 42206, /./],
    ["/r/https://rate-limited.test/", {}, 429, 42903, /./],
    ["/s/tides?num=21", {}, 400, 40001, /'num'/],
    ["/s/tides?type=images", {}, 400, 40001, /'type'/],
    ["/s/tides", { "x-target-selector": "a[" }, 400, 40001, /X-Target-Selector/],
    ["/r/https://example.com/", { "x-respond-with": "no-content" }, 400, 40001, /X-Respond-With.*search/],
    ["/r/https://example.com/", { "x-with-links-summary": "banana" }, 400, 40001, /X-With-Links-Summary.*banana/],
    ["/r/https://example.com/", { "x-retain-images": "alt" }, 400, 40001, /X-Retain-Images.*alt/],
    ["/r/https://example.com/", { "x-preset": "fast" }, 400, 40001, /X-Preset/],
    ["/r/https://example.com/", { "x-respond-timing": "html" }, 400, 40001, /X-Respond-Timing/],
    ["/r/https://example.com/", { "x-return-format": "screenshot", dnt: "1" }, 400, 40001, /X-Respond-With.*store/],
    ["/r", {}, 404, 40401, /path/],
    ["/s/tides?gl=zz", {}, 400, 40001, /'gl'/],
    ["/s/tides?q=a&q=b", {}, 400, 40001, /'q'/],
    ["/s/tides?url=https://example.com/", {}, 400, 40001, /'url'/],
    ["/s/blocked.test", { "x-respond-with": "no-content" }, 422, 42206, /./],
  ])("describes the error of %s with %j in Jina's form", async (path, headers, code, status, message) => {
    const { call } = await openDoor();
    const response = await call(path, headers);
    expect(response.status).toBe(code);
    const body = await response.json<Reply>();
    expect(body).toMatchObject({ data: null, code, status, name: expect.stringMatching(/Error$/) });
    expect(body.message).toMatch(message);
  });
});

it.each<[path: string, type: string, body: string, code: number, message: RegExp]>([
  ["/r/", "application/json", "null", 400, /object/],
  ["/r/", "application/json", "{", 400, /JSON/],
  ["/r/", "text/plain", "url=x", 415, /Content-Type/],
  ["/r/", "multipart/form-data; boundary=x", "garbage", 400, /form/],
  ["/r/", "application/json", '{"url":"https://example.com/","targetSelector":5}', 400, /'targetSelector/],
  ["/r/", "application/json", '{"url":"https://example.com/","waitForSelector":5}', 400, /'waitForSelector/],
  ["/r/", "application/json", '{"url":"https://example.com/","setCookie":5}', 400, /'setCookie/],
  ["/s/", "application/json", '{"q":{"a":1}}', 400, /'q'/],
  ["/s/", "application/json", '{"q":"x","site":[5]}', 400, /'site/],
])("refuses the body of POST %s with %s %j", async (path, type, body, code, message) => {
  const { call } = await openDoor();
  const response = await call(path, { "content-type": type }, { method: "POST", body });
  expect([response.status, await response.json()]).toMatchObject([
    code,
    { data: null, code, message: expect.stringMatching(message) },
  ]);
});

it("allows Jina's headers in a browser", async () => {
  const sent = { origin: "https://a.example", "access-control-request-headers": "authorization,x-respond-with" };
  const response = await request("/r/https://example.com/", { method: "OPTIONS", headers: sent });
  expect(response.headers.get("access-control-allow-headers")).toBe("authorization,x-respond-with");
});

it("lists the methods of Jina's paths", async () => {
  const { call } = await openDoor();
  for (const path of ["/r/https://example.com/", "/s/tides"]) {
    const response = await call(path, {}, { method: "PUT" });
    expect(response.headers.get("allow")).toBe("GET, HEAD, POST");
    expect([response.status, await response.json()]).toMatchObject([405, { data: null, code: 405 }]);
  }
});

describe("Jina's search", () => {
  it("returns results without their pages", async () => {
    const { call, json } = await openDoor();
    const headers = { "x-respond-with": "no-content" };
    const { data } = await json("/s/?q=old+tides&num=3&gl=de&hl=de", headers);
    expect(data).toMatchObject(Array(3).fill({ title: expect.any(String), url: expect.stringContaining("tides") }));
    const text = await (await call("/s/old%20tides?num=2&site=example.org", headers)).text();
    expect(text).toMatch(/^\[1\] Title: .+\n\[1\] URL Source: .+\n\[1\] Description: .+\n\n\[2\] Title: /);
    const init = { method: "POST", body: JSON.stringify({ q: "tides", num: 1, respondWith: "no-content" }) };
    expect((await json("/s/", { "content-type": "application/json" }, init)).data).toHaveLength(1);
  });

  it("needs the scope scrape to load pages", async () => {
    const client = await createClient({ mode: "test", scopes: ["serp"] });
    expect((await client.call("GET", "/s/tides?num=1")).status).toBe(403);
    expect(
      (await client.call("GET", "/s/tides", undefined, { headers: { "x-respond-with": "no-content" } })).status,
    ).toBe(200);
  });

  it("scrapes the pages of the results", async () => {
    const { json } = await openDoor();
    const { data } = await json("/s/tides?num=2");
    expect(data).toMatchObject(Array(2).fill({ content: expect.any(String), usage: { tokens: expect.any(Number) } }));
  });
});
