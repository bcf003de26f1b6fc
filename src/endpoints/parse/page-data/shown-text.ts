import { toDates } from "../dates";
import { normalizeText, toNumbers, toWords } from "../normalize-text";
import { ShownAmounts } from "./shown-amounts";

/** A page with fewer words declares its data without showing it, so nothing can be compared. */
const MIN_WORDS = 20;
const NUMBER = /\d+(?:[.,'’ \u00a0\u202f]\d+)*/g;
const SPACES = /[ \u00a0\u202f]/g;
const IN_STOCK =
  /\b(?:in stock|add to (?:cart|bag|basket|trolley)|buy (?:it )?now|add to order|available (?:now|online)|ships? (?:today|now|within)|auf lager|lieferbar|sofort verfügbar|in den warenkorb|en stock|ajouter au panier|disponible|en existencias|añadir (?:al carrito|a la cesta)|disponibile|aggiungi al carrello|op voorraad|in winkelwagen|em estoque|em stock|comprar|adicionar ao carrinho|i lager|på lager|skladem|dostępny|do koszyka|stokta|sepete ekle|в наличии|в корзину)|加入购物车|カートに入れる|在庫あり/iu;
const OUT_OF_STOCK =
  /\b(?:out of stock|sold out|unavailable|not available|no longer available|discontinued|notify me|ausverkauft|nicht (?:verfügbar|lieferbar|auf lager)|épuisé|rupture|indisponible|agotado|no disponible|esaurito|non disponibile|uitverkocht|niet op voorraad|esgotado|indisponível|slutsåld|utsolgt|udsolgt|vyprodáno|niedostępny|tükendi|нет в наличии)|売り切れ|缺货/iu;

const ORDER = /\b(?:pre-?\s?order|back-?\s?order|on order|vorbestell|précommande|reserva|preordine)/iu;

/** Matches a telephone number with a country code, or with a leading zero or parenthesis. */
const TELEPHONE = /(?<![\d.,-])(?:\+\d|\(0?\d|0\d)(?:(?:[ ()]{0,2}| ?[/-] ?|\.)\d){6,14}(?!\d)/g;
/** The digits of a telephone number without the codes of its country and its region. */
const LOCAL_DIGITS = 6;
const DAY_MS = 86_400_000;
/** Matches a separator and a second name, such as " and Ada Lovelace" after the first name. */
const ANOTHER_NAME = /^\s{0,2}(?:,\s{0,2}|&\s|(?:and|und|et|y|e)\s)(?:(?:and|Dr\.?|Prof\.?)\s)?\p{Lu}\p{Ll}+\s\p{Lu}/u;
const MAX_SUFFIX_CHARS = 60;
const BYLINES = ["by", "author", "von", "par", "por", "di", "door", "av", "af", "autor", "auteur", "autore"];

/** The text that a page shows, for comparisons with what the page declares. */
export class ShownText {
  readonly #text: string;
  #numbers: ReadonlySet<number> | null = null;
  #amounts: ShownAmounts | null = null;
  #days: ReadonlySet<string> | null = null;
  #words: string | null = null;

  constructor(text: string) {
    this.#text = text;
  }

  /** False if the page shows almost no text. */
  get isComparable(): boolean {
    return this.#text.split(/\s+/, MIN_WORDS + 1).length > MIN_WORDS;
  }

  /** Returns true if the page shows the words in this order. */
  hasText(text: string): boolean {
    return this.#spaced.includes(` ${toWords(normalizeText(text)).join(" ")} `);
  }

  /**
   * Returns true if the page shows the name, and no further name after it. With `isLabeled`, a word such as “by” must
   * stand before the name.
   */
  hasAuthor(name: string, { isLabeled }: { isLabeled: boolean }): boolean {
    const words = ` ${toWords(normalizeText(name)).join(" ")} `;
    const at = this.#spaced.indexOf(words);
    if (at === -1) return false;
    const place = this.#text.toLowerCase().indexOf(name.toLowerCase());
    if (
      place !== -1 &&
      ANOTHER_NAME.test(this.#text.slice(place + name.length, place + name.length + MAX_SUFFIX_CHARS))
    )
      return false;
    return !isLabeled || BYLINES.some((label) => this.#spaced.includes(` ${label}${words}`));
  }

  /** Returns true if the page shows the day or one of the days next to it, or no day at all. */
  hasDay(day: string): boolean {
    this.#days ??= toDates(normalizeText(this.#text)).days;
    const days = this.#days;
    const time = Date.parse(`${day}T00:00:00Z`);
    return (
      days.size === 0 ||
      [-1, 0, 1].some((shift) => days.has(new Date(time + shift * DAY_MS).toISOString().slice(0, 10)))
    );
  }

  /** The words of the text, separated and surrounded by spaces. */
  get #spaced(): string {
    this.#words ??= ` ${toWords(normalizeText(this.#text)).join(" ")} `;
    return this.#words;
  }

  /** Returns true if the page shows the number, or the number rounded to one decimal. */
  hasNumber(value: number): boolean {
    this.#numbers ??= readNumbers(this.#text);
    const numbers = this.#numbers;
    return [value, Math.round(value * 10) / 10, Math.floor(value * 10) / 10].some((one) => numbers.has(one));
  }

  /** Returns true if the page shows the number as a rating, such as “5 out of 5” or “5 stars”. */
  hasRating(value: number): boolean {
    if (!Number.isInteger(value)) return this.hasNumber(value);
    return new RegExp(
      `(?<![\\d.,])${value}(?:[.,]0)?\\s*(?:/|★|out of|stars?\\b|von\\b|sur\\b|de 5|van\\b)`,
      "iu",
    ).test(this.#text);
  }

  /** Returns true if the page shows the telephone number, or none at all. The country code can be missing. */
  hasTelephone(number: string): boolean {
    const shown = (this.#text.match(TELEPHONE) ?? []).map(toDigits);
    const last = toDigits(number).slice(-LOCAL_DIGITS);
    return shown.length === 0 || shown.some((digits) => digits.includes(last));
  }

  /** The amounts of money that the page shows. */
  get amounts(): ShownAmounts {
    this.#amounts ??= new ShownAmounts(this.#text);
    return this.#amounts;
  }

  /** Returns true if the page shows words for a product that can be ordered, such as “Add to cart”. */
  get saysInStock(): boolean {
    return IN_STOCK.test(this.#text);
  }

  /** Returns true if the page shows words for a product that can't be ordered, such as “Sold out”. */
  get saysOutOfStock(): boolean {
    return OUT_OF_STOCK.test(this.#text);
  }

  /** Returns true if the page shows words for a product that can be ordered before it is available. */
  get saysOrder(): boolean {
    return ORDER.test(this.#text);
  }
}

function toDigits(text: string): string {
  return text.replace(/\D/g, "");
}

function readNumbers(text: string): ReadonlySet<number> {
  const numbers = new Set<number>();
  for (const [digits] of text.matchAll(NUMBER)) addNumbers(digits, numbers);
  return numbers;
}

/** Adds the numbers that the digits can mean. A space can separate thousands or two numbers. */
function addNumbers(digits: string, numbers: Set<number>): void {
  for (const part of [digits.replace(SPACES, ""), ...digits.split(SPACES)])
    for (const number of toNumbers(part)) numbers.add(number);
}
