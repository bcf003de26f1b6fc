import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addHistogram, type Histogram, toPercentile } from "../../src/account/credits/histogram";
import { type UsageRow, UsageSum } from "../../src/account/credits/usage-totals";

const HISTOGRAM = fc.dictionary(fc.nat(140).map(String), fc.integer({ min: 1, max: 50 }), { maxKeys: 5 });

const ROW: fc.Arbitrary<UsageRow> = fc
  .record({
    date: fc.constantFrom("2026-11-03", "2026-11-02", "2026-11-01"),
    key_id: fc.constantFrom("a", "b", "c"),
    endpoint: fc.constantFrom("scrape", "parse", "serp", "map"),
    code: fc.constantFrom("ok", "login", "timeout"),
    requests: fc.integer({ min: 1, max: 1_000 }),
    credits: fc.nat(1_000),
    durations: HISTOGRAM,
  })
  .map(({ durations, ...row }) => {
    const failed = row.code === "timeout";
    return { ...row, failed: failed ? 1 : 0, durations: failed ? null : JSON.stringify(durations) };
  });

/** Returns the expected totals of one group of rows. Adds up the rows in the simplest way. */
function toTotal(rows: readonly UsageRow[]) {
  const sum = (of: (row: UsageRow) => number) => rows.reduce((total, row) => total + of(row), 0);
  const durations: Record<string, number> = {};
  for (const row of rows) addHistogram(durations, JSON.parse(row.durations ?? "{}") as Histogram);
  return {
    requests: sum(({ requests }) => requests),
    failed: sum(({ failed, requests }) => failed * requests),
    credits: sum(({ credits }) => credits),
    p50: toPercentile(durations, 0.5),
    p95: toPercentile(durations, 0.95),
  };
}

function group<Name>(rows: readonly UsageRow[], keyOf: (row: UsageRow) => string, nameOf: (rows: UsageRow[]) => Name) {
  return [...Map.groupBy(rows, keyOf).values()].map((members) => ({ ...nameOf(members), ...toTotal(members) }));
}

/** Yields all rows in the same object. If the tested code kept a row, the next row would overwrite its values. */
function* reuse(rows: readonly UsageRow[]): Generator<UsageRow> {
  const reused = {} as UsageRow;
  for (const row of rows) yield Object.assign(reused, row);
}

describe("the totals of usage", () => {
  it("equal the totals of each group, although no row is kept in memory", () => {
    fc.assert(
      fc.property(fc.array(ROW, { maxLength: 60 }), (rows) => {
        const byRequests = (a: { requests: number }, b: { requests: number }) => b.requests - a.requests;
        const byEndpoint = (a: { endpoint?: string }, b: { endpoint?: string }) =>
          (a.endpoint ?? "") < (b.endpoint ?? "") ? -1 : 1;
        const sum = new UsageSum();
        for (const row of reuse(rows)) sum.add(row);
        expect(sum.toTotals()).toEqual({
          total: toTotal(rows),
          days: group(
            rows,
            ({ date, endpoint }) => `${date} ${endpoint}`,
            ([row]) => ({ date: row?.date ?? "", endpoint: row?.endpoint ?? "" }),
          ).sort((a, b) => b.date.localeCompare(a.date) || byEndpoint(a, b)),
          endpoints: group(
            rows,
            ({ endpoint }) => endpoint,
            ([row]) => ({ endpoint: row?.endpoint ?? "" }),
          ).sort(byEndpoint),
          keys: group(
            rows,
            ({ key_id }) => key_id,
            ([row]) => ({ keyId: row?.key_id }),
          ).sort(byRequests),
          codes: group(
            rows,
            ({ code }) => code,
            (members) => ({
              code: members[0]?.code,
              endpoints: [...new Set(members.map((row) => row.endpoint))].sort(),
            }),
          ).sort(byRequests),
          groups: [],
        });
      }),
    );
  });
});
