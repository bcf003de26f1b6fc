import type { DataNode, DataValue } from "../../../html/page-data/data-node";
import { isShownAuthor } from "./authors";
import type { Candidates, Subject } from "./candidates";
import { synonymsOf } from "./concepts";
import { wordsOf } from "./keys";
import { toOnlyNumber } from "./numbers";
import { type Reading, type Scalar, toScalars } from "./scalars";
import { chooseTitle } from "./title";

const SIZE = /\d[- ](?:inch|in|cm|oz|ounce|g|ml|quart)\b/i;
const DAY_MS = 86_400_000;
const AUTHORS = synonymsOf("author");
const DESCRIPTIONS = synonymsOf("description");
/** The meta elements with the address of the page. */
const ADDRESS = new Set(["canonical", "og:url", "url"]);
const SERVING_KEYS = new Set([
  "serving",
  "servings count",
  "number of serving",
  "serve",
  "portion",
  "portionen",
  "personen",
  "nombre de personnes",
  "porciones",
  "raciones",
  "porções",
  "porzioni",
  "porties",
  "personnes",
  "anzahl portionen",
]);
/** The words that recipes use for servings. Other words, such as “24 cookies”, count something else.
 */
const SERVINGS =
  /^(?:serving|serve|people|person|portion|porzion|porcion|racion|personne|person|part|persona|pax|size|for|to|about|approximately|makes|yield|the|x|ca|pour|für|para|per|adult|bowl)/;

/**
 * Chooses the value of a property. Declarations come before meta elements, and these before labels. Returns null if the
 * best sources give several values. If the candidates are checked, the other sources must have the same value.
 */
export function chooseScalar(candidates: Candidates, reading: Reading, subject: Subject): Scalar | null {
  const { declared, meta, labeled, isChecked } = candidates;
  if (reading.kind === "title" && subject.page !== null) return chooseTitleScalar(candidates, reading, subject);
  // A number can't stand for a range, such as “6 to 8 servings”.
  if (reading.kind === "yield" && !reading.shape.types.has("string") && hasRange(candidates)) return null;
  const byObject = declared.map((nodes) => toScalars(nodes, reading)).filter((scalars) => scalars.length > 0);
  const inMeta = toScalars(meta, reading);
  const own = byObject.flat();
  const best = own.length > 0 ? chooseDeclared(own, inMeta, reading) : onlyOf(inMeta, reading);
  if (own.length > 0 || inMeta.length > 0) {
    if (best === null || !isPlausible(best, reading, subject)) return null;
    // Other sources describe the same thing with other words.
    if (isFree(reading)) return best;
    // Editors often are the authors in meta elements. The page must show the name of an author anyway.
    const isAuthor = reading.kind === "name" && AUTHORS.has(reading.key);
    if (!isConfirmed(best, own.length > 0 && !isAuthor ? inMeta : [], reading)) return null;
    const shown = [...labeled, ...(isChecked ? candidates.elsewhere : [])];
    return isConfirmed(best, toScalars(shown, reading), reading) ? best : null;
  }
  const label = onlyOf(toScalars(labeled, reading), reading);
  return label !== null && isPlausible(label, reading, subject) ? label : null;
}

/** Chooses the values of a list. They come from one source. Returns null if another object has other values. */
export function chooseScalars(candidates: Candidates, reading: Reading): readonly Scalar[] | null {
  const [first, ...others] = candidates.declared
    .map((nodes) => splitKeywords(toScalars(nodes, reading), reading))
    .filter((scalars) => scalars.length > 0);
  if (first === undefined) {
    const inMeta = candidates.meta.slice(0, 1);
    const scalars =
      reading.kind === "keywords" || reading.kind === "url" ? splitKeywords(toScalars(inMeta, reading), reading) : [];
    return scalars.length > 0 ? scalars : null;
  }
  const rivals = others.filter(([one]) => one?.source === first[0]?.source);
  return rivals.every((scalars) => isSameList(scalars, first)) ? first : null;
}

function hasRange({ declared, meta, labeled, elsewhere }: Candidates): boolean {
  const values = [...declared.flat(), ...meta, ...labeled, ...elsewhere].flatMap((node) =>
    node.kind === "list" ? node.items : [node],
  );
  return values.some(
    (node) =>
      node.kind === "value" &&
      typeof node.value === "string" &&
      toOnlyNumber(node.value) === null &&
      /\d/.test(node.value),
  );
}

function chooseDeclared(own: readonly Scalar[], inMeta: readonly Scalar[], reading: Reading): Scalar | null {
  const only = onlyOf(own, reading);
  if (reading.kind !== "url") return only;
  const isAddress = inMeta.some(({ position }) => ADDRESS.has(position.replace(/^meta\[(.*)\]$/, "$1")));
  if (only !== null && !isAddress) return only;
  // Of several images, the one that the page shows when it is shared is the main one.
  return (
    own.find((one) => inMeta.some(({ identity }) => identity === one.identity)) ?? (inMeta.length === 0 ? only : null)
  );
}

function chooseTitleScalar(
  { declared, meta }: Candidates,
  reading: Reading,
  { page, family, isNamedByHeadline }: Subject,
): Scalar | null {
  if (page === null || !isNamedByHeadline) return null;
  const isValue = (node: DataNode): node is DataValue => node.kind === "value";
  const title = chooseTitle({ declared: declared.flat().filter(isValue), meta: meta.filter(isValue) }, family, page);
  return title === null ? null : (toScalars([title], reading)[0] ?? null);
}

/** Returns the value if all scalars have the same one. Prefers the longest text, such as “4 servings” to “4”. */
function onlyOf(scalars: readonly Scalar[], reading: Reading): Scalar | null {
  const [first, ...others] = scalars;
  if (first === undefined) return null;
  if (isFree(reading) && reading.kind === "text") return first;
  if (others.some((one) => one.identity !== first.identity)) return null;
  if (reading.kind !== "yield") return first;
  return scalars.reduce((longest, one) => (String(one.value).length > String(longest.value).length ? one : longest));
}

/** Returns true for a description, which sources give with different words, and for an address. */
function isFree({ kind, key }: Reading): boolean {
  return kind === "url" || (kind === "text" && DESCRIPTIONS.has(key));
}

/** Returns true if the words of a text are among those of another one, such as “Potters” and “Potters Ltd”. */
function isPartOf(part: Scalar, whole: Scalar): boolean {
  return ` ${whole.identity} `.includes(` ${part.identity} `);
}

function isConfirmed(best: Scalar, others: readonly Scalar[], { kind }: Reading): boolean {
  return others.length === 0 || others.some((one) => agrees(best, one, kind));
}

/** Returns true if the second yield is a range, or if its number is the size of something. */
function isMoreThanNumber(left: Scalar, right: Scalar): boolean {
  if (toOnlyNumber(String(left.value)) === null) return false;
  return toOnlyNumber(String(right.value)) === null || SIZE.test(String(right.value));
}

function agrees(left: Scalar, right: Scalar, kind: Reading["kind"]): boolean {
  if (kind === "text" || kind === "name") return isPartOf(left, right) || isPartOf(right, left);
  // A label such as “4 to 6 servings” shows that 4 isn't the whole yield, and “one 9-inch cake” that 9 isn't a yield.
  if (kind === "yield") return left.identity === right.identity && !isMoreThanNumber(left, right);
  if (left.identity === right.identity) return true;
  if (kind !== "date") return false;
  const distance = Math.abs(Date.parse(String(left.value)) - Date.parse(String(right.value)));
  return distance <= DAY_MS;
}

/**
 * Returns false for an author that is the site or a placeholder, for a brand that isn't a name, and for servings that
 * count something else.
 */
function isPlausible(scalar: Scalar, { kind, key }: Reading, { page }: Subject): boolean {
  const { value, quote } = scalar;
  if (kind === "name" && AUTHORS.has(key)) return isShownAuthor(scalar, page);
  // Shops declare the title of their site, or a part of their catalog, as the brand.
  if (kind === "name" && synonymsOf("brand").has(key))
    return !/\s[-–—|·]\s/.test(String(value)) && /\p{Lu}|\p{Lo}|\d/u.test(String(value));
  if (kind === "yield" && SERVING_KEYS.has(key))
    return wordsOf(quote).every((word) => /^\d/.test(word) || SERVINGS.test(word));
  return true;
}

function splitKeywords(scalars: readonly Scalar[], { kind, shape }: Reading): readonly Scalar[] {
  const [only, ...others] = scalars;
  if (kind !== "keywords" || only === undefined || others.length > 0 || !shape.types.has("string")) return scalars;
  const words = String(only.value)
    .split(/\s*[,;]\s*/)
    .filter((word) => word !== "");
  return words.map((value) => ({ ...only, value, quote: value }));
}

function isSameList(left: readonly Scalar[], right: readonly Scalar[]): boolean {
  return left.length === right.length && left.every(({ identity }, at) => identity === right[at]?.identity);
}
