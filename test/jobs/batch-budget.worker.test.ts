import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { newBatchChecks } from "../../src/endpoints/shared/batch-checks";
import { validateBatchPages } from "../../src/jobs/batch-pages";
import { newId } from "../../src/lib/id";
import { MAX_BATCH_CHECKED_CHARS } from "../../src/model/limits";
import { toPrices } from "../../src/model/prices";

type Fields = Record<string, unknown>;

/** Checks a batch. Returns the share of the budget that the checks used, and the first error. */
async function check(toFields: (index: number) => Fields, defaults: Fields = {}, pages = 1_000) {
  const checks = newBatchChecks();
  const { stepsLeft } = checks.budget;
  const requests = Array.from({ length: pages }, (_, i) => ({ url: `https://example.com/${i}`, ...toFields(i) }));
  const context = { env, mode: "test" as const, origin: "https://example.org", prices: toPrices(env, null), checks };
  const batch = { endpoint: "scrape" as const, requests, defaults };
  const error = await validateBatchPages(batch, { ...context, key: { mode: "test", id: newId() } }).then(
    () => undefined,
    (refusal) => refusal.details[0],
  );
  return { used: 1 - checks.budget.stepsLeft / stepsLeft, error };
}

describe("the budget of a batch's checks", () => {
  it("counts selectors and actions in the defaults once", async () => {
    const selectors = (name: string) => Array.from({ length: 50 }, (_, i) => `${".a > ".repeat(98)}.${name}${i}`);
    const defaults = {
      include_selectors: selectors("b"),
      exclude_selectors: selectors("c"),
      actions: Array.from({ length: 50 }, (_, i) => ({ type: "click", selector: `.button${i}` })),
    };
    const chars = JSON.stringify(defaults).length;
    const { used, error } = await check(() => ({}), defaults);
    expect(error).toBeUndefined();
    expect(used).toBeGreaterThan((chars * 0.9) / MAX_BATCH_CHECKED_CHARS);
    expect(used).toBeLessThan((chars * 1.1) / MAX_BATCH_CHECKED_CHARS);
  });

  const selectors = (i: number) => ({ include_selectors: [`${".a".repeat(60)}${i}`] });
  const toSchema = (pattern: string) => ({
    formats: ["json"],
    json: { prompt: "x", schema: { type: "object", properties: { code: { type: "string", pattern } } } },
  });
  const schemas = (i: number) => toSchema(`^[a-z]+${i}$`);
  const texts = (i: number) => ({ actions: [{ type: "type", selector: "#a", text: `${"x".repeat(70)}${i}` }] });

  it("is shared by selectors, schemas and actions", async () => {
    for (const toFields of [selectors, schemas, texts]) {
      const { used, error } = await check(toFields, {}, 600);
      expect(error).toBeUndefined();
      expect(used).toBeGreaterThan(0.25);
    }
    const all = await check((i) => ({ ...selectors(i), ...schemas(i), ...texts(i) }), {}, 600);
    const limits =
      /different selectors, schemas and actions can have at most 250000 characters|patterns of the request/;
    expect(all.error?.message).toMatch(limits);
    expect(all.used).toBeLessThan(1.01);
  });

  it("ends with an error if each request has a slow pattern", async () => {
    const { used, error } = await check((i) => toSchema(`^(?:[a-z]{1,12}[0-9]{1,12}){1,12}${i}$`));
    expect(error).toEqual({
      path: expect.stringMatching(/^requests\.\d\d\.json\.schema\.properties\.code\.pattern$/),
      message: expect.stringContaining("the patterns of the request take too long to check"),
    });
    expect(used).toBeLessThan(1.01);
  });
});
