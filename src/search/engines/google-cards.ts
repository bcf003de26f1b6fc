import type { Element } from "domhandler";
import { parseDocument } from "../../html/parse/document";
import { attribute, hasAttribute, isElement, isWithin } from "../../html/parse/dom";
import { PageStyles } from "../../html/visibility/page-styles";
import { isHidden as isHiddenBy } from "../../html/visibility/style-visibility";
import { parseJson } from "../../lib/json";
import { MAX_SERP_PAGE_RESULTS, MAX_SERP_SNIPPET_CHARS, MAX_SERP_TITLE_CHARS } from "../../model/search-limits";
import type { FoundBlocks } from "../results/blocks";
import { closest, findAll, isButton, isLink, type Matcher, textOf } from "../results/dom";
import { isHiddenByAttribute, piecesOf } from "../results/page-parts";
import { tidy } from "../results/texts";
import { isHeadingOf, isQuote, type PageParts, shownLines } from "./google-parts";

/** Reads the single cards of a page: the answer, the AI overview and the knowledge graph. */
export function readCards(parts: PageParts): FoundBlocks {
  return { ...readAnswer(parts), ...readOverview(parts), ...readKnowledge(parts) };
}

const idOf = (element: Element) => attribute(element, "data-attrid");
/** Reads the answer: a featured snippet, the senses of a word, or an amount in another currency. */
function readAnswer(parts: PageParts): FoundBlocks {
  const senses: string[] = [];
  let [quote, entry, rate]: (Element | null)[] = [null, null, null];
  let source: Element | null = null;
  for (const element of parts.shown) {
    if (quote && parts.organic.has(element)) source ??= element;
    const id = idOf(element);
    if (quote === null && isQuote(element) && !isWithin(element, parts.asides)) quote = element;
    else if (id === "EntryHeader") entry ??= element;
    else if (id === "SenseDefinition" && closest(element, isFolded) === null)
      senses.push(textOf(element, MAX_SERP_SNIPPET_CHARS));
    else if (hasAttribute(element, "data-exchange-rate")) rate ??= element;
  }
  const result = source ? parts.organic.get(source) : undefined;
  if (quote && result) {
    const { title, url } = result;
    const items = findAll(quote, ({ name }) => name === "li").map((item) => textOf(item, MAX_SERP_TITLE_CHARS));
    const text = textOf(quote, MAX_SERP_SNIPPET_CHARS);
    const content = { type: "featured_snippet" as const, text, title, url, ...(items.length > 0 && { items }) };
    return { answer: { content, at: quote } };
  }
  if (senses.length > 0 && entry) {
    const [title = ""] = piecesOf(entry);
    return { answer: { content: { type: "dictionary", text: senses.join("\n"), title, items: senses }, at: entry } };
  }
  const card = rate ?? exchangeCard(parts);
  if (!card) return {};
  return { answer: { content: { type: "currency", text: textOf(card, MAX_SERP_TITLE_CHARS) }, at: card } };
}

const isFolded: Matcher = (element) => attribute(element, "aria-hidden") === "true";
/** Matches "1 euro = 1.08 dollars". */
const EXCHANGE = /^\d[\d.,\s]*\p{L}[^=\d]{0,80}=\s*\d[\d.,\s]*\p{L}/u;

/** Returns the card with an amount in another currency on a page without scripts. The results are its siblings. */
function exchangeCard({ results }: PageParts): Element | null {
  const [first] = results;
  const siblings = first && isElement(first.parent) ? first.parent.children : [];
  for (const sibling of siblings) {
    if (sibling === first) break;
    if (isElement(sibling) && EXCHANGE.test(textOf(sibling, MAX_SERP_TITLE_CHARS))) return sibling;
  }
  return null;
}

const hasSubtree =
  (name: string): Matcher =>
  (element) =>
    attribute(element, "data-subtree").split(",").includes(name);
const isOverviewBox = hasSubtree("mfc");
const isOverviewText = hasSubtree("aimc");
const isOverviewTool = hasSubtree("dfa");
const OVERVIEW_TITLE =
  /^(?:ai overview|übersicht mit ki|aperçu ia|vista creada con ia|resumen de ia|visão geral criada por ia|overview ai|обзор от ии|ai 概览|ai による概要|ai 개요|ai-overzicht|yapay zeka özeti|przegląd od ai)$/i;
/** A shorter text isn't an overview, but a message such as "Thinking". */
const MIN_OVERVIEW_CHARS = 40;
/** The number of elements around the title that are searched for the text. */
const MAX_OVERVIEW_LEVELS = 8;

/**
 * Reads the AI overview. Its text and sources are in the page, or in markup that a script would insert by an id, or the
 * sources are in comments.
 */
function readOverview(parts: PageParts): FoundBlocks {
  const box = findOverview(parts);
  if (!box) return {};
  const inserted = insertedMarkup(parts.html);
  const ids =
    inserted.size === 0 ? [] : findAll(box, ({ attribs }) => attribs.id !== undefined && inserted.has(attribs.id));
  const roots = [
    ...findAll(box, isOverviewText, 1),
    ...ids.map(({ attribs }) => parseDocument(inserted.get(attribs.id ?? "") ?? "")),
  ];
  const whole = roots.length > 0 ? roots.filter((root) => isElement(root) || isElement(root.firstChild)) : [box];
  const elements = whole.flatMap((root) =>
    isElement(root) ? [root] : findAll(root, ({ name }) => name === "body", 1),
  );
  const lists = new Set(elements.flatMap((root) => findAll(root, isSourceList)));
  const sources = [...lists]
    .flatMap((list) => findAll(list, ({ name }) => name === "li"))
    .flatMap((item) => readSource(parts, item) ?? []);
  const isSkipped: Matcher = (at) =>
    lists.has(at) || isButton(at) || isOverviewTool(at) || isSectionLabel(at) || attribute(at, "role") === "dialog";
  const lines = elements.flatMap((root) => shownLines(root, isSkipped));
  const text = lines.join("\n");
  if (text.length < MIN_OVERVIEW_CHARS) return {};
  const listed = distinctBy(sources.length > 0 ? sources : commentedSources(parts));
  const isComplete = findAll(box, (at) => isButton(at) && attribute(at, "aria-expanded") === "false").length === 0;
  return { ai_overview: { content: { text, sources: listed, complete: isComplete }, at: box } };
}

const isSectionLabel: Matcher = (element) => isHeadingOf(element, "2");

function findOverview({ shown, asides }: PageParts): Element | null {
  for (const element of shown) {
    const isBox = isOverviewBox(element);
    const isLabel = isSectionLabel(element) && OVERVIEW_TITLE.test(textOf(element, MAX_SERP_TITLE_CHARS));
    if (!(isBox || isLabel) || isWithin(element, asides)) continue;
    if (isBox) return element;
    let box = element;
    for (let level = 0; level < MAX_OVERVIEW_LEVELS && isElement(box.parent); level++) {
      box = box.parent;
      if (shownLines(box, isSectionLabel).join("").length >= MIN_OVERVIEW_CHARS) return box;
    }
  }
  return null;
}

/** Returns true for a list of sources. Its items begin with a link that has only a label. */
function isSourceList(element: Element): boolean {
  if (element.name !== "ul" && element.name !== "ol") return false;
  const [item] = findAll(element, ({ name }) => name === "li", 1);
  const [link] = item ? findAll(item, isLink, 1) : [];
  if (!item || !link || piecesOf(link).length > 0) return false;
  let isAfter = false;
  const before = piecesOf(item, (at) => {
    isAfter ||= at === link;
    return isAfter;
  });
  return before.length === 0;
}

interface Source {
  title: string;
  url?: string;
  source?: string;
  snippet?: string;
}

function readSource({ readLink }: PageParts, item: Element): Source | null {
  const link = findAll(item, isLink, 1)[0];
  const [title = "", ...others] = shownLines(item);
  if (!link || title === "") return null;
  const target = readLink(attribute(link, "href"));
  const snippet = others.find((line) => line.length > title.length / 2 && line.includes(" "));
  const source = others.at(-1);
  return {
    title: title.slice(0, MAX_SERP_TITLE_CHARS),
    ...(target && { url: target.url }),
    ...(source && source !== snippet && { source }),
    ...(snippet && { snippet }),
  };
}

function distinctBy(sources: readonly Source[]): Source[] {
  const known = new Map(sources.map((source) => [`${source.url} ${source.title}`, source]));
  return [...known.values()].slice(0, MAX_SERP_PAGE_RESULTS);
}

/** Matches calls that insert escaped markup into the element with an id: `jsl.dh("id","\x3cdiv…")`. */
const INSERTION = /\bdh\((["'])([\w-]{1,100})\1,\s*(["'])((?:[^"'\\]|\\.|(?!\3)["'])*)\3/gs;
const ESCAPES = /\\x([\da-f]{2})|\\u([\da-f]{4})|\\(.)/gis;

function insertedMarkup(html: string): Map<string, string> {
  const markup = new Map<string, string>();
  for (const [, , id = "", , escaped = ""] of html.matchAll(INSERTION))
    markup.set(
      id,
      (markup.get(id) ?? "") +
        escaped.replace(ESCAPES, (_, byte, unit, other) =>
          other === undefined ? String.fromCharCode(Number.parseInt(byte ?? unit, 16)) : other,
        ),
    );
  return markup;
}

/** Matches comments with the data of a source: a list with an id, and a list of title, snippet and others. */
const SOURCE_COMMENT = /<!--\w{1,12}\|?(\[\[[^>]{1,8000}?\]\])-->/g;
const ENTITIES: Readonly<Record<string, string>> = {
  "&quot;": '"',
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&#39;": "'",
};

function commentedSources({ html, readLink }: PageParts): Source[] {
  return [...html.matchAll(SOURCE_COMMENT)].flatMap(([, json = ""]): Source[] => {
    const text = json.replace(/&(?:quot|amp|lt|gt|#39);/g, (entity) => ENTITIES[entity] ?? entity);
    const data: unknown = parseJson(text);
    const body: unknown = Array.isArray(data) && Array.isArray(data[0]) ? data[0][1] : null;
    if (!Array.isArray(body) || typeof body[0] !== "string") return [];
    const [title, snippet, , , publisher] = body;
    const address: unknown = body.find(
      (value, index) => index > 3 && typeof value === "string" && /^https?:/.test(value),
    );
    const target = typeof address === "string" ? readLink(address) : null;
    const name: unknown = Array.isArray(publisher) ? publisher[0] : null;
    if (!target) return [];
    return [
      {
        title: tidy(title, MAX_SERP_TITLE_CHARS),
        url: target.url,
        ...(typeof name === "string" && { source: tidy(name, MAX_SERP_TITLE_CHARS) }),
        ...(typeof snippet === "string" && { snippet: tidy(snippet, MAX_SERP_SNIPPET_CHARS) }),
      },
    ];
  });
}

const FACT = /^(?:kc|ss|hw):\//;
const MAX_NAME_CHARS = 80;
const NAME_END = /\s*[:：]\s*$/;

/** Reads the card about an entity. Its parts have an id in `data-attrid`. */
function readKnowledge(parts: PageParts): FoundBlocks {
  let [title, type, description, site]: (Element | null)[] = [null, null, null, null];
  const facts: { name: string; value: string }[] = [];
  for (const element of parts.shown) {
    const id = idOf(element);
    if (id === "" || isWithin(element, parts.asides)) continue;
    if (id === "title") title ??= element;
    else if (id === "subtitle") type ??= element;
    else if (/description$/i.test(id) && !id.startsWith("wa:")) description ??= element;
    else if (/official_site|:website/.test(id)) site ??= element;
    else if (FACT.test(id)) {
      const fact = readFact(element);
      if (fact && !facts.some(({ name }) => name === fact.name)) facts.push(fact);
    }
  }
  const name = title ? textOf(title, MAX_SERP_TITLE_CHARS) : "";
  if (!title || name === "" || !(facts.length > 0 || description) || isInvisible(parts, title)) return {};
  const kind = type ? textOf(type, MAX_SERP_TITLE_CHARS) : "";
  const source = description ? findAll(description, isLink).at(-1) : undefined;
  const target = source ? parts.readLink(attribute(source, "href")) : null;
  const link = site ? (findAll(site, isLink, 1)[0] ?? closest(site, isLink)) : null;
  const website = link ? parts.readLink(attribute(link, "href")) : null;
  const isLabel: Matcher = (at) =>
    isLink(at) || isHeadingOf(at, "2") || isHeadingOf(at, "3") || /^h[1-4]$/.test(at.name);
  const text = description ? shownLines(description, isLabel).join(" ") : "";
  const content = {
    title: name,
    ...(kind && { type: kind }),
    ...(text && { description: text }),
    ...(source && target && { source: { name: textOf(source, MAX_SERP_TITLE_CHARS), url: target.url } }),
    ...(website && { website: website.url }),
    facts: facts.slice(0, MAX_SERP_PAGE_RESULTS),
  };
  return { knowledge_graph: { content, at: title } };
}

/** Reads a fact: a name that ends with a colon, and its value. */
function readFact(element: Element): { name: string; value: string } | null {
  const [label = ""] = piecesOf(element);
  const text = textOf(element, MAX_SERP_SNIPPET_CHARS, isHiddenByAttribute);
  const isNamed = NAME_END.test(label) || /^\s*[:：]/.test(text.slice(label.length));
  const value = text.slice(label.length).replace(/^\s*[:：]?\s*/, "");
  const name = label.replace(NAME_END, "");
  return isNamed && name !== "" && name.length <= MAX_NAME_CHARS && value !== "" ? { name, value } : null;
}

/** Returns true if an attribute or a style sheet of the page hides the element. */
function isInvisible({ page }: PageParts, element: Element): boolean {
  if (closest(element, isFolded)) return true;
  const styles = new PageStyles(page);
  return (
    closest(
      element,
      (at) => at.name !== "body" && at.name !== "html" && isHiddenBy(styles.of(at, { isOuterVisible: true })),
    ) !== null
  );
}
