import { describe, expect, it } from "vitest";
import { describePlaces } from "../../src/dashboard/pages/extractors/describe-place";
import { refOf } from "../support/client";
import { storeExtractor } from "../support/stored-extractor";
import { accountIdOf, addMember, signUp } from "../support/visitor";

async function signUpLive() {
  const user = await signUp();
  await user.visitor.post("/dashboard/mode", { mode: "live" });
  const accountId = await accountIdOf(user);
  return { visitor: user.visitor, accountId, account: await refOf(accountId) };
}

const toText = (html: string) => html.replace(/<[^>]+>/g, " ").replace(/\s+/g, " ");

describe("the pages about extractors", () => {
  it("list the extractors with their hit rate and last drift, and explain an empty list", async () => {
    const { visitor, account } = await signUpLive();
    expect(await visitor.read("/dashboard/extractors")).toContain("No extractors yet");
    await storeExtractor(account, "live");
    const html = await visitor.read("/dashboard/extractors");
    // On narrow screens, the cells have these labels.
    for (const label of ["Properties", "Learned from", "Last drift", "Last used"]) {
      expect(html).toContain(`data-label="${label}"`);
    }
    const list = toText(html);
    expect(list).toMatch(/shop\.example active price 3 parses 87\.5% of 8 pages (?:just now|\d+ s(?:econds?)? ago)/);
    await visitor.post("/dashboard/mode", { mode: "test" });
    expect(await visitor.read("/dashboard/extractors")).toContain("No test extractors");
  });

  it("show an extractor's figures and rules, and delete it", async () => {
    const { visitor, account, accountId } = await signUpLive();
    const id = await storeExtractor(account, "live");
    const page = toText(await visitor.read(`/dashboard/extractors/${id}`));
    for (const text of [
      "87.5% of 8 pages",
      "Learned from 3 parses",
      "1 read by a model",
      ": The page has a new part.",
      "/price the number next to the label “price” (dd)",
    ]) {
      expect(page).toContain(text);
    }
    const viewer = await addMember(accountId, "read_only");
    await viewer.visitor.post("/dashboard/mode", { mode: "live" });
    expect(await viewer.visitor.read(`/dashboard/extractors/${id}`)).not.toContain("Delete extractor");
    expect((await viewer.visitor.post(`/dashboard/extractors/${id}/delete`)).status).toBe(403);
    const deletion = await visitor.post(`/dashboard/extractors/${id}/delete`);
    expect(await visitor.read(deletion.headers.get("location") ?? "")).toContain("The extractor was deleted.");
    const missing = await visitor.get(`/dashboard/extractors/${id}`);
    expect(missing.status).toBe(404);
    expect(await missing.text()).toContain("Extractor not found");
  });
});

describe("the places of a value", () => {
  it.each([
    ["path:body>main>h1", "text", "the text in body > main > h1"],
    [
      "path:@meta>meta>title",
      'between:[""," - Harbor Goods"]',
      "the text before “- Harbor Goods” in meta > meta > title",
    ],
    ["class:article.product>p.by", 'between:["By ",""]', "the text after “By” in article.product > p.by"],
    ["label:price|dd", "number:.0/1", "the number next to the label “price” (dd)"],
    ["starts:save|main>p", "number:,1/3", "number 2 of 3 of the text that starts with “save” in main > p"],
    ["heading:reviews|div>div", "items", "the items below the heading “reviews” in div > div"],
    ["path:.", "currency", "the currency of the item"],
  ])("describe %s with %s in words", (address, reading, text) => {
    expect(describePlaces([{ address, reading }])).toEqual([text]);
  });

  it("are described once if they differ only in the decimal separator", () => {
    const places = ["number:.0/2", "number:,0/2"].map((reading) => ({ address: "path:span", reading }));
    expect(describePlaces(places)).toEqual(["number 1 of 2 in span"]);
  });
});
