import { describe, expect, it } from "vitest";
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
    const list = toText(await visitor.read("/dashboard/extractors"));
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
      "1 read by a model",
      "The page has a new part.",
      "/price",
      "label:price|dd",
    ]) {
      expect(page).toContain(text);
    }
    const viewer = await addMember(accountId, "read_only");
    await viewer.visitor.post("/dashboard/mode", { mode: "live" });
    expect(await viewer.visitor.read(`/dashboard/extractors/${id}`)).not.toContain("Delete extractor");
    expect((await viewer.visitor.post(`/dashboard/extractors/${id}/delete`)).status).toBe(403);
    expect((await visitor.post(`/dashboard/extractors/${id}/delete`)).headers.get("location")).toBe(
      "/dashboard/extractors",
    );
    const missing = await visitor.get(`/dashboard/extractors/${id}`);
    expect(missing.status).toBe(404);
    expect(await missing.text()).toContain("Extractor not found");
  });
});
