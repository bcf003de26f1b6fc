// Scrapes the shop (support/shop.ts) through the TypeScript client, MCP and the playground. Each of them needs only one
// request.
import { describe, expect, it } from "vitest";
import { createClient, request } from "../support/client";
import { connect } from "../support/extraction-client";
import { callTool, connectMcp } from "../support/mcp-client";
import { readPixels } from "../support/pixels";
import { PAGE_COLOR, PRODUCTS } from "../support/shop-pages";
import { ShopVisit } from "../support/shop-visits";
import { signUp } from "../support/visitor";

const END = [{ type: "scroll", to: "end" }] as const;

function countProducts(text = ""): number {
  return new Set(text.match(/Product \d+ of ours/g)).size;
}

/** The parameters with which a screenshot of the shop has no consent banner. */
const WITHOUT_BANNER = { screenshot: { block_banners: true } };

/** Returns the color where the consent banner was, in the screenshot whose link is in the text. */
async function colorIn(text: string): Promise<string> {
  const [, link = ""] = /(\/screenshots\/[^\s"'<>)]+)/.exec(text.replaceAll("&amp;", "&")) ?? [];
  const image = await request(link);
  return readPixels(new Uint8Array(await image.arrayBuffer())).at(640, 600);
}

describe.concurrent("the shop", () => {
  it("is read by the TypeScript client", async () => {
    const [client, visit] = [connect(await createClient()), new ShopVisit()];
    const request = { formats: ["text" as const], only_main_content: false };
    const account = { ...request, url: visit.url("login"), actions: visit.signIn };
    const checked = await client.dryRun("scrape", account);
    const { data, meta } = await client.scrape(account);
    expect(data.text).toContain("Welcome back, Ada Lovelace.");
    expect(meta.receipt?.total).toBe(checked.max_credits);
    const products = await client.scrape({ ...request, url: visit.url("products"), actions: [...END] });
    expect(countProducts(products.data.text)).toBe(PRODUCTS);
    const price = await client.scrape({ ...request, url: visit.url("price"), proxy_country: "TR" });
    expect(price.data.text).toContain("4,990 TRY");
    const members = await client.scrape({ ...request, url: visit.url("members"), basic_auth: visit.basicAuth });
    expect(members.data.text).toContain("a discount of 10 %");
    const partners = await client.scrape({ ...request, url: visit.url("partners"), ...visit.partner });
    expect(partners.data.text).toContain("ten tide clocks for 900 EUR");
    const phone = await client.scrape({ ...request, url: visit.url("layouts"), device: "mobile", render: "always" });
    expect(phone.data.text).toContain("The server sent the phone layout.");
    const home = { url: visit.url(""), formats: ["screenshot" as const, "pdf" as const], ...WITHOUT_BANNER };
    const files = (await client.scrape(home)).data;
    expect(Object.keys(files).sort()).toEqual(["pdf_url", "screenshot_url"]);
    expect(await colorIn(files.screenshot_url ?? "")).toEqual(PAGE_COLOR);
  });

  it("is read through MCP", async () => {
    const [client, visit] = [await connectMcp(await createClient()), new ShopVisit()];
    const account = await callTool(client, "scrape", { url: visit.url("login"), actions: visit.signIn });
    expect(account.text).toContain("Welcome back, Ada Lovelace.");
    expect(visit.secretsIn(account.text)).toEqual([]);
    const products = await callTool(client, "scrape", {
      url: visit.url("products"),
      actions: END,
      only_main_content: false,
    });
    expect(countProducts(products.text)).toBe(PRODUCTS);
    const partners = await callTool(client, "scrape", { url: visit.url("partners"), ...visit.partner });
    expect(partners.text).toContain("ten tide clocks for 900 EUR");
    const price = await callTool(client, "scrape", { url: visit.url("price"), proxy_country: "TR" });
    expect(price.text).toContain("4,990 TRY");
    const layouts = { url: visit.url("layouts"), device: "mobile", render: "always", only_main_content: false };
    expect((await callTool(client, "scrape", layouts)).text).toContain("The server sent the phone layout.");
    const home = { url: visit.url(""), formats: ["screenshot"], ...WITHOUT_BANNER };
    expect(await colorIn((await callTool(client, "scrape", home)).text)).toEqual(PAGE_COLOR);
  });

  it("is read in the playground", async ({ expect }) => {
    const [{ visitor }, visit] = [await signUp(), new ShopVisit()];
    const { key, contract } = visit.customer;
    const forms = [
      [{ url: visit.url("login"), actions: JSON.stringify(visit.signIn) }, "Welcome back, Ada Lovelace."],
      [
        { url: visit.url("products"), actions: JSON.stringify(END), only_main_content: "false" },
        `Product ${PRODUCTS} of`,
      ],
      [
        {
          url: visit.url("partners"),
          other: JSON.stringify({ headers: { "X-Partner-Key": key }, cookies: { contract } }),
        },
        "ten tide clocks for 900 EUR",
      ],
      [{ url: visit.url("price"), proxy_country: "TR" }, "4,990 TRY"],
      [
        { url: visit.url("layouts"), other: `{"device": "mobile"}`, render: "always", only_main_content: "false" },
        "The server sent the phone layout.",
      ],
      [{ url: visit.url(""), formats: "screenshot", other: JSON.stringify(WITHOUT_BANNER) }, "/screenshots/"],
    ] as const;
    for (const [fields, text] of forms) {
      const response = await visitor.post("/dashboard/playground?endpoint=scrape", { formats: "text", ...fields });
      const [, id = ""] = /[?&]job=([\w-]+)/.exec(response.headers.get("location") ?? "") ?? [];
      const answer = () => visitor.read(`/dashboard/playground/answer?job=${id}`);
      await expect.poll(answer).not.toContain("data-busy");
      expect(await answer()).toContain(text);
      if (text === "/screenshots/") expect(await colorIn(await answer())).toEqual(PAGE_COLOR);
    }
  });
});
