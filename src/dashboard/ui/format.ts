import type { Child } from "hono/jsx";
import type { Located } from "../../account/jobs/locate";
import { redactUrl } from "../../lib/redact";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../../model/limits";
import type { KeyName } from "../../store/keys";

const KIB = 1024;
const MAX_TARGET_CHARS = 90;

/** Formats a duration: `850 ms`, `1.2 s`, `60 s`, `2 min 5 s`, `1 h`, `30 days`. */
export function toDuration(ms: number): string {
  if (ms < SECOND_MS) return `${Math.round(ms)} ms`;
  if (ms < 2 * MINUTE_MS) return `${trim(ms / SECOND_MS)} s`;
  if (ms < HOUR_MS) return pair(ms, MINUTE_MS, "min", SECOND_MS, "s");
  if (ms < 2 * DAY_MS) return pair(ms, HOUR_MS, "h", MINUTE_MS, "min");
  return `${trim(ms / DAY_MS)} days`;
}

/** Formats the processing time (ms) of a job. A dash if there is none, for example because the job was canceled. */
export function toProcessingTime(ms: number | null): string {
  return ms === null || ms === 0 ? "–" : toDuration(ms);
}

/** Formats a size: `16 KB`, `5 MB`. A KB is 1,024 bytes. */
export function toSize(bytes: number): string {
  if (bytes < KIB) return `${bytes} bytes`;
  return bytes < KIB * KIB ? `${trim(bytes / KIB)} KB` : `${trim(bytes / KIB / KIB)} MB`;
}

/** Formats a ratio as a percentage. A part that isn't the whole has at most 99.9%. */
export function toPercent(part: number, whole: number): string {
  const percent = Math.round((part / whole) * 1000) / 10;
  return `${(part < whole ? Math.min(percent, 99.9) : percent).toLocaleString("en")}%`;
}

/** Formats a number with separators: `1,204`. Returns other content of a page unchanged. */
export function toShown(value: Child): Child {
  return typeof value === "number" ? value.toLocaleString("en") : value;
}

export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The abbreviations in names. */
const WORDS: Record<string, string> = { url: "URL", html: "HTML", json: "JSON", pdf: "PDF", ocr: "OCR", serp: "SERP" };

/** Converts a name such as `raw_html` to the words "Raw HTML". */
export function toWords(name: string): string {
  const words = name.split("_").map((word) => WORDS[word] ?? word);
  return capitalize(words.join(" "));
}

/** Shortens a URL or other text to 90 characters. Removes the scheme, the fragment and the secrets of a URL. */
export function shortenTarget(target: string): string {
  const url = /^https?:\/\//i.test(target) ? URL.parse(target) : null;
  const text = url === null ? target : `${url.host}${url.pathname === "/" ? "" : url.pathname}${redactUrl(url.search)}`;
  return text.length <= MAX_TARGET_CHARS ? text : `${text.slice(0, MAX_TARGET_CHARS)}…`;
}

function pair(ms: number, large: number, largeUnit: string, small: number, smallUnit: string): string {
  const whole = Math.floor(ms / large);
  const rest = Math.floor((ms % large) / small);
  return rest === 0 ? `${whole} ${largeUnit}` : `${whole} ${largeUnit} ${rest} ${smallUnit}`;
}

function trim(value: number): string {
  return value.toLocaleString("en", { maximumFractionDigits: 1 });
}

/** Returns the name of a key, or the last characters of its secret, or for a deleted key of its id. */
export function toKeyLabel(id: string, keys: readonly KeyName[]): string {
  if (id === "dashboard") return "Playground";
  const key = keys.find((each) => each.id === id);
  if (key === undefined) return `Deleted key ${id.slice(-4)}`;
  return key.name ?? `…${key.last4}`;
}

const PAGES = { job: "jobs", batch: "batches", crawl: "batches", delivery: "webhooks/deliveries" } as const;

export function toRecordPath({ kind, id }: Pick<Located, "kind" | "id">): string {
  return `/dashboard/${PAGES[kind]}/${id}`;
}
