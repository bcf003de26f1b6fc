import { toNumbers } from "../normalize-text";
import { CURRENCY, currenciesOf } from "./currencies";

/** The length is bounded, because a search from each digit of a long row of numbers would be quadratic. */
const NUMBER = "(?<!\\d)\\d{1,12}(?:[.,'’ \\u00a0\\u202f]\\d{1,12}){0,6}(?!\\d)";
const TOKEN = new RegExp(`(${CURRENCY})|(${NUMBER})(?:[.,]?[-–](?!\\d))?`, "gu");
/** The space that can stand between a number and its currency. */
const GAP = /^[^\S\n]{0,2}$/;
/** Matches the end of a text after which a former price, a recommended one, a saving or an installment follows. */
const OTHER_AMOUNT =
  /(?:\b(?:was|were|rrp|msrp|uvp|pvp|srp|list price|regular price|original price|old price|former(?:ly)?|before|instead of|compare at|save|saving|statt|früher|bisher|vorher|spare|ersparnis|ancien prix|prix barré|au lieu de|économisez|antes|precio anterior|ahorra|invece di|risparmi):?|(?<!\d)\d{1,3} ?[x×] ?(?:of |à |von |de )?)\s*$/iu;
const MAX_FORMER_CHARS = 30;
/** Matches the cents after a price if they are a separate element. */
const SEPARATE_CENTS = /^(\d{1,6})\s{0,2}[.,]?\s{1,2}(\d\d)(?!\d)|^(\d{1,6})\s{1,2}[.,]\s{0,2}(\d\d)(?!\d)/;
const MAX_CENTS_CHARS = 16;
const SPACE = /[ \u00a0\u202f]/;
const SPACED_THOUSANDS = /^\d{1,3}(?:[ \u00a0\u202f]\d{3})+(?:[.,]\d+)?$/;

interface Token {
  text: string;
  start: number;
  end: number;
  isCurrency: boolean;
}

/** The amounts of money that a text shows, without those that the words before them mark as former prices, savings or installments. */
export class ShownAmounts {
  /** The currencies at each place where an amount is shown. A currency is null if its symbol isn't known. */
  readonly #currencies = new Map<number, (ReadonlySet<string> | null)[]>();

  constructor(text: string) {
    const tokens = tokensIn(text);
    for (const [at, token] of tokens.entries()) {
      if (!token.isCurrency) continue;
      const owner = ownerOf(tokens, at, text);
      if (owner === null) continue;
      const start = Math.min(owner.start, token.start);
      if (OTHER_AMOUNT.test(text.slice(Math.max(0, start - MAX_FORMER_CHARS), start))) continue;
      const currencies = currenciesOf(token.text);
      for (const number of numbersOf(owner, token, text)) {
        const known = this.#currencies.get(number);
        if (known) known.push(currencies);
        else this.#currencies.set(number, [currencies]);
      }
    }
  }

  get isEmpty(): boolean {
    return this.#currencies.size === 0;
  }

  has(value: number): boolean {
    return this.#currencies.has(value);
  }

  /** Returns true if the amount is shown in this currency, in one whose symbol isn't known, or not at all. */
  mayBeIn(value: number, code: string): boolean {
    const currencies = this.#currencies.get(value) ?? [];
    return currencies.length === 0 || currencies.some((one) => one === null || one.has(code));
  }

  /** Returns true if one of the amounts can be in this currency, or if there are none. */
  mayHave(code: string): boolean {
    const all = [...this.#currencies.values()].flat();
    return all.length === 0 || all.some((one) => one === null || one.has(code));
  }
}

function tokensIn(text: string): Token[] {
  return [...text.matchAll(TOKEN)].map(({ 0: whole, 1: currency, 2: number, index }) => ({
    text: currency ?? number ?? "",
    start: index,
    end: index + whole.length,
    isCurrency: currency !== undefined,
  }));
}

/**
 * Returns the number to which a currency belongs: the one directly next to it. Between two numbers at the same distance,
 * it belongs to the first one if the second one has a separate currency, and otherwise to none.
 */
function ownerOf(tokens: readonly Token[], at: number, text: string): Token | null {
  const currency = tokens[at];
  const before = tokens[at - 1];
  const after = tokens[at + 1];
  if (currency === undefined) return null;
  const isBefore = isNear(before, currency, text) && !isPrefixed(tokens, at - 1, text);
  const isAfter = isNear(currency, after, text);
  if (!isBefore || before === undefined) return isAfter && after !== undefined ? after : null;
  if (!isAfter || after === undefined) return before;
  const [left, right] = [currency.start - before.end, after.start - currency.end];
  if (left !== right) return left < right ? before : after;
  return isNear(after, tokens[at + 2], text) ? before : null;
}

/** Returns true if a currency stands before the number, and no number before this currency. */
function isPrefixed(tokens: readonly Token[], at: number, text: string): boolean {
  const [first, currency, number] = [tokens[at - 2], tokens[at - 1], tokens[at]];
  return currency?.isCurrency === true && isNear(currency, number, text) && !isNear(first, currency, text);
}

/** Returns true if one of both is a currency and the other one a number, with at most two spaces between them. */
function isNear(left: Token | undefined, right: Token | undefined, text: string): boolean {
  if (left === undefined || right === undefined || left.isCurrency === right.isCurrency) return false;
  return right.start - left.end <= 2 && GAP.test(text.slice(left.end, right.start));
}

/** Returns the numbers that the digits next to a currency can mean. A space can separate thousands or two numbers. */
function numbersOf(number: Token, currency: Token, text: string): readonly number[] {
  const isPrefix = currency.start < number.start;
  const [, whole, cents, otherWhole, otherCents] =
    (isPrefix ? SEPARATE_CENTS.exec(text.slice(number.start, number.start + MAX_CENTS_CHARS)) : null) ?? [];
  if (whole !== undefined || otherWhole !== undefined) return [Number(`${whole ?? otherWhole}.${cents ?? otherCents}`)];
  if (SPACED_THOUSANDS.test(number.text)) return toNumbers(number.text.replaceAll(/[ \u00a0\u202f]/g, ""));
  const parts = number.text.split(SPACE);
  return toNumbers((isPrefix ? parts[0] : parts.at(-1)) ?? "");
}
