import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { changeAccount } from "../../src/directory/accounts";
import { type Client, createAccount, createClient, page, querySite, read } from "../support/client";

/** Returns a client whose account is limited to two concurrent asynchronous jobs and two concurrent renders. */
async function limitedClient(): Promise<Client> {
  const accountId = await createAccount({ plan: "free" });
  const change = { concurrentJobs: 2, concurrentRenders: 2 };
  await changeAccount(env, { accountId, change, actor: "operator", now: Date.now() });
  return await createClient({ accountId });
}

async function statusesOf({ call }: Client): Promise<string[]> {
  const list = await call("GET", "/v1/jobs").then((response) => response.json<{ data: { status: string }[] }>());
  return list.data.map(({ status }) => status);
}

describe("the plan's concurrency", () => {
  it("queues further asynchronous jobs in the account and runs them in order", async () => {
    const client = await limitedClient();
    const urls = Array.from({ length: 4 }, () => page("held"));
    for (const url of urls) expect((await client.call("POST", "/v1/scrape", { url })).status).toBe(202);
    const begun = async () => (await Promise.all(urls.map((url) => querySite<number>("hits", url)))).join("");
    await expect.poll(begun).toBe("1100");
    expect(await statusesOf(client)).toEqual(["queued", "queued", "processing", "processing"]);
    // A synchronous request isn't limited.
    expect((await client.scrape({ url: page("article") })).status).toBe(200);
    expect(await begun()).toBe("1100");
    for (const url of urls.slice(0, 2)) await querySite("release", url);
    await expect.poll(begun).toBe("1111");
    for (const url of urls.slice(2)) await querySite("release", url);
    await expect.poll(() => statusesOf(client)).toEqual(Array(5).fill("completed"));
    expect((await read(await client.call("GET", "/v1/usage"))).data).toMatchObject({
      reserved: 0,
      period: { used: 5 },
    });
  });

  it("makes a third synchronous render wait for a slot, then returns its result, which is stored in R2", async () => {
    const client = await limitedClient();
    const urls = [page("held"), page("held"), `${page("large")}?words=250000`];
    const [first = "", second = "", third = ""] = urls;
    const held = [first, second].map((url) => client.scrape({ url, js_render: true }));
    for (const url of [first, second]) await expect.poll(() => querySite("hits", url)).toBe(1);
    const waiting = client.scrape({ url: third, js_render: true, formats: ["html"] });
    // A request without rendering isn't limited.
    expect((await client.scrape({ url: page("article") })).status).toBe(200);
    expect(await querySite("hits", third)).toBe(0);
    for (const url of [first, second]) await querySite("release", url);
    expect((await Promise.all([...held, waiting])).map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await read(await waiting)).data.html?.length).toBeGreaterThan(1_000_000);
    expect(await querySite("hits", third)).toBe(1);
  });
});

it("starts an asynchronous render while the renders of another account hang", async () => {
  const [hanging, other] = [
    await createClient({ accountId: await createAccount({ plan: "business" }) }),
    await createClient({ accountId: await createAccount({ plan: "business" }) }),
  ];
  const urls = Array.from({ length: 14 }, () => page("held"));
  const url = page("held");
  const render = ({ call }: Client, url: string) => call("POST", "/v1/scrape", { url, js_render: true });
  for (const url of urls) expect((await render(hanging, url)).status).toBe(202);
  await expect.poll(() => statusesOf(hanging)).toContain("processing");
  expect((await render(other, url)).status).toBe(202);
  await expect.poll(() => querySite("hits", url)).toBe(1);
  await querySite("release", url);
  await expect.poll(() => statusesOf(other)).toEqual(["completed"]);
  // No render of the first account has ended, and at most half of the 4 places are in use for it.
  const statuses = await statusesOf(hanging);
  expect(new Set(statuses)).toEqual(new Set(["queued", "processing"]));
  expect(statuses.filter((status) => status === "processing").length).toBeLessThanOrEqual(2);
  const releaseAll = async () => {
    for (const url of urls) if ((await querySite("hits", url)) === 1) await querySite("release", url);
    return await statusesOf(hanging);
  };
  await expect.poll(releaseAll).toEqual(Array(14).fill("completed"));
});
