import type { Label, Place } from "./place";

const MAX_LABEL_CHARS = 40;
const MAX_LABEL_WORDS = 6;
const COLON = /^([^:\d]{2,40}?)\s?: (\S.*)$/;

/** Labels each <dd> by the <dt> before it. */
export function labelDescriptions(children: readonly Place[]): void {
  let term: Place | null = null;
  for (const child of children) {
    if (child.tag === "dt") term = child;
    else if (child.tag === "dd" && term !== null) labelBy(term, child);
  }
}

/** Labels the second of two elements by the first, as in a row of two cells. */
export function labelSecond([first, second]: readonly Place[]): void {
  if (first !== undefined && second !== undefined) labelBy(first, second);
}

/** Labels the cells of a table by the cells of its header row. `places` are the places of the table. */
export function labelCells(places: readonly Place[]): void {
  const rows = new Map<Place, Place[]>();
  for (const place of places) {
    if ((place.tag !== "td" && place.tag !== "th") || place.parent?.tag !== "tr") continue;
    const row = rows.get(place.parent) ?? [];
    rows.set(place.parent, row);
    row.push(place);
  }
  const [header = [], ...others] = rows.values();
  if (header.length < 2 || header.some(({ tag }) => tag !== "th")) return;
  for (const row of others.filter(({ length }) => length === header.length)) {
    for (const [column, cell] of row.entries()) {
      const head = header[column];
      if (head !== undefined) labelBy(head, cell);
    }
  }
}

/** Returns the label that a text begins with, or null. */
export function splitLabel(text: string): Label | null {
  if (text.length > 10 * MAX_LABEL_CHARS) return null;
  const [, before = "", after = ""] = COLON.exec(text) ?? [];
  const words = toLabelWords(before);
  return words === null ? null : { words, text: after, isTerm: false };
}

function labelBy(label: Place, place: Place): void {
  const words = toLabelWords(label.text ?? "");
  if (words === null || !place.text) return;
  const isTerm = label.tag === "dt" || label.tag === "th" || label.text?.endsWith(":") === true;
  place.label = { words, text: place.text, isTerm };
}

/** Returns the words of a label, or null if the text doesn't look like a label. */
function toLabelWords(text: string): string | null {
  if (text.length > MAX_LABEL_CHARS || /\d/.test(text)) return null;
  const words = text.toLowerCase().match(/[\p{L}\p{M}]+/gu) ?? [];
  return words.length === 0 || words.length > MAX_LABEL_WORDS ? null : words.join(" ");
}
