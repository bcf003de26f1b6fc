import { writeFileSync } from "node:fs";

export interface Table {
  /** One row: `part`, `name`, `outcome`, `ms`. */
  add: (row: URLSearchParams) => boolean;
  write: () => void;
}

/** What became of every case, as markdown in the file that HOSTILE_TABLE names. */
export function startTable(): Table {
  const rows: Record<string, string>[] = [];
  return {
    add: (row) => rows.push(Object.fromEntries(row)) > 0,
    write: () => {
      const file = process.env.HOSTILE_TABLE;
      if (file !== undefined && rows.length > 0) writeFileSync(file, toMarkdown(rows));
    },
  };
}

function toMarkdown(rows: Record<string, string>[]): string {
  const parts = Map.groupBy(rows, ({ part = "" }) => part);
  const tables = [...parts]
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([part, cases]) => {
      const lines = cases
        .sort((a, b) => (a.name ?? "").localeCompare(b.name ?? "", "en", { numeric: true }))
        .map(({ name, outcome, ms }) => `| ${name} | ${outcome} | ${ms} |`);
      return [`## ${part}`, "", "| case | outcome | ms |", "|---|---|---:|", ...lines, ""].join("\n");
    });
  return `${INTRODUCTION}\n${tables.join("\n")}`;
}

const INTRODUCTION = `# The hostile web

Every behaviour of the hostile site (\`test/support/hostile/\`), asked through the public API: what came of it, and the time
from the request to the answer, on loopback, eight cases at a time on 2 cores. A failure is never charged: each row's balance is checked.

\`npm run hostile\` runs them all (\`test/hostile/\`) and writes this file.
`;
