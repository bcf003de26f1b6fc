/** The width of a terminal that every line fits, unless a single word is longer. */
const WIDTH = 100;

/** Formats data of the admin API for people: one line per value, with aligned names. Empty lines separate records. */
export function formatData(data: unknown): string {
  if (Array.isArray(data)) return data.length === 0 ? "none" : data.map(formatData).join("\n\n");
  if (!isRecord(data)) return formatText(toText(data));
  const entries = Object.entries(data).map(([name, value]) => [name.replaceAll("_", " "), value] as const);
  const indent = Math.max(...entries.map(([name]) => name.length)) + 2;
  const lines = entries.flatMap(([name, value]) => {
    // Each record of a list begins a new line.
    const parts = Array.isArray(value) && value.some(isRecord) ? value : [value];
    const [first = "", ...others] = parts.flatMap((part) => wrap(toText(part), WIDTH - indent));
    return [name.padEnd(indent) + first, ...others.map((line) => " ".repeat(indent) + line)];
  });
  return lines.join("\n");
}

/** Splits the lines of a text that are longer than the width of a terminal. */
export function formatText(text: string): string {
  return text
    .split("\n")
    .flatMap((line) => wrap(line, WIDTH))
    .join("\n");
}

export interface ListedAccount {
  id: string;
  name: string;
  plan: string;
  balance: number | null;
  suspended_at: string | null;
}

/** Returns one line per account: its id, plan, balance, status and the beginning of its name. */
export function formatAccounts(accounts: readonly ListedAccount[]): string {
  const lines = accounts.map(({ id, plan, balance, suspended_at: suspendedAt, name }) => {
    const status = suspendedAt === null ? "active" : "suspended";
    const facts = [id.padEnd(36), plan.padEnd(10), toText(balance).padStart(9), status.padEnd(9)];
    return [...facts, name].join("  ").slice(0, WIDTH);
  });
  return lines.join("\n");
}

/** Returns a value on one line. `-` means that there is no value. */
function toText(value: unknown): string {
  if (value === null || value === "") return "-";
  if (Array.isArray(value)) return value.length === 0 ? "-" : value.map(toText).join(", ");
  if (!isRecord(value)) return String(value);
  const parts = Object.entries(value).map(
    ([name, part]) => `${name}=${isRecord(part) ? `(${toText(part)})` : toText(part)}`,
  );
  return parts.join(", ");
}

/** Splits a line at spaces into lines of at most `width` characters. A longer word stays whole. */
function wrap(line: string, width: number): string[] {
  if (line.length <= width) return [line];
  const lines = [""];
  for (const word of line.split(" ")) {
    const last = lines.at(-1) ?? "";
    if (last === "") lines[lines.length - 1] = word;
    else if (last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
