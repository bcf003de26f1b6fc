import { toAddress, toNameWords } from "./addresses";
import type { LeafPattern, ObjectPattern, Pattern, ScopePattern } from "./pattern";

/** A pattern is used after it was learned from this many pages. */
export const MIN_PAGES = 3;
const MIN_VALUES = 2;

/**
 * Returns true if the values can be read from pages of the same shape. Each value must vary, or its address must have
 * the name of the property. Otherwise, the places could have the same text by coincidence.
 */
export function isReady({ pattern }: ScopePattern, pages: number): boolean {
  if (pages < MIN_PAGES || pattern.kind !== "object") return false;
  return hasValues(pattern) && isCertain(pattern, "", varyingAddresses(pattern));
}

function hasValues(pattern: Pattern): boolean {
  if (pattern.kind === "object") return Object.values(pattern.members).some(hasValues);
  return pattern.kind === "leaf" || (pattern.kind === "list" && pattern.longest > 0);
}

function isCertain(pattern: Pattern, name: string, varying: ReadonlySet<string>): boolean {
  switch (pattern.kind) {
    case "absent":
      return true;
    case "leaf":
      return isCertainLeaf(pattern, name, varying);
    case "object":
      return Object.entries(pattern.members).every(([member, inner]) => isCertain(inner, member, varying));
    case "list":
      // A list that was always empty can't be told from a list whose items weren't found.
      if (pattern.longest < MIN_VALUES) return pattern.longest === 0 && pattern.empty !== "list";
      return Object.values(pattern.groups).every(({ scope }) =>
        isCertain(scope.pattern, name, varyingAddresses(scope.pattern)),
      );
  }
}

function isCertainLeaf({ values, count, absent, locators }: LeafPattern, name: string, varying: ReadonlySet<string>) {
  // Optional values are checked on each page where they are found.
  if (absent !== null) return true;
  if (count < MIN_VALUES) return false;
  if (values.length > 1) return true;
  const words = toNameWords(name);
  return locators.some((locator) => {
    const address = toAddress(locator);
    return varying.has(address) || toAddressWords(address).some((word) => words.includes(word));
  });
}

/** Returns the addresses of the values that vary. A constant value at the same address belongs to them. */
function varyingAddresses(pattern: Pattern): ReadonlySet<string> {
  const found = new Set<string>();
  const pending = [pattern];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (next.kind === "object") pending.push(...Object.values((next as ObjectPattern).members));
    if (next.kind === "leaf" && next.values.length > 1)
      for (const locator of next.locators) found.add(toAddress(locator));
  }
  return found;
}

/** Returns the words of the last part of an address. */
function toAddressWords(address: string): string[] {
  const [last = ""] = address
    .replace(/^label:([^|]*)\|.*$/, "$1")
    .split(">")
    .slice(-1);
  return toNameWords(last);
}
