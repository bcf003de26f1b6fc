// Scrapes the shop (support/shop.ts). Each of its obstacles needs only one request.
import { describe, expect, it } from "vitest";
import { type Client, createClient, read } from "../support/client";
import { readPixels } from "../support/pixels";
import { BANNER_COLOR, PAGE_COLOR, PRODUCTS } from "../support/shop-pages";
import { ShopVisit } from "../support/shop-visits";

const WHOLE = { formats: ["text"], only_main_content: false };

/** Sends a scrape that must succeed. */
async function scrape(client: Client, body: Record<string, unknown>) {
  const response = await read(await client.scrape({ ...WHOLE, ...body }));
  expect(response.error).toBeUndefined();
  return response;
}

/** Downloads the file of a signed link. */
async function download(client: Client, link = ""): Promise<Uint8Array> {
  const { pathname, search } = new URL(link);
  return new Uint8Array(await (await client.call("GET", `${pathname}${search}`)).arrayBuffer());
}

describe.concurrent("one request to the shop", () => {
  it("signs in with the form, and reads the page of the customer", async () => {
    const [client, visit] = [await createClient(), new ShopVisit()];
    const { data } = await scrape(client, { url: visit.url("login"), actions: visit.signIn });
    expect(data.text).toContain("Welcome back, Ada Lovelace.");
    expect(data.text).toContain("1057");
    const posts = (await visit.requests("shop")).filter(({ method }) => method === "POST");
    expect(posts.map(({ body }) => new URLSearchParams(body).get("password"))).toEqual([visit.customer.password]);
    expect(visit.secretsIn(JSON.stringify(data))).toEqual([]);
  });

  it("uses the cookie of a session, without which the shop shows its form", async () => {
    const [client, visit] = [await createClient(), new ShopVisit()];
    const url = visit.url("account");
    expect((await scrape(client, { url })).data.text).toContain("Sign in");
    const cookies = [{ name: "shop_session", value: visit.customer.session, path: `/${visit.id}` }];
    expect((await scrape(client, { url, cookies })).data.text).toContain("Welcome back");
  });

  it("takes a screenshot without the consent banner that covers it", async () => {
    const [client, visit] = [await createClient(), new ShopVisit()];
    const colors: string[] = [];
    for (const more of [
      {},
      { screenshot: { block_banners: true } },
      { actions: [{ type: "click", selector: "#accept" }] },
    ]) {
      const { data } = await scrape(client, { url: visit.url(""), formats: ["screenshot"], ...more });
      colors.push(readPixels(await download(client, data.screenshot_url)).at(640, 600));
    }
    expect(colors).toEqual([BANNER_COLOR, PAGE_COLOR, PAGE_COLOR]);
  });

  it("scrolls to the end of a list, and returns all products", async () => {
    const [client, visit] = [await createClient(), new ShopVisit()];
    const actions = [{ type: "scroll", to: "end" }];
    const { data } = await scrape(client, { url: visit.url("products"), actions, timeout_ms: 55_000 });
    const numbers = [...(data.text ?? "").matchAll(/Product (\d+) of ours/g)].map(([, number]) => Number(number));
    expect(numbers).toEqual(Array.from({ length: PRODUCTS }, (_, i) => i + 1));
    expect(data.actions).toMatchObject([{ index: 0, type: "scroll", end_reached: true }]);
  });

  it("gets the layout for phones from the server, the style sheet and the scripts", async () => {
    const [client, visit] = [await createClient(), new ShopVisit()];
    const page = { url: visit.url("layouts"), render: "always" };
    const desktop = await scrape(client, page);
    expect(desktop.data.text).toContain("The server sent the desktop layout.");
    expect(desktop.data.text).toContain("The style sheet shows the wide menu.");
    const { data } = await scrape(client, { ...page, device: "mobile" });
    expect(data.text).toContain("The server sent the phone layout.");
    expect(data.text).toContain("The style sheet shows the phone menu.");
    expect(data.text).not.toContain("the wide menu");
    expect(data.text).toMatch(/a window of [34]\d\d pixels, a touch screen, and is mobile\./);
    const plain = await scrape(client, { ...page, render: "never", device: "mobile" });
    expect(plain.data.text).toContain("The server sent the phone layout.");
  });

  it("pays the price of a country", async () => {
    const [client, visit] = [await createClient(), new ShopVisit()];
    const url = visit.url("price");
    expect((await scrape(client, { url })).data.text).toContain("119 EUR");
    for (const render of ["never", "always"])
      expect((await scrape(client, { url, render, proxy_country: "TR" })).data.text).toContain("4,990 TRY");
  });

  it.each(["never", "always"])(
    "reads pages behind a password, or a header and a cookie, with render: %s",
    async (render) => {
      const [client, visit] = [await createClient(), new ShopVisit()];
      const members = await scrape(client, { url: visit.url("members"), render, basic_auth: visit.basicAuth });
      expect(members.data.text).toContain("a discount of 10 %");
      const partners = await scrape(client, { url: visit.url("partners"), render, ...visit.partner });
      expect(partners.data.text).toContain("ten tide clocks for 900 EUR");
    },
  );

  it("prints the page of a customer as a PDF", async () => {
    const [client, visit] = [await createClient(), new ShopVisit()];
    const { data } = await scrape(client, { url: visit.url("login"), formats: ["pdf"], actions: visit.signIn });
    const pdf = await download(client, data.pdf_url);
    expect(new TextDecoder("latin1").decode(pdf.subarray(0, 5))).toBe("%PDF-");
  });

  it("shows its price before, and the same price in its receipt", async () => {
    const [client, visit] = [await createClient(), new ShopVisit()];
    const body = { url: visit.url("login"), formats: ["text"], actions: visit.signIn, max_credits: 2 };
    const checked = await read(await client.scrape({ ...body, dry_run: true }));
    expect(checked.data).toMatchObject({ max_credits: 2, method: "browser" });
    expect(await visit.requests("shop")).toEqual([]);
    const { meta, job_id } = await scrape(client, body);
    const lines = [
      { item: "scrape", credits: 1 },
      { item: "rendering", credits: 1 },
    ];
    expect(meta.receipt).toEqual({ total: 2, lines });
    const job = await read(await client.call("GET", `/v1/jobs/${job_id}`));
    expect(job.meta).toMatchObject({ credits_used: 2, receipt: { total: 2, lines } });
    const refused = await read(await client.scrape({ ...body, max_credits: 1 }));
    expect(refused.error.code).toBe("price_limit");
  });

  it("sends none of its secrets to the other host", async () => {
    const [client, visit] = [await createClient(), new ShopVisit()];
    const secrets = { ...visit.partner, basic_auth: visit.basicAuth };
    for (const proxy of [{}, { proxy_country: "TR" }]) {
      for (const render of ["never", "always"])
        await scrape(client, { url: visit.url("away"), render, ...secrets, ...proxy });
      await scrape(client, { url: visit.url("partners"), render: "always", ...secrets, ...proxy });
      await scrape(client, { url: visit.url("login"), actions: visit.signIn, ...secrets, ...proxy });
    }
    const requests = await visit.requests("other");
    for (const path of ["landing", "pixel.gif", "script.js", "frame", "data.json"])
      expect(requests.map((request) => request.path)).toContain(path);
    expect(requests.filter((request) => visit.secretsIn(JSON.stringify(request)).length > 0)).toEqual([]);
    expect(
      requests.filter(({ headers }) => headers.authorization ?? headers.cookie ?? headers["x-partner-key"]),
    ).toEqual([]);
  });

  it("is cut off by its time limit if its 50 actions are slow, and costs nothing", async () => {
    const [client, visit] = [await createClient(), new ShopVisit()];
    const actions = Array.from({ length: 50 }, () => ({ type: "click", selector: "#more" }));
    const response = await client.scrape({ ...WHOLE, url: visit.url("slow"), actions, timeout_ms: 20_000 });
    const { error, job_id } = await read(response);
    expect([response.status, error.code]).toEqual([504, "target_timeout"]);
    expect(error.message).toMatch(/within 20 seconds\. Action \d+ \(click\) was running\.$/);
    const job = await read(await client.call("GET", `/v1/jobs/${job_id}`));
    expect(job).toMatchObject({ status: "failed", meta: { credits_used: 0, receipt: { total: 0 } } });
  });
});
