import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import { median } from "../figures.ts";
import type { Statement } from "./statement.ts";

/** The statements once more, in their order, in a SQLite of the same schema: what it takes for each, the median in ms. */
export function replay(setUp: string[], trace: Statement[]): Record<string, number> {
  const db = new DatabaseSync(":memory:");
  db.exec("PRAGMA foreign_keys = ON");
  for (const statement of setUp) db.exec(statement);
  const times: Record<string, number[]> = {};
  const prepared = new Map<string, ReturnType<typeof db.prepare>>();
  for (const { by, sql, values } of trace) {
    const statement = prepared.get(sql) ?? db.prepare(sql);
    prepared.set(sql, statement);
    const start = performance.now();
    statement.all(...(values as SQLInputValue[]));
    const taken = performance.now() - start;
    const name = `${by}: ${sql.replace(/\s+/g, " ").trim().slice(0, 60)}`;
    times[name] = [...(times[name] ?? []), taken];
  }
  db.close();
  return Object.fromEntries(Object.entries(times).map(([name, all]) => [name, toMedian(all)]));
}

function toMedian(values: number[]): number {
  return Math.round(median(values) * 1_000) / 1_000;
}
