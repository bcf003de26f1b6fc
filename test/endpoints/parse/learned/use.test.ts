import { expect, it } from "vitest";
import { LearnedPage, type LearningContext } from "../../../../src/endpoints/parse/learned/use";
import { toParts } from "../../../../src/endpoints/parse/parts";
import { readHtml } from "../../../../src/endpoints/parse/read-page";
import { parseVisiblePage } from "../../../../src/html/visible-page";
import type { SchemaObject } from "../../../../src/json-schema/keywords";
import { EXTRACTOR_CHECK_INTERVAL, type ExtractorChange, type StoredExtractor } from "../../../../src/model/extractor";
import { productOf, TEMPLATE_SCHEMA, templatePage } from "../../../support/template-site";

const URL_OF_PAGE = "https://shop.example/products/1";

/** Stands for the account's object, which has one extractor at most. */
class Store implements LearningContext {
  readonly run = "job/1";
  mayLearn = true;
  stored: StoredExtractor | null = null;
  readonly changes: ExtractorChange[] = [];
  readonly extractors = {
    find: async () => this.stored,
    save: async (change: ExtractorChange) => {
      this.changes.push(change);
      const { id, rules, status, pages, drift } = change;
      const counts = { uses: 0, misses: 0, checks: 0 };
      const times = { createdAt: 0, learnedAt: 0, usedAt: 0, driftedAt: null };
      const version = change.version + 1;
      this.stored = {
        ...{ id, rules, status, pages, version, drift, host: "", properties: [] },
        ...counts,
        ...times,
      };
    },
  };
}

async function open(store: Store, number: number, schema: SchemaObject = TEMPLATE_SCHEMA) {
  const page = parseVisiblePage(templatePage(number, "first"));
  const pageText = toParts(readHtml(page, { url: URL_OF_PAGE }), { maxTokens: 30_000, maxParts: 8 }).text;
  return await LearnedPage.open({ request: { prompt: "", schema }, page, url: URL_OF_PAGE, pageText }, store);
}

async function learn(store: Store, number: number, changes: SchemaObject = {}): Promise<ExtractorChange | undefined> {
  const learned = await open(store, number);
  await learned?.learn({ data: { ...productOf(number), ...changes }, quotes: [] });
  return store.changes.at(-1);
}

async function learnedStore(uses: number): Promise<{ store: Store; stored: StoredExtractor }> {
  const store = new Store();
  for (let number = 1; number <= 3; number++) await learn(store, number);
  if (store.stored === null) throw new Error("Nothing was learned.");
  store.stored = { ...store.stored, uses };
  return { store, stored: store.stored };
}

it("an extractor is active after three parses", async () => {
  const { store } = await learnedStore(1);
  expect(store.changes.map(({ status, pages }) => [status, pages])).toEqual([
    ["learning", 1],
    ["learning", 2],
    ["active", 3],
  ]);
  const learned = await open(store, 5);
  expect(learned?.needsModel).toBe(false);
  expect(learned).toMatchObject({ answer: { data: productOf(5), meta: { learned_from: 3 } }, isCheck: false });
});

it("one in twenty uses is compared with the model, and other values make the extractor learn again", async () => {
  const { store, stored } = await learnedStore(EXTRACTOR_CHECK_INTERVAL);
  expect(await open(store, 5)).toMatchObject({ answer: { data: productOf(5) }, isCheck: true });
  expect(await learn(store, 5)).toMatchObject({ status: "active", pages: 4, isCheck: true, drift: null });
  for (const [changes, pages] of [
    // The page has this value at another place.
    [{ price: 6.9 }, 1],
    [{ maker: "A name that the page doesn't have" }, 0],
  ] as const) {
    store.stored = stored;
    expect(await learn(store, 5, changes)).toMatchObject({
      ...{ status: "learning", pages, isCheck: true, isMiss: false, drift: "The model found other values." },
    });
    expect(await open(store, 5)).toMatchObject({ answer: null, needsModel: true });
  }
});

it("a page without a certain result is a miss, and its rules are kept if they agree with the model", async () => {
  const { store } = await learnedStore(1);
  // Page 4 is the first one with a discount.
  expect(await open(store, 4)).toMatchObject({ answer: null, needsModel: true });
  expect(await learn(store, 4)).toMatchObject({ status: "active", pages: 4, isMiss: true, drift: null });
});

it("nothing is learned from values that the page doesn't have, and from requests that keep nothing", async () => {
  const store = new Store();
  expect(await learn(store, 1, { maker: "A name that the page doesn't have" })).toBeUndefined();
  store.mayLearn = false;
  expect(await learn(store, 1)).toBeUndefined();
});

it("values that don't match the schema are no answer", async () => {
  const { store } = await learnedStore(1);
  const schema = { ...TEMPLATE_SCHEMA, properties: { ...TEMPLATE_SCHEMA.properties, price: { maximum: 1 } } };
  expect(await open(store, 5, schema)).toMatchObject({ answer: null });
});

it("rules of another format and an account that can't be reached are no errors", async () => {
  const { store } = await learnedStore(1);
  store.stored = store.stored && { ...store.stored, rules: JSON.stringify({ format: 0, scope: {} }) };
  expect(await open(store, 5)).toMatchObject({ answer: null });
  expect(await learn(store, 5)).toMatchObject({ status: "learning", pages: 1 });
  store.extractors.find = () => Promise.reject(new Error("The object restarts."));
  expect(await open(store, 5)).toBeNull();
});
