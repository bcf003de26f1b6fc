import { toCurrency } from "../../html/page/prices";
import type { SchemaObject } from "../../json-schema/keywords";
import { toPointer, valueAt } from "../../json-schema/pointer";
import type { JobExtras } from "../../model/job";
import { MAX_EVIDENCE_CHARS, MAX_QUOTE_CHARS, MAX_QUOTES } from "../../model/limits";
import { type Leaf, leavesOf, toLeafPath } from "./member-schemas";
import type { Quote } from "./merge";
import { normalizeText, toNumbers, toWords } from "./normalize-text";
import { indexPage, type PageIndex } from "./page-index";

/** The model's quotes by JSON Pointer (RFC 6901). `verified` is true if the quote was found in the page. */
export type Evidence = Record<string, { quote: string; verified: boolean }>;

export interface Verification {
  evidence: Evidence;
  /** Pointers to the values that don't occur in the page, because the model derived, translated or invented them. */
  unverified: string[];
}

/** The minimum length of a quote that can be verified, unless the quote is the value itself. */
const MIN_QUOTE_CHARS = 3;

/**
 * Searches the model's input for the quotes and the values. Words and numbers must occur in the same order. Case,
 * punctuation, Markdown and white space are ignored. `true`, `false` and `null` aren't checked. If the page spells a
 * value differently, the value is unverified even if its quote is found, because the quote doesn't prove the value.
 */
export function verifyEvidence({
  data,
  quotes,
  pageText,
}: {
  data: SchemaObject;
  quotes: readonly Quote[];
  pageText: string;
}): Verification {
  const page = indexPage(pageText);
  return { evidence: toEvidence(data, quotes, page), unverified: toUnverified(data, page) };
}

function toEvidence(data: SchemaObject, quotes: readonly Quote[], page: PageIndex): Evidence {
  const evidence = new Map<string, { quote: string; verified: boolean }>();
  for (const { pointer: given, quote } of quotes.slice(0, MAX_QUOTES)) {
    const path = toLeafPath(data, given);
    if (path === null) continue;
    const pointer = toPointer(path);
    const isLong = toWords(normalizeText(quote)).join("").length >= MIN_QUOTE_CHARS;
    const verified = page.hasText(quote) && (isLong || shows(quote, valueAt(data, path)));
    const known = evidence.get(pointer);
    if (known === undefined || (verified && !known.verified)) {
      evidence.set(pointer, { quote: quote.slice(0, MAX_QUOTE_CHARS), verified });
    }
  }
  return Object.fromEntries(evidence);
}

function shows(quote: string, value: unknown): boolean {
  const page = indexPage(quote);
  return typeof value === "number" ? page.hasNumber(value) : page.hasText(String(value));
}

function toUnverified(data: SchemaObject, page: PageIndex): string[] {
  return [...leavesOf(data)].flatMap(({ path, value }) =>
    mayOccur(value) && !occurs(value, page) ? [toPointer(path)] : [],
  );
}

/** Returns true if the page can be searched for the value: not for a boolean or a string without words. */
function mayOccur(value: Leaf["value"]): value is string | number {
  return typeof value === "number" || (typeof value === "string" && toWords(normalizeText(value)).length > 0);
}

function occurs(value: string | number, page: PageIndex): boolean {
  if (typeof value === "number") return page.hasNumber(value) || page.hasHyphenated(String(value));
  if (page.hasText(value) || page.hasText(toJoined(value) ?? "")) return true;
  const [, date, time] = DATE.exec(value) ?? [];
  // The page needn't contain the time 00:00, because models add it to a date if the schema requires a date-time.
  if (date !== undefined) return page.hasDate(date) && (time === undefined || time === "00:00" || page.hasTime(time));
  const [, clock] = TIME.exec(value) ?? [];
  if (clock !== undefined) return page.hasTime(clock.padStart(5, "0"));
  const words = toWords(normalizeText(value)).filter((word) => word !== "-");
  const code = toCode(value);
  if (code !== null) return page.hasText(code) || page.hasHyphenated(code);
  const [first = "", second = "", ...others] = words;
  if (second === "") return toNumbers(first).some(page.hasNumber) || isCurrency(first, page);
  return others.length === 0 && (isAmount(first, second, page) || isAmount(second, first, page));
}

/** Dates in the forms `2024-03`, `2024-03-05` and `2024-03-05T14:30:00Z`. */
const DATE = /^(\d{4}-\d\d(?:-\d\d)?)(?:$|[T ](?:(\d\d:\d\d)|$))/i;
const TIME = /^(\d{1,2}:\d\d)(?::00)?$/;
const CODE = /^\d{7,}x?$/;

/** Returns an ISBN, part number or article number without hyphens. Returns null for any other string. */
function toCode(value: string): string | null {
  const code = value.replace(/[-\s]/g, "").toLowerCase();
  return CODE.test(code) ? code : null;
}

/** Returns a short value such as `in_stock` as schema.org writes it: `InStock`. Null for any other value. */
function toJoined(value: string): string | null {
  return /^[a-z]+(?:[ _-][a-z]+){1,3}$/i.test(value) ? value.replace(/[ _-]/g, "") : null;
}

function isCurrency(word: string, page: PageIndex): boolean {
  const currency = toCurrency(word);
  return currency !== null && page.hasCurrency(currency);
}

function isAmount(number: string, word: string, page: PageIndex): boolean {
  const currency = toCurrency(word);
  return currency !== null && toNumbers(number).some((value) => page.hasAmount(value, currency));
}

/** The number of characters of JSON syntax around a pointer and its quote. */
const ENTRY_OVERHEAD_CHARS = 32;

/** Returns the evidence for the job's `meta`. Truncates it to the size that the job's row can store. */
export function toEvidenceMeta({ evidence, unverified }: Verification): JobExtras {
  let left = MAX_EVIDENCE_CHARS;
  const fits = (text: string) => {
    left -= text.length + ENTRY_OVERHEAD_CHARS;
    return left > 0;
  };
  const kept = Object.entries(evidence).filter(([pointer, { quote }]) => fits(pointer + quote));
  const named = unverified.filter(fits);
  const isCut = kept.length < Object.keys(evidence).length || named.length < unverified.length;
  return { evidence: Object.fromEntries(kept), unverified: named, ...(isCut && { evidence_truncated: true }) };
}
