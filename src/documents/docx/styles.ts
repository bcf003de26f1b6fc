import type { OfficePackage } from "../package";
import { childAt, childrenOf, type XmlElement } from "../xml";

export interface Style {
  /** The depth of a heading from 1, or null. */
  heading: number | null;
  isQuote: boolean;
  /** The list to which the style's paragraphs belong. Null if they belong to no list. */
  list: ListRef | null;
}

export interface ListRef {
  id: string;
  level: number;
}

export interface ListLevel {
  ordered: boolean;
  start: number;
}

/** A style without the properties that it inherits. */
interface OwnStyle extends Style {
  /** The id of the style from which it inherits. May be empty. */
  basedOn: string;
}

/** The maximum number of styles from which a style inherits. */
const MAX_ANCESTORS = 20;
const MAX_LEVEL = 8;

export async function readStyles(file: OfficePackage): Promise<Map<string, Style>> {
  const styles = new Map<string, OwnStyle>();
  for await (const { element } of file.read("word/styles.xml", "styles")) {
    if (element.name === "style") styles.set(element.attributes.get("styleId") ?? "", readOwnStyle(element));
  }
  return new Map([...styles.keys()].map((id) => [id, inherit(id, styles)]));
}

function readOwnStyle(element: XmlElement): OwnStyle {
  const name = readValue(childAt(element, "name")).toLowerCase();
  const properties = childAt(element, "pPr");
  return {
    heading: toHeading(name) ?? readHeading(properties),
    isQuote: /^(intense )?quote$/.test(name),
    list: readList(properties),
    basedOn: readValue(childAt(element, "basedOn")),
  };
}

function inherit(id: string, styles: ReadonlyMap<string, OwnStyle>): Style {
  const style: Style = { heading: null, isQuote: false, list: null };
  let own = styles.get(id);
  for (let ancestors = 0; own !== undefined && ancestors < MAX_ANCESTORS; ancestors++) {
    style.heading ??= own.heading;
    style.isQuote ||= own.isQuote;
    style.list ??= own.list;
    own = styles.get(own.basedOn);
  }
  return style;
}

/** Returns the depth of a built-in heading style. Word stores their names in English. */
function toHeading(name: string): number | null {
  if (name === "title") return 1;
  const depth = /^heading ([1-9])$/.exec(name)?.[1];
  return depth === undefined ? null : Number(depth);
}

/** Returns the depth of the paragraph in the document's outline, or null if it is body text. */
export function readHeading(properties: XmlElement | undefined): number | null {
  const level = readValue(childAt(properties, "outlineLvl"));
  return /^[0-8]$/.test(level) ? Number(level) + 1 : null;
}

/** Returns the list in the paragraph properties, or null. The list "0" excludes it from its style's list. */
export function readList(properties: XmlElement | undefined): ListRef | null {
  const numbering = childAt(properties, "numPr");
  const id = readValue(childAt(numbering, "numId"));
  const level = Number(readValue(childAt(numbering, "ilvl")));
  return id === "" ? null : { id, level: Math.min(Math.max(Math.trunc(level) || 0, 0), MAX_LEVEL) };
}

/** Reads the levels of each list. The key is the list's id and the level, such as `3.0`. */
export async function readNumbering(file: OfficePackage): Promise<Map<string, ListLevel>> {
  // Each definition is read once, because any number of lists can share it.
  const abstracts = new Map<string, [level: string, ListLevel][]>();
  const lists: XmlElement[] = [];
  for (const element of await file.readAll("word/numbering.xml", "numbering")) {
    if (element.name === "num") lists.push(element);
    if (element.name !== "abstractNum") continue;
    const defined = childrenOf(element, "lvl").slice(0, MAX_LEVEL + 1);
    abstracts.set(element.attributes.get("abstractNumId") ?? "", defined.map(readLevel));
  }
  const levels = new Map<string, ListLevel>();
  for (const list of lists) {
    for (const [level, definition] of abstracts.get(readValue(childAt(list, "abstractNumId"))) ?? [])
      levels.set(`${list.attributes.get("numId")}.${level}`, definition);
  }
  return levels;
}

function readLevel(level: XmlElement): [level: string, ListLevel] {
  const ordered = !/^(bullet|none)$/.test(readValue(childAt(level, "numFmt")));
  return [level.attributes.get("ilvl") ?? "", { ordered, start: Number(readValue(childAt(level, "start")) || 1) }];
}

/** Returns the attribute `val`, or an empty string. */
export function readValue(element: XmlElement | undefined): string {
  return element?.attributes.get("val") ?? "";
}
