import { cleanAuthor } from "../../../html/metadata/author-names";
import { isSiteName, siteNames, withoutSiteName } from "../../../html/metadata/title";
import { namesOfCurrency, toCurrency } from "../../../html/page/prices";
import type { PageIndex } from "../page-index";
import { type Candidates, findCandidates, type Subject } from "./candidates";
import { synonymsOf } from "./concepts";
import { isWithin, type PageView, textsIn, toPhrase } from "./page-view";
import { isRating, type Reading, type Scalar, toAmount, toOnlyNumber, toScalars, toStateFlag } from "./scalars";
import { wordsOf } from "./shape";

const DAY_MS = 86_400_000;
const AUTHORS = synonymsOf("author");
const BRANDS = synonymsOf("brand");
const DESCRIPTIONS = synonymsOf("description");
const SERVINGS = synonymsOf("serving");
/** The words that recipes use for servings. Other words, such as “24 cookies”, count something else. */
const SERVING_WORD =
  /^(?:\d.*|serving|serve|people|person|portion|porzion|porcion|racion|personne|person|part|persona|pax|size|for|to|about|approximately|makes|yield|the|x|ca|pour|für|para|per|adult|bowl)/;
/** The meta elements with the address of the page. */
const ADDRESS = new Set(["canonical", "og:url", "url"]);
/** Characters that separate a name from a role, a site or another name. */
const NOT_IN_NAMES = /[:|/@·•,;&]|\s[-–—]\s|\d{3}/;
const ORGANIZATION =
  /\b(?:team|staff|editors?|editorial|ltd|inc|llc|gmbh|company|group|media|redaktion|rédaction|redacción|redazione|desk|contributors?|admin)\b/i;
const MAX_NAME_WORDS = 5;
const BYLINES = ["by", "author", "von", "par", "por", "di", "door", "av", "af", "autor", "auteur", "autore"];
/** Matches a separator and a second name, such as " and Ada Lovelace" after the first name. */
const ANOTHER_NAME = /^\s{0,2}(?:,\s{0,2}|(?:&|and|und|et|y|e)\s)(?:(?:and|Dr\.?|Prof\.?)\s)?\p{Lu}\p{Ll}+\s\p{Lu}/u;
const MAX_SUFFIX_CHARS = 60;
/** The words after a rating. */
const RATING_ENDS = ["out of", "of 5", "5", "star", "stars", "von 5", "sur 5", "de 5"];
const DOLLARS = ["us", "ca", "au", "nz", "hk", "mx", "r"];
/** The digits of a telephone number without the codes of its country and its region. */
const LOCAL_DIGITS = 6;
/** The share of a declared title that a heading within it must have. */
const MIN_TITLE_SHARE = 0.5;
/** Families whose objects have a name. Their pages often have a longer heading. */
const NAMED = new Set(["Product", "Book", "Course", "SoftwareApplication", "Movie"]);
/** The characters between a title and the name of the site. */
const SEPARATOR = /^\s*(?:[|·•»–—:]|-\s)/;
/** The titles of pages about these often have more words than the name. */
const NAMED_BY_DECLARATION = new Set(["Recipe", "JobPosting", "Event", "Organization"]);
const OUT_OF_STOCK = [
  "out of stock|sold out|unavailable|not available|no longer available|discontinued|notify me|ausverkauft|nicht verfügbar",
  "nicht lieferbar|nicht auf lager|épuisé|rupture de stock|indisponible|agotado|no disponible|esaurito|non disponibile",
  "uitverkocht|niet op voorraad|esgotado|indisponível|slutsåld|utsolgt|udsolgt|vyprodáno|niedostępny|tükendi",
  "нет в наличии|売り切れ|缺货",
].flatMap((phrases) => phrases.split("|"));

/**
 * Chooses the value of a property. Declarations come before meta elements, which must not have another value. Returns
 * null if the best source gives several values, or if the page must show the value and doesn't.
 */
export function chooseScalar(candidates: Candidates, reading: Reading, subject: Subject): Scalar | null {
  const { declared, meta } = candidates;
  const { kind, key } = reading;
  if (kind === "title" && subject.isOfPage) return chooseTitle(candidates, reading, subject);
  const own = toScalars(declared.flat(), reading);
  const inMeta = toScalars(meta, reading);
  const best = own.length > 0 ? chooseDeclared(own, inMeta, reading) : onlyOf(inMeta, reading);
  if (best === null || !isPlausible(best, reading, subject) || !isShown(best, reading, { candidates, subject }))
    return null;
  if (kind === "name" && AUTHORS.has(key)) return isShownAuthor(best, subject) ? best : null;
  // Other sources describe the same thing with other words.
  if (isFree(reading) || inMeta.length === 0) return best;
  return inMeta.some((one) => agrees(best, one, reading)) ? best : null;
}

/** Chooses the values of a list. They come from one source. Returns null if another object of it has other values. */
export function chooseScalars(
  { declared, meta }: Candidates,
  reading: Reading,
  subject: Subject,
): readonly Scalar[] | null {
  const hasMeta = reading.kind === "keywords" || reading.kind === "url";
  const sources = [...declared, ...(hasMeta && declared.length === 0 ? [meta.slice(0, 1)] : [])];
  const [first, ...others] = sources
    .map((nodes) => splitKeywords(toScalars(nodes, reading), reading))
    .filter((scalars) => scalars.length > 0);
  if (first === undefined) return null;
  if (first.some(({ source, quote }) => source === "embedded_state" && !isStateShown(quote, subject))) return null;
  const rivals = others.filter(([one]) => one?.source === first[0]?.source);
  const identityOf = (scalars: readonly Scalar[]) => scalars.map(({ identity }) => identity).join("\n");
  return rivals.every((scalars) => identityOf(scalars) === identityOf(first)) ? first : null;
}

function splitKeywords(scalars: readonly Scalar[], { kind, shape }: Reading): readonly Scalar[] {
  const [only, ...others] = scalars;
  if (kind !== "keywords" || only === undefined || others.length > 0 || !shape.types.has("string")) return scalars;
  const words = String(only.value).split(/(?:(?<!\s)\s+)?[,;]\s*/);
  return words.filter((word) => word !== "").map((value) => ({ ...only, value, quote: value }));
}

function chooseDeclared(own: readonly Scalar[], inMeta: readonly Scalar[], reading: Reading): Scalar | null {
  const only = onlyOf(own, reading);
  if (reading.kind !== "url" || (only !== null && !inMeta.some(({ name }) => ADDRESS.has(name)))) return only;
  // Of several images, the one that the page shows when it is shared is the main one.
  const shared = own.find((one) => inMeta.some(({ identity }) => identity === one.identity));
  return shared ?? (inMeta.length === 0 ? only : null);
}

/** Returns the value if all scalars have the same one. Prefers the longest text, such as “4 servings” to “4”. */
function onlyOf(scalars: readonly Scalar[], reading: Reading): Scalar | null {
  const [first, ...others] = scalars;
  if (first === undefined) return null;
  if (reading.kind === "text" && isFree(reading)) return first;
  if (others.some((one) => one.identity !== first.identity)) return null;
  if (reading.kind !== "yield") return first;
  return scalars.reduce((longest, one) => (String(one.value).length > String(longest.value).length ? one : longest));
}

/** Returns true for a description, which sources give with different words, and for an address. */
function isFree({ kind, key }: Reading): boolean {
  return kind === "url" || (kind === "text" && DESCRIPTIONS.has(key));
}

function agrees(left: Scalar, right: Scalar, { kind }: Reading): boolean {
  if (left.identity === right.identity) return true;
  if (kind === "text" || kind === "name")
    return isWithin(left.identity, right.identity) || isWithin(right.identity, left.identity);
  return kind === "date" && Math.abs(Date.parse(String(left.value)) - Date.parse(String(right.value))) <= DAY_MS;
}

/** Returns false for a brand that isn't a name, and for a yield that is a range or counts something else. */
function isPlausible({ value, quote }: Scalar, { kind, key, shape }: Reading, { page }: Subject): boolean {
  // Shops declare the title of their site, or a part of their catalog, as the brand.
  if (kind === "name" && BRANDS.has(key))
    return !/\s[-–—|·]\s/.test(String(value)) && /\p{Lu}|\p{Lo}|\d/u.test(String(value));
  if (kind !== "yield") return true;
  const number = toOnlyNumber(quote);
  if (number === null) return shape.types.has("string");
  if (key !== "yield" && SERVINGS.has(key) && !wordsOf(quote).every((word) => SERVING_WORD.test(word))) return false;
  // Of “4-6 servings” and “one 9-inch cake”, many pages declare only one number.
  const ranges = [1, 2, 3, 4].flatMap((step) => [
    ...["", "to ", "bis "].map((word) => `${number} ${word}${number + step}`),
    ...["to ", "bis "].map((word) => `${number - step} ${word}${number}`),
  ]);
  return !/^\d+$/.test(quote) || !hasText(page.shown(), [...ranges, `${number} inch`]);
}

/**
 * Returns false for a price, a rating, a date or a contact that the page doesn't show: pages keep declaring the price
 * and the stock of products that they no longer sell.
 */
function isShown(
  { value, quote, source }: Scalar,
  { kind, key }: Reading,
  { candidates, subject }: { candidates: Candidates; subject: Subject },
): boolean {
  if (source === "embedded_state" && !isStateShown(quote, subject)) return false;
  const shown = subject.page.shown();
  if (kind === "state") return toStateFlag(quote) !== true || isOfferShown(subject);
  if (!subject.page.isComparable) return true;
  if (kind === "currency") return isCurrencyShown(String(value), subject);
  if (!candidates.mustBeShown) return true;
  const number = typeof value === "number" ? value : (toAmount(String(value)) ?? Number.NaN);
  if (kind === "amount") return isAmountShown(number, subject);
  if (kind === "date") return isDayShown(String(value).slice(0, 10), subject);
  if (kind === "text") return isContactShown(String(value), subject);
  if (!isRating(key)) return shown.hasNumber(number);
  // A whole number alone can count anything.
  if (Number.isInteger(number))
    return hasText(
      shown,
      RATING_ENDS.map((end) => `${number} ${end}`),
    );
  return [number, Math.round(number * 10) / 10, Math.floor(number * 10) / 10].some(shown.hasNumber);
}

function hasText(shown: PageIndex, texts: readonly string[]): boolean {
  return texts.some((text) => shown.hasText(text));
}

/** Returns false for a product whose price the page doesn't show, or that it calls sold out. */
function isOfferShown(subject: Subject): boolean {
  const { declared, meta } = findCandidates("price", subject) ?? { declared: [], meta: [] };
  const prices = textsIn([...declared.flat(), ...meta]).flatMap((text) => toAmount(text) ?? []);
  const { page } = subject;
  const arePricesShown = !page.isComparable || prices.every((price) => isAmountShown(price, subject));
  return arePricesShown && !hasText(page.shown(), OUT_OF_STOCK);
}

/** A telephone number can lack its country code on the page, and have other separators. */
function isContactShown(value: string, { page }: Subject): boolean {
  const digits = value.replace(/\D/g, "");
  const isNumber = digits.length >= LOCAL_DIGITS && !/\p{L}/u.test(value);
  return isNumber
    ? page.text.replace(/\D/g, "").includes(digits.slice(-LOCAL_DIGITS))
    : hasText(page.shownAnywhere(), [value]);
}

/** Applications also keep data that they don't show, such as a price in cents. */
function isStateShown(quote: string, { page }: Subject): boolean {
  return hasText(page.shownAnywhere(), [quote]);
}

/** Returns true if the page shows the amount, and next to it the currency that the page declares. */
function isAmountShown(amount: number, subject: Subject): boolean {
  const shown = subject.page.shown();
  const { declared, meta } = findCandidates("currency", subject) ?? { declared: [], meta: [] };
  const codes = new Set(textsIn([...declared.flat(), ...meta]));
  if (codes.size === 0) return shown.hasNumber(amount);
  return [...codes].every((code) => {
    const currencies = namesOfCurrency(code).map((symbol) => toCurrency(symbol.toLowerCase()));
    // The text has the words of a symbol such as `R$`, but not as an amount.
    const isFound = (currency: string | null) =>
      currency === null ? shown.hasNumber(amount) : shown.hasAmount(amount, currency);
    return isCurrencyShown(code, subject) && currencies.some(isFound);
  });
}

function isCurrencyShown(code: string, { page }: Subject): boolean {
  const symbols = namesOfCurrency(code);
  // US$ and CA$ aren't the same currency.
  const others = DOLLARS.filter((prefix) => !code.toLowerCase().startsWith(prefix)).map((prefix) => `${prefix}$`);
  return hasText(page.shown(), symbols) && !(symbols.includes("$") && hasText(page.shown(), others));
}

/** The day in the time zone of the page can differ from the declared one. */
function isDayShown(day: string, { page }: Subject): boolean {
  const time = Date.parse(`${day}T00:00:00Z`);
  if (Number.isNaN(time)) return false;
  if (!page.shownAnywhere().hasDays()) return true;
  return [-1, 0, 1].some((shift) =>
    page.shownAnywhere().hasDate(new Date(time + shift * DAY_MS).toISOString().slice(0, 10)),
  );
}

/**
 * Returns false for an author that the page doesn't show, an organization, a placeholder, a user name, or one of
 * several names. A meta element is used only if the page shows the name after a word such as “by”.
 */
function isShownAuthor({ value, source }: Scalar, { page, isOfPage }: Subject): boolean {
  const name = String(value);
  if (cleanAuthor(name) !== name || NOT_IN_NAMES.test(name) || ORGANIZATION.test(name)) return false;
  if (name.split(/\s+/).length > MAX_NAME_WORDS) return false;
  if (!isOfPage || !page.isComparable) return true;
  const isInMeta = source === "meta" || source === "open_graph";
  const shown = isInMeta ? BYLINES.map((word) => `${word} ${name}`) : [name];
  const end = page.text.indexOf(name) + name.length;
  if (ANOTHER_NAME.test(page.text.slice(end, end + MAX_SUFFIX_CHARS))) return false;
  return !isSiteName(name, sitesOf(page)) && hasText(page.shownAnywhere(), shown);
}

function sitesOf({ meta }: PageView): readonly string[] {
  const address = meta.get("canonical") ?? meta.get("og:url") ?? meta.get("url");
  return siteNames(String(address?.value ?? ""), [String(meta.get("og:site_name")?.value ?? "")]);
}

/**
 * Chooses the title of a page or the name of its subject. Declared titles can have additions for search engines, so only
 * the part that is also a heading is chosen, if there is one. The name of a product can also be a part of a heading.
 * Returns null if several titles fit equally well.
 */
function chooseTitle({ declared, meta }: Candidates, reading: Reading, subject: Subject): Scalar | null {
  const { page, family, isNamedByHeadline } = subject;
  const own = toScalars(declared.flat(), reading);
  if (!isNamedByHeadline) return null;
  if (NAMED_BY_DECLARATION.has(family)) return onlyOf(own, reading);
  const sites = sitesOf(page);
  const isTitle = (text: string) => toPhrase(text) !== "" && !isSiteName(text, sites);
  const inMeta = [...meta, ...["og:title", "twitter:title", "title"].flatMap((name) => page.meta.get(name) ?? [])];
  const titles = [...own, ...toScalars(inMeta, reading)].filter(({ value }) => isTitle(String(value)));
  const headings = page.headings.filter(isTitle);
  const isNamed = NAMED.has(family) && own.length > 0;
  for (const fits of [isSame, isMostOf]) {
    const found = (isNamed ? own : titles).flatMap((title) => {
      const heading = headings.find((one) => fits(one, String(title.value)));
      return heading === undefined
        ? []
        : { ...title, value: withoutSiteName(heading, sites), identity: toPhrase(heading) };
    });
    if (found.length > 0) return onlyOf(found, reading);
  }
  // A single word, such as “Messaging”, can be a part of any heading.
  const name = isNamed ? onlyOf(own, reading) : null;
  const shown = headings.length > 0 ? headings : page.titles;
  return name?.identity.includes(" ") && shown.some((one) => isWithin(name.identity, toPhrase(one))) ? name : null;
}

function isSame(heading: string, title: string): boolean {
  return toPhrase(heading) === toPhrase(title);
}

/** Returns true if the title begins with the heading before a separator, or if the heading is most of it. */
function isMostOf(heading: string, title: string): boolean {
  const [part, whole] = [toPhrase(heading), toPhrase(title)];
  if (!isWithin(part, whole)) return false;
  const at = title.toLowerCase().indexOf(heading.toLowerCase());
  return (
    part.length >= MIN_TITLE_SHARE * whole.length || (at !== -1 && SEPARATOR.test(title.slice(at + heading.length)))
  );
}
