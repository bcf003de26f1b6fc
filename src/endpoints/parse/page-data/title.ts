import type { DataValue } from "../../../html/page-data/data-node";
import { type PageTitles, titleWords } from "./page-view";

const MIN_HEADING_WORDS = 1;
/** The characters between a title and the name of the site. */
const SEPARATOR = /^\s*(?:[|·•»–—:]|-\s)/;

/**
 * Chooses the title of a page. A declared title must agree with a heading or with another declared title. If the heading
 * is longer, or if the declared title ends with the name of the site, the heading is used. Returns null if the titles
 * don't agree.
 */
export function chooseTitle(own: readonly DataValue[], { headings, declared }: PageTitles): DataValue | null {
  const heading = onlyOf(headings);
  const name = onlyOf(own);
  if (own.length > 0 && name === null) return null;
  if (name === null) return heading !== null && declared.some((one) => contains(one, heading)) ? heading : null;
  if (headings.some((one) => isSame(one, name))) return name;
  if (heading !== null && contains(heading, name)) return heading;
  if (heading !== null && contains(name, heading)) {
    return SEPARATOR.test(restOf(name, heading)) ? heading : name;
  }
  return declared.some((one) => contains(one, name)) ? name : null;
}

/** Returns the only different title, or null if there is none or if there are several. */
function onlyOf(values: readonly DataValue[]): DataValue | null {
  const [first, ...others] = values.filter(({ value }) => titleWords(value).length >= MIN_HEADING_WORDS);
  return first !== undefined && others.every((one) => isSame(one, first)) ? first : null;
}

function isSame(left: DataValue, right: DataValue): boolean {
  return titleWords(left.value).join(" ") === titleWords(right.value).join(" ");
}

function contains(whole: DataValue, part: DataValue): boolean {
  return ` ${titleWords(whole.value).join(" ")} `.includes(` ${titleWords(part.value).join(" ")} `);
}

/** Returns what follows the part in the whole title, or an empty string. */
function restOf(whole: DataValue, part: DataValue): string {
  const [text, start] = [String(whole.value), String(part.value)];
  const at = text.toLowerCase().indexOf(start.toLowerCase());
  return at === -1 ? "" : text.slice(at + start.length);
}
