import { CURRENCY } from "../../../html/page/prices";
import type { DataNode, DataObject, DataSource, DataValue } from "../../../html/page-data/data-node";
import { PAGE_TEXT, WHOLE_TEXT } from "../../../html/page-data/shown-data";
import { lazy } from "../../../lib/lazy";
import { normalizeText, toWords } from "../normalize-text";
import { indexPage, type PageIndex } from "../page-index";

/** The nodes of a page, arranged for the search for values. */
export interface PageView {
  /** The objects that JSON-LD, microdata and RDFa declare, and the objects that they name as their main entity. */
  objects: readonly DataObject[];
  /** The values of Open Graph and of other meta elements, by name. */
  meta: ReadonlyMap<string, DataValue>;
  state: readonly DataObject[];
  /** Returns the index of the text that the page shows about its subject. */
  shown: () => PageIndex;
  /** Returns the index of the text of all parts of the page. */
  shownAnywhere: () => PageIndex;
  /** The text of all parts of the page. */
  text: string;
  /** False if the page shows only a few words and no number, so that its declarations can't be compared with it. */
  isComparable: boolean;
  /** The headlines of the page, as it shows them. */
  headings: readonly string[];
  /** The headlines that name the subject, and the titles of Open Graph and of the <title> element. */
  titles: readonly string[];
}

/** A page with at most as many words shows almost nothing. */
const FEW_WORDS = 20;
const NAMES = ["name", "headline", "title"];
const TITLES = ["og:title", "twitter:title", "title"];
/** Matches an amount that the words before it mark as a former price, a recommended one, a saving or an installment. */
const OTHER_AMOUNT = new RegExp(
  String.raw`(?:\b(?:was|were|rrp|msrp|uvp|pvp|srp|list price|regular price|original price|old price|before|compare at|saved?|saving|statt|früher|bisher|vorher|spare|ersparnis|ancien prix|prix barré|au lieu de|économisez|antes|precio anterior|ahorra|invece di|risparmi):?|(?<!\d)\d{1,3} ?[x×])\s{1,3}(?:\p{L}{0,3}(?:${CURRENCY})\s?)?\d[\d.,'’]{0,12}(?:\s?(?:${CURRENCY}))?`,
  "giu",
);

export function toPageView(nodes: readonly DataNode[]): PageView {
  const objects: DataObject[] = [];
  const meta = new Map<string, DataValue>();
  const state: DataNode[] = [];
  const headings: DataValue[] = [];
  const texts = new Map<string, string>();
  for (const node of nodes) {
    if (node.source === "embedded_state") state.push(node);
    else if (node.kind === "value") {
      if (node.name === "h1") headings.push(node);
      else texts.set(node.name, String(node.value).replace(OTHER_AMOUNT, " "));
    } else if (node.source === "open_graph" || node.source === "meta") {
      for (const member of node.kind === "object" ? node.members : [])
        if (member.kind === "value") meta.set(member.name, member);
    } else if (node.kind === "object") {
      const named = node.members.filter(({ name }) => name === "mainEntity" || name === "mainEntityOfPage");
      objects.push(node, ...objectsIn(named));
    }
  }
  const own = headings.filter(({ part }) => part === undefined);
  const declared = TITLES.flatMap((name) => meta.get(name) ?? []);
  const text = texts.get(WHOLE_TEXT) ?? "";
  return {
    objects,
    meta,
    state: withInner(state),
    shown: lazy(() => indexPage(texts.get(PAGE_TEXT) ?? "")),
    shownAnywhere: lazy(() => indexPage(text)),
    text,
    isComparable: /\d/.test(text) || text.split(/\s+/, FEW_WORDS + 1).length > FEW_WORDS,
    headings: headings.map(({ value }) => String(value)),
    titles: [...own, ...declared].map(({ value }) => String(value)),
  };
}

/** Returns the objects among the nodes and below them. */
function withInner(roots: readonly DataNode[]): DataObject[] {
  const objects: DataObject[] = [];
  const pending = roots.toReversed();
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (node.kind === "object") objects.push(node);
    if (node.kind !== "value") pending.push(...(node.kind === "list" ? node.items : node.members));
  }
  return objects;
}

/** Returns the objects among the nodes and in their lists. */
export function objectsIn(nodes: readonly DataNode[]): DataObject[] {
  return nodes.flatMap((node) => (node.kind === "list" ? node.items : [node])).filter((node) => node.kind === "object");
}

/** Returns the values among the nodes and in their lists, as texts. */
export function textsIn(nodes: readonly DataNode[]): string[] {
  return nodes
    .flatMap((node) => (node.kind === "list" ? node.items : [node]))
    .flatMap((node) => (node.kind === "value" ? [String(node.value)] : []));
}

/** Returns the words of a text, joined by spaces, without punctuation and in lower case. */
export function toPhrase(text: string): string {
  return toWords(normalizeText(text)).join(" ");
}

/** Returns true if the second phrase contains the words of the first one. */
export function isWithin(part: string, whole: string): boolean {
  return part !== "" && ` ${whole} `.includes(` ${part} `);
}

/** Returns the name of an object as a phrase. Returns an empty text if it has none. */
export function nameOf({ members }: DataObject): string {
  const named = NAMES.map((name) => textsIn(members.filter((member) => member.name === name))[0]);
  return toPhrase(named.find((name) => name !== undefined) ?? "");
}

/** The kind of declaration in which a value was found. `json` is a JSON document. */
export type AnswerSource = DataSource | "json";
