import type { DataNode, DataObject, DataValue } from "../../../html/page-data/data-node";
import { PAGE_TEXT, WHOLE_TEXT } from "../../../html/page-data/shown-data";
import { normalizeText, toWords } from "../normalize-text";
import { toKey } from "./keys";
import { ShownText } from "./shown-text";

/** The nodes of a page, arranged for the search for values. */
export interface PageView {
  /** The objects that JSON-LD, microdata and RDFa declare, and the objects that they name as their main entity. */
  objects: readonly DataObject[];
  /** The values of Open Graph and of other meta elements, by name. */
  meta: ReadonlyMap<string, DataValue>;
  /** The values with a label, by the key of the label. */
  labels: ReadonlyMap<string, readonly DataValue[]>;
  /** The rows of each table with a header. */
  tables: readonly (readonly DataObject[])[];
  /** The objects in embedded state. */
  state: readonly DataObject[];
  /** The lists of objects in embedded state. */
  stateLists: readonly (readonly DataObject[])[];
  /** The text that the page shows about its subject. */
  shown: ShownText;
  /** The text of all parts of the page, such as the items of a list. */
  shownAnywhere: ShownText;
  /** The title of the page, as its headings and its declarations give it. */
  titles: PageTitles;
}

export interface PageTitles {
  headings: readonly DataValue[];
  /** The titles of Open Graph and of the <title> element. */
  declared: readonly DataValue[];
  /** The words of all titles. It is empty if the page has no title. */
  words: ReadonlySet<string>;
}

/** The share of the words of an object's name that must be in the titles of the page. */
const MIN_NAMED_SHARE = 0.6;
/** Recipes, jobs and events are rarely declared on pages about something else. Their titles are often longer. */
const MIN_SHARE_OF_OWN_PAGE = 0.3;
const ON_OWN_PAGE = /^(?:Recipe|JobPosting|.*Event)$/;
const NAMES = ["name", "headline", "title"];

export function toPageView(nodes: readonly DataNode[]): PageView {
  const objects: DataObject[] = [];
  const meta = new Map<string, DataValue>();
  const labels = new Map<string, DataValue[]>();
  const tables: DataObject[][] = [];
  const headings: DataValue[] = [];
  const state: DataNode[] = [];
  let [text, wholeText] = ["", ""];
  for (const node of nodes) {
    if (node.source === "embedded_state") state.push(node);
    else if (node.kind === "value") {
      if (node.name === PAGE_TEXT) text = String(node.value);
      else if (node.name === WHOLE_TEXT) wholeText = String(node.value);
      else if (node.name === "h1") headings.push(node);
      else {
        const key = toKey(node.name);
        const known = labels.get(key) ?? [];
        known.push(node);
        labels.set(key, known);
      }
    } else if (node.kind === "list") tables.push(node.items.filter((item) => item.kind === "object"));
    else if (node.source === "open_graph" || node.source === "meta") {
      for (const member of node.members) if (member.kind === "value") meta.set(member.name, member);
    } else objects.push(node, ...mainEntitiesOf(node));
  }
  const declared = ["og:title", "twitter:title", "title"]
    .map((name) => meta.get(name))
    .filter((one) => one !== undefined);
  const words = new Set([...headings.filter(isOfSubject), ...declared].flatMap(({ value }) => titleWords(value)));
  return {
    objects,
    meta,
    labels,
    tables,
    ...toState(state),
    shown: new ShownText(text),
    shownAnywhere: new ShownText(wholeText),
    titles: { headings, declared, words },
  };
}

/** Returns false for a node in a part of the page about something else. */
export function isOfSubject({ part }: DataNode): boolean {
  return part === undefined;
}

function mainEntitiesOf({ members }: DataObject): DataObject[] {
  return members
    .filter(({ name }) => name === "mainEntity" || name === "mainEntityOfPage")
    .flatMap((member) => (member.kind === "list" ? member.items : [member]))
    .filter((member) => member.kind === "object");
}

function toState(roots: readonly DataNode[]): Pick<PageView, "state" | "stateLists"> {
  const state: DataObject[] = [];
  const stateLists: DataObject[][] = [];
  const pending = roots.toReversed();
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (node.kind === "object") {
      state.push(node);
      pending.push(...node.members);
    } else if (node.kind === "list") {
      const objects = node.items.filter((item) => item.kind === "object");
      if (objects.length > 1 && objects.length === node.items.length) stateLists.push(objects);
      pending.push(...node.items);
    }
  }
  return { state, stateLists };
}

export function titleWords(text: unknown): string[] {
  return toWords(normalizeText(String(text)));
}

/** Returns the name of an object, or null if it has none. */
export function nameOf({ members }: DataObject): DataValue | null {
  for (const name of NAMES) {
    const member = members.find((one) => one.name === name);
    const value = member?.kind === "list" ? member.items[0] : member;
    if (value?.kind === "value") return value;
  }
  return null;
}

/** Returns true if the titles of the page have the words of the object's name. True if one of both has no words. */
export function isNamedAs(object: DataObject, { words }: PageTitles): boolean {
  const own = titleWords(nameOf(object)?.value ?? "");
  if (own.length === 0 || words.size === 0) return true;
  const share = object.types.some((type) => ON_OWN_PAGE.test(type)) ? MIN_SHARE_OF_OWN_PAGE : MIN_NAMED_SHARE;
  return own.filter((word) => words.has(word)).length >= share * own.length;
}

/** Returns true if one of the titles consists of the object's name. */
export function isTitledExactly(object: DataObject, { headings, declared }: PageTitles): boolean {
  const own = titleWords(nameOf(object)?.value ?? "").join(" ");
  return (
    own !== "" &&
    [...headings.filter(isOfSubject), ...declared].some(({ value }) => titleWords(value).join(" ") === own)
  );
}
