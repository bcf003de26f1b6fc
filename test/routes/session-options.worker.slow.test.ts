import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import type { Session } from "../../src/net/session";
import { createClient, newRenderRequest, page, querySite, read, site } from "../support/client";
import type { RecordedRequest } from "../support/site/session";

/** The test site under its second host name, which counts as another site. */
const other = site.replace("127.0.0.1", "localhost");
const ownHost = new URL(site).host;

const SECRETS = {
  headers: { "X-Api-Key": "marked-header" },
  cookies: { session: "marked-cookie" },
  basic_auth: { username: "marked-user", password: "marked-password" },
};
const AUTHORIZATION = `Basic ${btoa("marked-user:marked-password")}`;
const MARK = /marked|bWFya2Vk/;

function withQuery(url: string, query: Record<string, string | string[]>): string {
  const pairs = Object.entries(query).flatMap(([name, values]) => [values].flat().map((value) => [name, value]));
  return `${url}?${new URLSearchParams(pairs)}`;
}

/** Returns the recorded requests with the same id as the URL. */
async function recorded(url: string): Promise<RecordedRequest[]> {
  return await querySite<RecordedRequest[]>("recorded", url);
}

const isOwn = ({ host }: RecordedRequest) => host === ownHost;

/**
 * Expects that each request to the target's own site had the secrets, and that no request to the other site had them.
 */
function expectOwnSiteOnly(requests: readonly RecordedRequest[]): void {
  expect(requests.filter(isOwn).length).toBeGreaterThan(0);
  for (const request of requests) {
    if (isOwn(request)) {
      expect([request.path, request.headers]).toMatchObject([
        request.path,
        {
          "x-api-key": "marked-header",
          authorization: AUTHORIZATION,
          cookie: expect.stringContaining("marked-cookie"),
        },
      ]);
    } else expect(JSON.stringify(request)).not.toMatch(MARK);
  }
}

describe("a plain request with a session", () => {
  it("sends headers, cookies, the password and the user agent, and returns the page", async () => {
    const { scrape } = await createClient();
    const url = page("session-password");
    const response = await scrape({ url, formats: ["text"], ...SECRETS, user_agent: "Tester/2.0" });
    const { data } = await read(response);
    expect(data.text).toContain("behind the session");
    expect(await recorded(url)).toMatchObject([
      {
        headers: {
          "x-api-key": "marked-header",
          cookie: "session=marked-cookie",
          authorization: AUTHORIZATION,
          "user-agent": "Tester/2.0",
        },
      },
    ]);
  });

  it("sends nothing to another site after a redirect, and sends it again when a redirect leads back", async () => {
    const { scrape } = await createClient();
    const leaf = page("session-leaf");
    const redirect = leaf.replace("leaf", "redirect");
    const back = withQuery(redirect.replace(site, other), { to: leaf });
    const url = withQuery(redirect, { to: back });
    expect((await scrape({ url, formats: ["text"], ...SECRETS })).status).toBe(200);
    const requests = await recorded(leaf);
    expect(requests.map(({ host }) => host)).toEqual([ownHost, new URL(other).host, ownHost]);
    expectOwnSiteOnly(requests);
  });

  it("keeps the cookies that its site sets in redirects, also if the redirect leads to the same URL", async () => {
    const { scrape } = await createClient();
    const url = page("session-login");
    const { data } = await read(await scrape({ url, formats: ["text"], cookies: { session: "a" } }));
    expect(data.text).toContain("Signed in");
    expect((await recorded(url)).map(({ headers }) => headers.cookie)).toEqual(["session=a", "session=a; visited=1"]);
  });

  it("keeps the cookies of redirects for the same site", async () => {
    const { scrape } = await createClient();
    const leaf = page("session-leaf");
    const url = withQuery(leaf.replace("leaf", "redirect"), { to: leaf, cookie: "visited=1; Path=/" });
    await scrape({ url, formats: ["text"], headers: { "X-Api-Key": "a" } });
    expect((await recorded(leaf)).map(({ headers }) => headers.cookie)).toEqual([undefined, "visited=1"]);
  });

  it("through a proxy sends the same", async () => {
    const { scrape } = await createClient();
    const leaf = page("session-leaf");
    const away = withQuery(leaf.replace("leaf", "redirect"), { to: leaf.replace(site, other) });
    expect((await scrape({ url: away, formats: ["text"], ...SECRETS, proxy_country: "TR" })).status).toBe(200);
    expectOwnSiteOnly(await recorded(leaf));
  });

  it("works for parse by URL", async () => {
    const { call } = await createClient();
    const url = page("session-password");
    const body = { url, prompt: "The heading.", ...SECRETS };
    await call("POST", "/v1/parse?wait=true", body);
    expectOwnSiteOnly(await recorded(url));
  });
});

describe("a rendered request with a session", () => {
  /** The requests of the page to its own site. */
  const OWN = ["own-style", "own-script", "own-frame", "own-fetch", "own-post"];
  /** The requests of the page to the other site that aren't blocked. */
  const OTHER = ["other-style", "other-script", "other-frame", "other-fetch", "other-xhr", "other-form"];
  const REDIRECTED = ["redirected-script", "redirected-frame", "redirected-fetch"];

  function names(requests: readonly RecordedRequest[]): string[] {
    return requests.flatMap(({ path }) => /^session-leaf\?([\w-]+)/.exec(path)?.[1] ?? []);
  }

  it("sends the secrets to its own site, and to no other site in any way", async () => {
    const { scrape } = await createClient();
    const url = page("session-page");
    const response = await scrape({
      url: withQuery(url, { other }),
      formats: ["text", "screenshot"],
      wait_for: "#done",
      ...SECRETS,
      user_agent: "Tester/2.0 (session)",
    });
    const { data } = await read(response);
    expect(data.text).toContain("Tester/2.0 (session)");
    const requests = await recorded(url);
    expectOwnSiteOnly(requests);
    expect(names(requests)).toEqual(expect.arrayContaining([...OWN, "own-image", "other-image", "redirected-image"]));
    expect(names(requests)).toEqual(expect.arrayContaining([...OTHER, ...REDIRECTED]));
    // Headers that the browser adds are kept.
    const script = requests.find(({ path }) => path.includes("own-script"));
    expect(script?.headers).toMatchObject({ "user-agent": "Tester/2.0 (session)", accept: "*/*" });
    expect(script?.headers["accept-encoding"]).toBeDefined();
    const post = requests.find(({ path }) => path.includes("own-post"));
    expect(post).toMatchObject({ method: "POST", headers: { "content-length": "1" } });
  });

  it("drops them when the page is redirected to another site", async () => {
    const { scrape } = await createClient();
    const leaf = page("session-leaf");
    const url = withQuery(leaf.replace("leaf", "redirect"), { to: leaf.replace(site, other) });
    expect((await scrape({ url, js_render: true, formats: ["text"], ...SECRETS })).status).toBe(200);
    const requests = await recorded(leaf);
    expect(requests.map(({ host }) => host)).toEqual([ownHost, new URL(other).host]);
    expectOwnSiteOnly(requests);
  });

  it("sends a Referer with the document, and refuses a redirect that would carry it to another site", async () => {
    const { scrape } = await createClient();
    const request = { js_render: true, formats: ["text"], headers: { referer: "https://marked.example/" } };
    const url = page("session-page");
    await scrape({ ...request, url: withQuery(url, { other }), wait_for: "#done" });
    const requests = await recorded(url);
    expect(requests.filter(({ headers }) => headers.referer?.includes("marked")).map(({ path }) => path)).toEqual([
      expect.stringContaining("session-page"),
    ]);
    const leaf = page("session-leaf");
    const away = withQuery(leaf.replace("leaf", "redirect"), { to: leaf.replace(site, other) });
    expect((await read(await scrape({ ...request, url: away }))).error).toMatchObject({
      code: "invalid_target",
      message: expect.stringContaining("Referer"),
    });
    expect((await recorded(leaf)).map(({ host }) => host)).toEqual([ownHost]);
    expect((await scrape({ ...request, url: away, js_render: false })).status).toBe(200);
    expect((await recorded(leaf)).filter((one) => !isOwn(one)).map(({ headers }) => headers.referer)).toEqual([
      undefined,
    ]);
  });

  it("sends headers with forms in frames of its site, and not with forms in frames of another site", async () => {
    const { scrape } = await createClient();
    for (const [origin, key] of [
      [site, "marked-header"],
      [other, undefined],
    ] as const) {
      const leaf = page("session-leaf");
      const src = withQuery(leaf.replace("leaf", "form").replace(site, origin), { to: leaf });
      const url = withQuery(leaf.replace("leaf", "frame"), { src });
      expect((await scrape({ url, js_render: true, formats: ["text"], ...SECRETS })).status).toBe(200);
      const posts = (await recorded(leaf)).filter(({ method }) => method === "POST");
      expect(posts.map(({ headers }) => headers["x-api-key"])).toEqual([key]);
    }
  });

  it("sends headers with the requests of its site's frames, and not with requests of another site's frames", async () => {
    const { scrape } = await createClient();
    for (const [origin, key] of [
      [site, "marked-header"],
      [other, undefined],
    ] as const) {
      const leaf = page("session-leaf");
      const src = withQuery(leaf.replace("leaf", "embed").replace(site, origin), { to: leaf });
      const url = withQuery(leaf.replace("leaf", "frame"), { src });
      await scrape({ url, js_render: true, formats: ["text", "screenshot"], ...SECRETS });
      const embedded = (await recorded(leaf)).filter(({ path }) => path.startsWith("session-leaf?"));
      const kinds = ["fetch", "form", "frame", "image", "script", "style"].map((kind) => `embedded-${kind}`);
      expect(names(embedded).sort()).toEqual(kinds);
      expect(embedded.map(({ headers }) => headers["x-api-key"])).toEqual(kinds.map(() => key));
      if (origin === other) expect(JSON.stringify(embedded)).not.toMatch(MARK);
    }
  });

  it("doesn't send headers with a resource that another site redirects to it", async () => {
    const { scrape } = await createClient();
    for (const [origin, key] of [
      [site, "marked-header"],
      [other, undefined],
    ] as const) {
      const leaf = page("session-leaf");
      const src = withQuery(leaf.replace("leaf", "redirect").replace(site, origin), { to: leaf });
      await scrape({
        url: withQuery(leaf.replace("leaf", "frame"), { src }),
        js_render: true,
        formats: ["text"],
        ...SECRETS,
      });
      const [arrived] = (await recorded(leaf)).filter(({ path }) => path === "session-leaf");
      expect(arrived?.headers["x-api-key"]).toBe(key);
    }
  });

  it("accepts cookies that browsers only accept if scripts can't read them", async () => {
    const { scrape } = await createClient();
    const url = site.replace("http:", "https:");
    const { error } = await read(
      await scrape({ url, js_render: true, cookies: { "__Http-a": "1", "__Host-Http-b": "2" } }),
    );
    // The browser opens the page, which isn't an https page.
    expect(["tls_failure", "connection_failed"]).toContain(error.code);
  });

  it("authenticates without a challenge, and another site's challenge gets nothing", async () => {
    const { scrape } = await createClient();
    const url = page("session-password");
    const { data } = await read(await scrape({ url, js_render: true, formats: ["text"], ...SECRETS }));
    expect(data.text).toContain("behind the session");
    expect(await recorded(url)).toHaveLength(1);
    const away = page("session-password").replace(site, other);
    const redirect = withQuery(away.replace(other, site).replace("password", "redirect"), { to: away });
    const refused = await scrape({ url: redirect, js_render: true, formats: ["text"], ...SECRETS });
    expect((await read(refused)).error).toMatchObject({
      code: "target_http_error",
      message: expect.stringContaining("401"),
    });
    expectOwnSiteOnly(await recorded(away));
  });

  it("through a proxy sends the same", async () => {
    const { scrape } = await createClient();
    const url = page("session-page");
    const body = { url: withQuery(url, { other }), wait_for: "#done", formats: ["text"], proxy_country: "TR" };
    expect((await scrape({ ...body, ...SECRETS })).status).toBe(200);
    const requests = await recorded(url);
    expectOwnSiteOnly(requests);
    expect(names(requests)).toEqual(expect.arrayContaining([...OWN, ...OTHER, ...REDIRECTED]));
  });

  it("doesn't share them with the renders of other requests in the same browser", async () => {
    const { scrape } = await createClient();
    const [first, second] = [page("session-page"), page("session-page")];
    await Promise.all([
      scrape({ url: withQuery(first, { other }), wait_for: "#done", formats: ["text"], ...SECRETS }),
      scrape({ url: withQuery(second, { other }), wait_for: "#done", formats: ["text"] }),
    ]);
    expectOwnSiteOnly(await recorded(first));
    expect(JSON.stringify(await recorded(second))).not.toMatch(MARK);
    const third = page("session-leaf");
    await scrape({ url: third, js_render: true, formats: ["text"] });
    expect(JSON.stringify(await recorded(third))).not.toMatch(MARK);
  });

  const SESSION: Session = {
    headers: { "X-Api-Key": "marked-header", authorization: AUTHORIZATION },
    cookies: [{ name: "session", value: "marked-cookie", domain: null, path: "/", secure: false }],
    userAgent: null,
  };

  /** Returns a new BrowserHost that has these bindings. */
  async function hostWith(bindings: Partial<Env>) {
    const host = env.BROWSER_HOST.getByName(`session-${crypto.randomUUID()}`);
    await runInDurableObject(host, (instance) => {
      (instance as unknown as { env: Env }).env = { ...env, ...bindings };
    });
    return host;
  }

  const allowedPrivateHosts = [site, other].map((origin) => new URL(origin).host).join();
  const NETWORKS = [
    ["whose browser can't reach a private network", { BROWSER_PROXY: "", BROWSER_NETWORK: "public" }],
    ["that checks every request", { BROWSER_PROXY: "", BROWSER_NETWORK: "" }],
  ] as [string, Partial<Env>][];

  it.each(NETWORKS)("sends headers only from documents of its site in a network %s", async (_, bindings) => {
    const host = await hostWith(bindings);
    const visit = async (url: string, waitFor: string) => {
      const request = newRenderRequest(url, { waitFor, session: SESSION });
      expect(await host.render({ ...request, allowedPrivateHosts }, { wait: true })).toMatchObject({ kind: "page" });
    };
    // Another site's page that stays, because the site's response shows no document.
    for (const kind of ["", "?download", "?slow"]) {
      const leaf = page("session-leaf");
      const to = leaf.replace("leaf", "empty") + kind;
      const then = withQuery(leaf, { name: "stolen", as: "text/javascript" });
      const stay = withQuery(leaf.replace("leaf", "stay").replace(site, other), { to, then });
      await visit(withQuery(leaf.replace("leaf", "jump"), { to: stay }), "#done");
      const requests = await recorded(leaf);
      const keys = requests.map(({ path, headers }) => [path.split("?")[0], headers["x-api-key"]]);
      expect(keys, kind).toEqual([
        ["session-jump", "marked-header"],
        ["session-stay", undefined],
        ["session-empty", "marked-header"],
        ["session-leaf", undefined],
      ]);
      expect(JSON.stringify(requests.at(-1))).not.toContain("marked-header");
    }
    // A sign-in on another site.
    const leaf = page("session-leaf");
    const home = withQuery(leaf.replace("leaf", "embed"), { to: leaf });
    const signIn = withQuery(leaf.replace("leaf", "jump").replace(site, other), { to: home });
    await visit(withQuery(leaf.replace("leaf", "jump"), { to: signIn }), "#form");
    const requests = (await recorded(leaf)).filter(isOwn);
    const sent = requests.map(({ path }) => /\b(?:jump|embed(?:ded-\w+)?)\b/.exec(path)?.[0]);
    expect(sent).toEqual(expect.arrayContaining(["jump", "embed", "embedded-style", "embedded-script"]));
    expect(sent).toEqual(expect.arrayContaining(["embedded-frame", "embedded-form", "embedded-fetch"]));
    expectOwnSiteOnly(requests);
  });

  it.each(NETWORKS)("sends the same in a network %s", async (_, bindings) => {
    const url = page("session-page");
    const host = await hostWith(bindings);
    const request = newRenderRequest(withQuery(url, { other }), { waitFor: "#done", session: SESSION });
    expect(await host.render({ ...request, allowedPrivateHosts }, { wait: true })).toMatchObject({ kind: "page" });
    const requests = await recorded(url);
    expectOwnSiteOnly(requests);
    expect(names(requests)).toEqual(expect.arrayContaining([...OWN, ...OTHER, ...REDIRECTED]));
    const leaf = page("session-leaf");
    const src = withQuery(leaf.replace("leaf", "embed").replace(site, other), { to: leaf });
    const framed = newRenderRequest(withQuery(leaf.replace("leaf", "frame"), { src }), { session: SESSION });
    expect(await host.render({ ...framed, allowedPrivateHosts }, { wait: true })).toMatchObject({ kind: "page" });
    const embedded = (await recorded(leaf)).filter(({ path }) => path.startsWith("session-leaf?"));
    expect(names(embedded)).toEqual(expect.arrayContaining(["embedded-script", "embedded-frame", "embedded-form"]));
    expect(JSON.stringify(embedded)).not.toMatch(MARK);
  });
});

it("a cookie that was exported from a browser is refused with advice", async () => {
  const { call } = await createClient({ mode: "test" });
  const cookies = [{ name: "a", value: "1", domain: ".example.com", path: "/", httpOnly: true, sameSite: "Lax" }];
  const { error } = await read(await call("POST", "/v1/scrape", { url: "https://example.com/", cookies }));
  expect(error.details?.map(({ path }) => path)).toEqual(["cookies.0.httpOnly", "cookies.0.sameSite"]);
  expect(error.message).toContain("a cookie only has 'name', 'value', 'domain', 'path' and 'secure'");
});
