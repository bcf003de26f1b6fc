import { MAX_EXTRACTOR_BYTES } from "../../../model/extractor";
import { HASH_CHARS } from "./addresses";
import type { ScopePattern } from "./pattern";

/** Increase it if an earlier format would read wrong values. The rules of that format are then learned again. */
const RULES_FORMAT = 1;

const HASHES = new RegExp(`.{${HASH_CHARS}}`, "g");

/** Returns true for a list of hashes, which is stored as one string to save space. */
function isHashes(name: string): boolean {
  return name === "known" || name === "once";
}

/** Returns the rules as JSON, or null if they are too large. */
export function writeRules(scope: ScopePattern): string | null {
  const rules = JSON.stringify({ format: RULES_FORMAT, scope }, (name, value: unknown) =>
    isHashes(name) && Array.isArray(value) ? value.join("") : value,
  );
  return new TextEncoder().encode(rules).byteLength > MAX_EXTRACTOR_BYTES ? null : rules;
}

/** Returns the stored rules, or null if they have another format. */
export function readRules(rules: string): ScopePattern | null {
  const { format, scope } = JSON.parse(rules, (name, value: unknown) =>
    isHashes(name) && typeof value === "string" ? (value.match(HASHES) ?? []) : value,
  ) as { format?: number; scope: ScopePattern };
  return format === RULES_FORMAT ? scope : null;
}
