import { newId } from "../../src/lib/id";
import type { AccountRef } from "../../src/model/account";
import type { Mode } from "../../src/model/api-key";
import { stubOf } from "./account";

const RULES = JSON.stringify({
  format: 1,
  scope: {
    pattern: {
      kind: "object",
      members: { price: { kind: "leaf", locators: ["label:price|dd\tnumber:.0/1"], values: [], absent: null } },
    },
    known: [],
    once: [],
  },
});

/**
 * Stores an active extractor for pages of shop.example. It was used for eight pages, and one of them needed a model.
 * Returns its id.
 */
export async function storeExtractor(account: AccountRef, mode: Mode): Promise<string> {
  const object = stubOf(account);
  const id = newId();
  const query = { host: "shop.example", shape: id, request: "r", run: "job/0" };
  const change = {
    id,
    query,
    properties: ["price"],
    rules: RULES,
    pages: 3,
    isMiss: false,
    isCheck: false,
    drift: null,
  };
  await object.saveExtractor(mode, { ...change, version: 0, status: "learning" });
  await object.saveExtractor(mode, { ...change, version: 1, status: "active" });
  for (let run = 1; run <= 8; run++) await object.useExtractor(mode, { ...query, run: `job/${run}` });
  const drift = "The page has a new part.";
  await object.saveExtractor(mode, { ...change, version: 2, status: "active", isMiss: true, drift });
  return id;
}
