import { describe, expect, it } from "vitest";
import { ask, createClient, page, read, site } from "../support/client";
import type { ProxyLog } from "../support/proxy";

async function proxied(user: string): Promise<ProxyLog> {
  return await (await fetch(`${site}/__proxied?path=${encodeURIComponent(user)}`)).json();
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
    expect(await ask("hits", url)).toBe(0);
    const usage = await client.call("GET", "/v1/usage");
    expect((await usage.json<{ data: { balance: number } }>()).data.balance).toBe(100_000);
  });

  it.each([
    ["no proxy serves", { proxy_country: "US" }],
    ["the browser can't ask through yet", { proxy_country: "TR", js_render: true }],
  ])("is refused at once for a country that %s", async (_, body) => {
    const { scrape } = await createClient();
    const url = page("article");
    const answer = await scrape({ url, ...body });
    expect([answer.status, (await read(answer)).error]).toMatchObject([
      400,
      { code: "proxy_unavailable", details: [{ path: "proxy_country" }] },
    ]);
    expect(await ask("hits", url)).toBe(0);
  });

  it("still refuses addresses that aren't public", async () => {
    const { scrape } = await createClient();
    const answer = await scrape({ url: `${page("redirect")}?to=http://10.1.2.3/`, proxy_country: "TR" });
    expect([answer.status, (await read(answer)).error.code]).toEqual([422, "invalid_target"]);
  });
});
