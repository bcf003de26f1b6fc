import { writeFileSync } from "node:fs";

export interface OutcomeTable {
  /** Adds a row with the fields `part`, `name`, `outcome` and `ms`. */
  add: (row: URLSearchParams) => boolean;
  write: () => void;
}

/**
 * Collects the outcome of each case. Writes the outcomes as a Markdown table to the file that the variable
 * HOSTILE_TABLE names.
 */
export function startOutcomeTable(): OutcomeTable {
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

This page answers how the service responds to a hostile website.
Each row is a case of the test website in \`test/support/hostile/\`, requested through the public API.
The outcome is \`success\` or the code of the error.
The time is measured from the request to the response, on loopback, with eight cases in parallel on 2 cores.
The test also checks the balance after each case, because failed requests must be free.

\`npm run lab -- hostile\` runs all cases (\`test/hostile/\`) and writes this file.
`;
