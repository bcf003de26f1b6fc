/** Fields that have the documented value with a test key, too. */
const LITERAL_FIELDS = new Set(["success", "status", "endpoint", "code", "event", "retryable", "position"]);

/** Fields that answers to test keys omit, because mock data has no source. */
const LIVE_FIELDS = new Set(["source"]);

/** Texts that differ in each run: ids, times, hashes and addresses of this machine. */
const CHANGING = /^(?:019|whsec_|sk_)|^\d{4}-\d\d-\d\dT|^[0-9a-f]{16,}$|127\.0\.0\.1/;

/**
 * Returns how an answer differs from the documented one. An answer may have more members. Numbers, ids and times may
 * have other values. With `literal`, other texts must be the same, and "…" stands for any text. Otherwise, only the
 * fields that have the same value for test keys are compared.
 */
export function compareAnswer(shown: unknown, given: unknown, literal: boolean, path = ""): string[] {
  const differs = () => [
    `${path || "The answer"} is documented as ${JSON.stringify(shown)}, but is ${toShort(given)}.`,
  ];
  const isLiteral = LITERAL_FIELDS.has(path.slice(path.lastIndexOf("/") + 1));
  const isExact = literal || isLiteral;
  if (shown === null) return given === null ? [] : differs();
  if (Array.isArray(shown)) {
    if (!Array.isArray(given)) return differs();
    // Lists of made-up data may be shorter than the documented ones.
    const items = literal ? shown : shown.slice(0, 1).filter((item) => typeof item === "object");
    const item = items.find((item) => !given.some((other) => compareAnswer(item, other, literal, path).length === 0));
    // Reports the difference to the first item, which is the most likely counterpart.
    return item === undefined ? [] : compareAnswer(item, given[0], literal, `${path}/0`);
  }
  if (typeof shown === "object") {
    if (typeof given !== "object" || given === null) return differs();
    return Object.entries(shown)
      .filter(([name]) => literal || !LIVE_FIELDS.has(name))
      .flatMap(([name, value]) =>
        compareAnswer(value, (given as Record<string, unknown>)[name], literal, `${path}/${name}`),
      );
  }
  if (typeof given !== typeof shown) return differs();
  if (given === shown || !isExact || (typeof given === "number" && !isLiteral)) return [];
  if (typeof shown !== "string" || !(CHANGING.test(shown) || matches(shown, given as string))) return differs();
  return [];
}

/** Returns true if the text matches the pattern, in which "…" stands for any text. */
function matches(pattern: string, text: string): boolean {
  const parts = pattern.split("…").map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
  return new RegExp(`^${parts.join("[^]*")}$`).test(text);
}

function toShort(value: unknown): string {
  return JSON.stringify(value)?.slice(0, 300) ?? "missing";
}
