import type { DataNode } from "../../../html/page-data/data-node";
import { type Candidates, findCandidates, type Subject } from "./candidates";
import { synonymsOf } from "./concepts";
import { currenciesOf } from "./currencies";
import { toAmount } from "./numbers";
import type { Scalar } from "./scalars";
import { toStateFlag } from "./states";

const ISO_DAY_CHARS = 10;
const TELEPHONES = synonymsOf("telephone");
const STREETS = synonymsOf("street address");
/** The keys of the amounts whose currency a page declares. */
const PRICE_KEYS = ["price", "low price", "salary", "salary min"];

/**
 * Returns false for a price, a rating or a state that the page doesn't show, or shows differently. Shops keep declaring a
 * price and stock for products that they no longer sell.
 */
export function isShown(scalar: Scalar, key: string, candidates: Candidates, subject: Subject): boolean {
  const { value, quote } = scalar;
  const { shown } = subject;
  const number = typeof value === "number" ? value : (toAmount(String(value)) ?? Number.NaN);
  switch (candidates.kind) {
    case "amount":
      return isShownAmount(number, subject);
    case "currency":
      return isShownCurrency(String(value), subject);
    case "state":
      return !candidates.isShown || isShownState(quote, subject);
    case "date":
      return !candidates.isShown || isShownDay(String(value).slice(0, ISO_DAY_CHARS), subject);
    case "text":
      return isShownContact(String(value), key, subject);
    default:
      if (!candidates.isShown || !shown.isComparable) return true;
      return isCount(key) ? shown.hasNumber(number) : shown.hasRating(number);
  }
}

/** Returns false for a telephone number or a street if the page shows others: organizations move. */
function isShownContact(value: string, key: string, subject: Subject): boolean {
  const shown = subject.page?.shownAnywhere ?? subject.shown;
  if (TELEPHONES.has(key)) return shown.hasTelephone(value);
  if (!STREETS.has(key) || shown.hasText(value)) return true;
  return !valuesIn(findCandidates("postal code", subject)).some((code) => shown.hasText(code));
}

/** Pages show their dates next to the headline, or next to their content. */
function isShownDay(day: string, { page, shown }: Subject): boolean {
  const text = page?.shownAnywhere ?? shown;
  return !text.isComparable || text.hasDay(day);
}

/** Returns true if the page shows the amount, and in the currency that the page declares. */
function isShownAmount(amount: number, subject: Subject): boolean {
  const { amounts, isComparable } = subject.shown;
  if (!amounts.has(amount)) return amounts.isEmpty && !isComparable;
  const codes = declaredCurrencies(subject);
  return codes.size < 2 && [...codes].every((code) => amounts.mayBeIn(amount, code));
}

/** Returns false if the page shows its price in another currency, or only amounts in other currencies. */
function isShownCurrency(code: string, subject: Subject): boolean {
  const { amounts } = subject.shown;
  const prices = PRICE_KEYS.flatMap((key) => numbersIn(findCandidates(key, subject)));
  return amounts.mayHave(code) && prices.every((price) => amounts.mayBeIn(price, code));
}

function isShownState(quote: string, { shown }: Subject): boolean {
  const isInStock = toStateFlag(quote);
  if (!shown.isComparable) return isInStock !== true || !shown.saysOutOfStock;
  if (isInStock === null) return !/order$/i.test(quote) || shown.saysOrder;
  return isInStock ? shown.saysInStock : shown.saysOutOfStock;
}

function declaredCurrencies(subject: Subject): ReadonlySet<string> {
  const found = valuesIn(findCandidates("currency", subject)).flatMap((text) => {
    const codes = currenciesOf(text);
    return codes?.size === 1 ? [...codes] : [];
  });
  return new Set(found);
}

function numbersIn(candidates: Candidates | null): number[] {
  return valuesIn(candidates).flatMap((text) => toAmount(text) ?? []);
}

/** Returns the texts of the declared values. */
function valuesIn(candidates: Candidates | null): string[] {
  if (candidates === null) return [];
  const nodes = [...candidates.declared.flat(), ...candidates.meta];
  const isValue = (node: DataNode) => node.kind === "value";
  return nodes
    .flatMap((node) => (node.kind === "list" ? node.items : [node]))
    .filter(isValue)
    .map(({ value }) => String(value));
}

/** Returns true for the key of a number of reviews. Other keys mean a rating. */
export function isCount(key: string): boolean {
  return /\b(?:count|number|num|total|vote|anzahl|nombre)\b/.test(key);
}
