import type { Received } from "./receiver.ts";
import type { Verification, Verifications } from "./verify.ts";

const COLUMNS = 80;
const LABEL_COLUMNS = 21;
const PREVIEW_LINES = 4;
const INDENT = "  ";

/** Adds the colors of a terminal to a text. `plain` adds none. */
export type Paint = (color: "bold" | "green" | "red", text: string) => string;
export const plain: Paint = (_, text) => text;

/** Returns the text that describes a request that isn't an event. */
export function formatRefused({ at, method, path, status }: Received): string {
  const reason = status === 413 ? "its body is too large" : "webhooks use POST";
  return wrap(
    `${at.toISOString()}  ${escapeControls(`${method} ${path}`)} was refused with ${status}: ${reason}.`,
    COLUMNS,
  )
    .slice(0, PREVIEW_LINES)
    .join("\n");
}

/**
 * Returns the text that describes an event, with lines of at most 80 columns. With `full`, the text has the whole body,
 * whose lines can be longer. Control characters are escaped, because anyone can send a request to the receiver.
 */
export function formatEvent(
  { at, headers, body, status }: Received,
  verified: Verifications,
  { full, paint = plain }: { full: boolean; paint?: Paint },
): string {
  const text = (body ?? Buffer.alloc(0)).toString();
  const event = parseObject(text);
  const attempt = headers["x-webhook-attempt"];
  const title = [
    at.toISOString(),
    toText(event.event) ?? "no event",
    attempt === undefined ? null : `attempt ${attempt}`,
  ];
  const facts: [label: string, value: string | null, color?: "green" | "red"][] = [
    ["mode", verified.mode],
    ["job", toText(event.job_id)],
    ["status", toStatus(event)],
    ["X-Webhook-ID", headers["x-webhook-id"] ?? "missing"],
    ["X-Webhook-Signature", verified.body.text, toColor(verified.body)],
    ["webhook-signature", `${verified.standard.text} (Standard Webhooks)`, toColor(verified.standard)],
    ["response", String(status)],
    ["body", `${(body?.length ?? 0).toLocaleString("en")} bytes`],
  ];
  const lines = facts.flatMap(([label, value, color]) => {
    if (value === null) return [];
    const [first = "", ...others] = wrap(escapeControls(value), COLUMNS - LABEL_COLUMNS - INDENT.length);
    const rows = [label.padEnd(LABEL_COLUMNS), ...others.map(() => " ".repeat(LABEL_COLUMNS))];
    return [first, ...others].map((row, i) => `${rows[i]}${color === undefined ? row : paint(color, row)}`);
  });
  const shown = full ? toFullBody(text) : toPreview(text);
  const [head = "", ...heads] = wrap(escapeControls(title.filter((part) => part !== null).join("  ")), COLUMNS);
  return [paint("bold", head), ...heads, ...[...lines, ...shown].map((line) => `${INDENT}${line}`)].join("\n");
}

function toColor({ ok }: Verification): "green" | "red" {
  return ok ? "green" : "red";
}

/** Returns the status with the most important figures, or null if the event isn't about a job. */
function toStatus({ status, endpoint, error, meta }: Record<string, unknown>): string | null {
  if (typeof status !== "string") return null;
  if (isObject(error)) return `${status} (${endpoint}): ${error.code}: ${error.message}`;
  const { processing_time_ms, credits_used, outcome } = isObject(meta) ? meta : {};
  const details = [
    toText(endpoint),
    toText(outcome),
    typeof processing_time_ms === "number" ? `${processing_time_ms} ms` : null,
    typeof credits_used === "number" ? `${credits_used} ${credits_used === 1 ? "credit" : "credits"}` : null,
  ];
  return `${status} (${details.filter((detail) => detail !== null).join(", ")})`;
}

function toPreview(text: string): string[] {
  const columns = COLUMNS - INDENT.length;
  const lines = wrap(escapeControls(text.slice(0, columns * (PREVIEW_LINES + 1))), columns - 2);
  if (lines.length <= PREVIEW_LINES) return lines;
  return lines.slice(0, PREVIEW_LINES).map((line, i) => (i === PREVIEW_LINES - 1 ? `${line} …` : line));
}

function toFullBody(text: string): string[] {
  const value = parse(text);
  return (value === undefined ? text : JSON.stringify(value, null, 2)).split("\n").map(escapeControls);
}

/** Replaces control characters, line separators and marks for the text direction with `\uXXXX`. */
function escapeControls(text: string): string {
  return text.replace(
    /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** Splits a text into lines of at most `columns` columns, after a space or a comma where possible. */
function wrap(text: string, columns: number): string[] {
  const lines: string[] = [];
  let line = "";
  let used = 0;
  for (const character of text) {
    const width = columnsOf(character);
    if (used + width > columns) {
      const end = Math.max(line.lastIndexOf(" "), line.lastIndexOf(",")) + 1;
      const cut = end > line.length / 2 ? end : line.length;
      lines.push(line.slice(0, cut).trimEnd());
      line = line.slice(cut);
      used = [...line].reduce((sum, kept) => sum + columnsOf(kept), 0);
    }
    line += character;
    used += width;
  }
  return line === "" ? lines : [...lines, line];
}

/** Returns an upper bound: many characters from Hangul Jamo (U+1100) on take two columns. */
function columnsOf(character: string): number {
  return (character.codePointAt(0) ?? 0) < 0x1100 ? 1 : 2;
}

function parseObject(text: string): Record<string, unknown> {
  const value = parse(text);
  return isObject(value) ? value : {};
}

/** Returns undefined if the text isn't JSON. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function toText(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}
