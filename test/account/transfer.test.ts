import { runInDurableObject } from "cloudflare:test";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { importLines, TABLES } from "../../src/account/lifecycle/transfer";
import type { JobEnd } from "../../src/account/storage/types";
import type { AccountRef } from "../../src/model/account";
import { newJob, objectOf, openObject, stubOf } from "../support/account";

const end: JobEnd = {
  status: "completed",
  result: '{"markdown":"# Ünïcode \\u2028 🙂"}',
  extras: { evidence: ["a"], engine: "google" },
  charge: 1,
  processingTimeMs: 12,
  endedAt: Date.now(),
};

/** Returns every row of an account as NDJSON. */
async function exportAll(account: AccountRef): Promise<string> {
  let [lines, cursor]: [string, string | null] = ["", null];
  do {
    const page = await stubOf(account).exportRows(cursor);
    if (page.kind !== "page") throw new Error("The account doesn't exist.");
    lines += page.lines;
    cursor = page.next;
  } while (cursor !== null);
  return lines;
}

/** Imports an export into a new Durable Object without opening it. */
async function importInto(account: AccountRef, lines: string): Promise<AccountRef> {
  const copy = { ...account, object: crypto.randomUUID() };
  await stubOf(copy).beginImport();
  await stubOf(copy).importRows({ lines, next: null });
  return copy;
}

const jobSteps = fc.array(
  fc.record({
    mode: fc.constantFrom("live" as const, "test" as const),
    what: fc.constantFrom("wait", "complete", "fail", "queue"),
    request: fc.json({ maxDepth: 2 }),
    subject: fc.option(fc.string({ unit: "grapheme", maxLength: 40 })),
    idempotency: fc.option(fc.uuid()),
    pad: fc.nat(5_000),
  }),
  { maxLength: 25 },
);

describe("an export", () => {
  it("returns the same rows after an import and another export, for any account", async () => {
    await fc.assert(
      fc.asyncProperty(jobSteps, fc.nat(50), async (steps, credits) => {
        const account = await openObject({ credits, concurrentJobs: 3 });
        const object = stubOf(account);
        for (const { mode, what, request, subject, idempotency, pad } of steps) {
          const job = newJob(account, {
            mode,
            request: request + " ".repeat(pad),
            subject,
            waiting: what === "wait" || what === "complete",
            idempotency: idempotency === null ? null : { key: idempotency, bodyHash: "hash" },
          });
          const created = await object.createJob(job);
          if (created.kind !== "created") continue;
          if (what === "complete") await object.finish(job, 1, end);
          if (what === "fail") await object.cancel(job);
        }
        const rows = await exportAll(account);
        const copy = await importInto(account, rows);
        expect(await exportAll(copy)).toBe(rows);
      }),
      { numRuns: 15 },
    );
  }, 60_000);

  it("consists of pages that can be imported separately and repeatedly", async () => {
    const account = await openObject({ credits: 5_000, concurrentJobs: 10 });
    const object = stubOf(account);
    await runInDurableObject(objectOf(account), (_, { storage }) => {
      for (let i = 0; i < 2_500; i++) {
        storage.sql.exec("INSERT INTO ledger (kind, key, amount, created_at) VALUES ('adjustment', ?, 0, 0)", `k${i}`);
      }
    });
    const copy = { ...account, object: crypto.randomUUID() };
    await stubOf(copy).beginImport();
    let [cursor, pages]: [string | null, number] = [null, 0];
    do {
      const page = await object.exportRows(cursor);
      if (page.kind !== "page") throw new Error("The account doesn't exist.");
      for (let i = 0; i < 2; i++) await stubOf(copy).importRows(page);
      expect(await stubOf(copy).beginImport()).toEqual({ kind: "importing", cursor: page.next });
      cursor = page.next;
      pages++;
    } while (cursor !== null);
    expect(pages).toBeGreaterThan(2);
    expect(await exportAll(copy)).toBe(await exportAll(account));
  });

  it("continues within a table if a page is cut because of its size", async () => {
    const account = await openObject();
    await runInDurableObject(objectOf(account), (_, { storage }) => {
      for (let i = 0; i < 90; i++) {
        storage.sql.exec("INSERT INTO payloads (mode, id, result) VALUES ('live', ?, ?)", `${i}`, "x".repeat(60_000));
      }
    });
    const sizes: number[] = [];
    for (let cursor: string | null = null; ; ) {
      const page = await stubOf(account).exportRows(cursor);
      if (page.kind !== "page") throw new Error("The account doesn't exist.");
      sizes.push(page.lines.length);
      cursor = page.next;
      if (cursor === null) break;
    }
    expect(sizes.length).toBe(3);
    expect(Math.max(...sizes)).toBeLessThan(2_100_000);
    const rows = (await exportAll(account)).split("\n").filter((line) => line.startsWith('["payloads"'));
    expect(new Set(rows).size).toBe(90);
  });

  it.each([
    ['["sqlite_master", {"name": "a"}]', "The export contains the unknown table 'sqlite_master'."],
    ['["ledger", {"id": 1, "other": 2}]', "The export contains the unknown column 'ledger.other'."],
  ])("can't be imported with an unknown table or column: %s", async (line, message) => {
    await runInDurableObject(objectOf(await openObject()), (_, { storage }) => {
      expect(() => importLines(storage.sql, line)).toThrow(message);
    });
  });

  it("contains every table", async () => {
    const account = await openObject();
    const names = await runInDurableObject(objectOf(account), (_, { storage }) =>
      storage.sql
        .exec<{ name: string }>(
          "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_cf\\_%' ESCAPE '\\' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'",
        )
        .toArray(),
    );
    expect(names.map(({ name }) => name).sort()).toEqual(Object.keys(TABLES).sort());
  });
});

describe("an imported account", () => {
  it("returns gone until it is activated, then requeues interrupted jobs", async () => {
    const account = await openObject();
    const running = newJob(account);
    await stubOf(account).createJob(running);
    const claim = await stubOf(account).claim(running, "token");
    const copy = await importInto(account, await exportAll(account));
    const object = stubOf(copy);
    expect(await object.get(running)).toBeNull();
    expect(await object.createJob(newJob(copy))).toEqual({ kind: "gone" });
    expect(await object.activate({ object: copy.object, jurisdiction: null })).toEqual({ kind: "open" });
    expect(await object.activate({ object: copy.object, jurisdiction: null })).toEqual({ kind: "open" });
    expect(claim).toMatchObject({ kind: "run", job: { run: 1, attempts: 1 } });
    expect(await object.get(running)).toMatchObject({ status: "queued", attempts: 0, account: copy });
    // The interrupted run can't end the job in the new Durable Object.
    expect(await object.finish(running, 1, end)).toEqual({ kind: "lease_lost" });
    expect(await object.claim(running, "other")).toMatchObject({ kind: "run", job: { run: 2, attempts: 1 } });
    expect(await object.finish(running, 2, end)).toMatchObject({ kind: "ended" });
  });

  it("has no waiting callers", async () => {
    const account = await openObject();
    const running = newJob(account, { waiting: true });
    await stubOf(account).createJob(running);
    const copy = await importInto(account, await exportAll(account));
    await stubOf(copy).activate({ object: copy.object, jurisdiction: null });
    expect(await stubOf(copy).get(running)).toMatchObject({ status: "queued", waiting: false, leaseUntil: null });
  });

  it("can't be imported into an open or erased Durable Object", async () => {
    const account = await openObject();
    expect(await stubOf(account).beginImport()).toEqual({ kind: "gone" });
    await stubOf(account).discard();
    expect(await stubOf(account).beginImport()).toEqual({ kind: "gone" });
    expect(await stubOf(account).importRows({ lines: "", next: null })).toEqual({ kind: "gone" });
  });
});
