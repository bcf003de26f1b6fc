import { stripVTControlCharacters } from "node:util";

/**
 * - `ok`: as expected.
 * - `failed`: a difference that makes results wrong, unsafe or unavailable.
 * - `differs`: another difference.
 * - `unclear`: a public test address didn't work, so nothing is known about the service.
 * - `info`: a fact without an expectation.
 */
export type Status = "ok" | "failed" | "differs" | "unclear" | "info";

/** The result of a check: a row of the printed table. */
export interface Result {
  name: string;
  expected: string;
  observed: string;
  status: Status;
  /** Sentences that tell the operator how to treat the difference. */
  action?: string;
}

const COLUMNS = [
  { title: "check", width: 30 },
  { title: "expected", width: 34 },
  { title: "observed", width: 44 },
  { title: "result", width: 7 },
] as const;

/** Returns the head of the table. */
export function formatHead(): string {
  return [
    formatCells(COLUMNS.map(({ title }) => title)),
    COLUMNS.map(({ width }) => "─".repeat(width)).join("  "),
  ].join("\n");
}

/** Returns a row of the table. Long texts are wrapped. */
export function formatResult({ name, expected, observed, status }: Result): string {
  return formatCells([name, expected, observed, status]);
}

function formatCells(texts: string[]): string {
  // Texts of a service or a target must not control the terminal.
  const cells = COLUMNS.map(({ width }, i) => wrap(stripVTControlCharacters(texts[i] ?? ""), width));
  const height = Math.max(...cells.map((lines) => lines.length));
  return Array.from({ length: height }, (_, line) =>
    COLUMNS.map(({ width }, i) => (cells[i]?.[line] ?? "").padEnd(width))
      .join("  ")
      .trimEnd(),
  ).join("\n");
}

function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(/\s+/).flatMap((long) => long.match(new RegExp(`.{1,${width}}`, "gu")) ?? [])) {
    if (line !== "" && line.length + 1 + word.length > width) {
      lines.push(line);
      line = "";
    }
    line += line === "" ? word : ` ${word}`;
  }
  return [...lines, line];
}

/** Returns the list of actions, and a sentence with the number of results. */
export function formatSummary(results: readonly Result[]): string {
  const actions = results.filter(({ status, action }) => status !== "ok" && action !== undefined);
  const list = actions.map(({ name, action }) => `- ${name}: ${action}`);
  const count = (status: Status) => results.filter((result) => result.status === status).length;
  const failed = count("failed");
  const verdict = failed === 0 ? "No check failed." : failed === 1 ? "1 check failed." : `${failed} checks failed.`;
  const total = `${verdict} ${count("ok")} as expected, ${count("differs")} with a minor difference, ${count("unclear")} unclear.`;
  return [...(list.length === 0 ? [] : ["What to do:", ...list, ""]), total].join("\n");
}

/** The list of what a run can't observe. */
export const NOT_OBSERVED = `What this can't see from outside:
- where the database, the bucket and the objects of accounts are
- how much memory an isolate uses, and whether several objects share one
- whether renders survive a deployment: Cloudflare replaces objects on a best-effort basis
- how many browsers start under load, because a run renders one page at a time
- whether the cron runs, and what the service costs. Cloudflare's dashboard shows both`;

/** Returns a duration such as 340 ms or 2.1 s. */
export function formatMs(ms: number): string {
  return ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`;
}

/** Returns a size such as 15.4 MB. */
export function formatBytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
