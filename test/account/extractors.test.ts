import { expect, it } from "vitest";
import { type ExtractorChange, type ExtractorQuery, MAX_EXTRACTOR_BYTES } from "../../src/model/extractor";
import { openObject, sqlIn, stubOf } from "../support/account";

const PAGE: ExtractorQuery = { host: "shop.example", shape: "shape", request: "request", run: "job/1" };

function changeOf(change: Partial<ExtractorChange> = {}): ExtractorChange {
  return {
    ...{ id: "extractor", query: PAGE, properties: ["price"], version: 0, rules: "{}", status: "learning", pages: 1 },
    ...{ isMiss: false, isCheck: false, drift: null },
    ...change,
  };
}

it("an active extractor counts each run that uses it once", async () => {
  const object = stubOf(await openObject());
  expect(await object.useExtractor("live", PAGE)).toEqual({ kind: "found", extractor: null });
  await object.saveExtractor("live", changeOf());
  expect(await object.useExtractor("live", PAGE)).toMatchObject({ extractor: { status: "learning", uses: 0 } });
  await object.saveExtractor("live", changeOf({ version: 1, status: "active", pages: 3 }));
  for (const [run, uses] of [
    ["job/2", 1],
    ["job/2", 1],
    ["job/3", 2],
  ] as const) {
    const found = await object.useExtractor("live", { ...PAGE, run });
    expect(found).toMatchObject({ extractor: { status: "active", pages: 3, uses, learnedAt: expect.any(Number) } });
  }
  expect(await object.useExtractor("test", PAGE)).toMatchObject({ extractor: null });
  expect(await object.useExtractor("live", { ...PAGE, request: "other" })).toMatchObject({ extractor: null });
});

it("a change of an extractor has no effect if another run has changed it, or if it is repeated", async () => {
  const object = stubOf(await openObject());
  await object.saveExtractor("live", changeOf());
  await object.saveExtractor("live", changeOf({ id: "second", rules: '{"a":1}' }));
  const miss = changeOf({ version: 1, isMiss: true, drift: "The page has a new part." });
  await object.saveExtractor("live", miss);
  await object.saveExtractor("live", miss);
  const { extractors = [] } = { ...(await object.listExtractors("live")) } as { extractors?: unknown[] };
  expect(extractors).toMatchObject([{ id: "extractor", misses: 1, drift: "The page has a new part." }]);
});

it("an active extractor notes that the layout changed if a page has a new shape", async () => {
  const account = await openObject();
  const object = stubOf(account);
  await object.saveExtractor("live", changeOf());
  await object.saveExtractor("live", changeOf({ version: 1, status: "active" }));
  await object.saveExtractor("live", changeOf({ id: "learning", query: { ...PAGE, shape: "third" } }));
  await sqlIn(account, "UPDATE extractors SET used_at = used_at + 1 WHERE id = 'learning'");
  await object.useExtractor("live", { ...PAGE, shape: "other" });
  expect(await object.getExtractor("live", "extractor")).toMatchObject({
    extractor: { drift: "A page has a new layout.", driftedAt: expect.any(Number) },
  });
  expect(await object.getExtractor("live", "learning")).toMatchObject({ extractor: { drift: null } });
});

it("an account keeps the 200 extractors that were used last, and none that is too large", async () => {
  const account = await openObject();
  await sqlIn(
    account,
    `WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 200)
     INSERT INTO extractors (mode, id, host, request, shape, properties, version, rules, pages, created_at, used_at)
     SELECT 'live', 'id' || n, 'host' || n, 'r', 's', '[]', 1, '{}', 1, n, n FROM numbers`,
  );
  const object = stubOf(account);
  await object.saveExtractor("live", changeOf({ rules: JSON.stringify("x".repeat(MAX_EXTRACTOR_BYTES)) }));
  const count = "SELECT COUNT(*) AS extractors, MIN(used_at) AS oldest FROM extractors";
  expect(await sqlIn(account, count)).toEqual([{ extractors: 200, oldest: 1 }]);
  await object.saveExtractor("live", changeOf());
  expect(await sqlIn(account, count)).toEqual([{ extractors: 200, oldest: 2 }]);
});

it("an extractor can be deleted", async () => {
  const object = stubOf(await openObject());
  await object.saveExtractor("live", changeOf());
  expect(await object.deleteExtractor("test", "extractor")).toEqual({ kind: "deleted", found: false });
  expect(await object.deleteExtractor("live", "extractor")).toEqual({ kind: "deleted", found: true });
  expect(await object.listExtractors("live")).toEqual({ kind: "listed", extractors: [] });
});
