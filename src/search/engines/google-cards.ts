import type { Element } from "domhandler";
import { bodyOf, parseDocument } from "../../html/parse/document";
import { attribute, elementsUnder, hasAttribute, isElement, isWithin } from "../../html/parse/dom";
import { setChildren } from "../../html/parse/tree";
import { PageStyles } from "../../html/visibility/page-styles";
import { isHidden as isHiddenBy } from "../../html/visibility/style-visibility";
import { unescapeScript } from "../../lib/text";
import { MAX_SERP_PAGE_RESULTS, MAX_SERP_SNIPPET_CHARS, MAX_SERP_TITLE_CHARS } from "../../model/search-limits";
import { type BlockContent, compact, type FoundBlocks } from "../results/blocks";
import { closest, findAll, findFirst, linksIn } from "../results/dom";
import { isQuote, piecesOf, shownLines, textOf, titleOf } from "../results/element-text";
import { readTarget } from "../results/links";
import { hasRole, isButton, isHiddenByAttribute, isLink, isNamed, isTitle, type Matcher } from "../results/matchers";
import { tidy } from "../results/texts";
import { isSectionTitle, type PageParts } from "./google-parts";

/** Reads the single cards of a page: the answer, the AI overview and the knowledge graph. */
export function readCards(parts: PageParts): FoundBlocks {
  return { ...readAnswer(parts), ...readOverview(parts), ...readKnowledge(parts) };
}

const idOf = (element: Element) => attribute(element, "data-attrid");

const MAX_SENSES = 30;

/** Reads the answer: a featured snippet, the senses of a word, or an amount in another currency. */
function readAnswer(parts: PageParts): FoundBlocks {
  const senses: string[] = [];
  let [quote, entry, rate]: (Element | null)[] = [null, null, null];
  let source: Element | null = null;
  for (const element of parts.marked) {
    if (quote && parts.results.has(element)) source ??= element;
    const id = idOf(element);
    if (quote === null && isQuote(element) && !isWithin(element, parts.asides)) quote = element;
    else if (id === "EntryHeader") entry ??= element;
    else if (id === "SenseDefinition" && senses.length < MAX_SENSES && closest(element, isFolded) === null)
      senses.push(textOf(element, MAX_SERP_SNIPPET_CHARS));
    else if (hasAttribute(element, "data-exchange-rate")) rate ??= element;
  }
  const result = source ? parts.results.get(source) : undefined;
  if (quote && result) {
    const { title, url } = result;
    const items = findAll(quote, isNamed("li"), MAX_SERP_PAGE_RESULTS).map(titleOf);
    const text = textOf(quote, MAX_SERP_SNIPPET_CHARS);
    const content = { type: "featured_snippet" as const, text, title, url };
    return { answer: { content: items.length > 0 ? { ...content, items } : content, at: quote } };
  }
  if (senses.length > 0 && entry) {
    const [title = ""] = piecesOf(entry);
    return { answer: { content: { type: "dictionary", text: senses.join("\n"), title, items: senses }, at: entry } };
  }
  const card = rate ?? exchangeCard(parts);
  if (!card) return {};
  return { answer: { content: { type: "currency", text: titleOf(card) }, at: card } };
}

const isFolded: Matcher = (element) => attribute(element, "aria-hidden") === "true";
/** Matches "1 euro = 1.08 dollars". */
const EXCHANGE = /^\d[\d.,\s]*\p{L}[^=\d]{0,80}=\s*\d[\d.,\s]*\p{L}/u;

/** Returns the card with an amount in another currency on a page without scripts. The results are its siblings. */
function exchangeCard({ organic, blocks }: PageParts): Element | null {
  const first = organic[0] && blocks.get(organic[0]);
  const siblings = first && isElement(first.parent) ? first.parent.children : [];
  for (const sibling of siblings) {
    if (sibling === first) break;
    if (isElement(sibling) && EXCHANGE.test(titleOf(sibling))) return sibling;
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

/** Matches the label of a button that shows the rest of a folded text. */
const SHOW_MORE =
  /show more|mehr anzeigen|afficher plus|mostrar más|mostrar mais|mostra altro|daha fazla|toon meer|pokaż więcej|показать (?:больше|ещё)|もっと見る|더보기|展开|顯示更多/i;

/**
 * Reads the AI overview. Parts of its text, and the list of its sources, can be in markup that a script would insert.
 * The titles of the sources can be in comments.
 */
function readOverview(parts: PageParts): FoundBlocks {
  const box = findOverview(parts);
  if (!box) return {};
  insertMarkup(box, parts.html);
  const content = findFirst(box, isOverviewText) ?? box;
  const lists = new Set(findAll(box, isSourceList));
  const isSkipped: Matcher = (at) =>
    lists.has(at) || isButton(at) || isOverviewTool(at) || isSectionTitle(at) || hasRole("dialog")(at);
  const text = shownLines(content, isSkipped).join("\n");
  if (text.length < MIN_OVERVIEW_CHARS) return {};
  const described = new Map(describedSources(parts).map((source) => [source.url, source]));
  const items = [...lists].flatMap((list) => findAll(list, isNamed("li"), MAX_SERP_PAGE_RESULTS));
  const listed = items.flatMap((item) => readSource(parts, item) ?? []);
  const sources = listed.length > 0 ? listed.map((source) => described.get(source.url) ?? source) : described.values();
  const distinct = new Map([...sources].map((source) => [`${source.url} ${source.title}`, source]));
  const isFolded = findAll(box, (at) => isButton(at) && SHOW_MORE.test(titleOf(at))).length > 0;
  const listedSources = [...distinct.values()].slice(0, MAX_SERP_PAGE_RESULTS);
  return { ai_overview: { content: { text, sources: listedSources, complete: !isFolded }, at: box } };
}

function findOverview({ marked, asides }: PageParts): Element | null {
  for (const element of marked) {
    const isBox = isOverviewBox(element);
    const isLabel = isSectionTitle(element) && OVERVIEW_TITLE.test(titleOf(element));
    if (!(isBox || isLabel) || isWithin(element, asides)) continue;
    if (isBox) return element;
    let box = element;
    for (let level = 0; level < MAX_OVERVIEW_LEVELS && isElement(box.parent); level++) {
      box = box.parent;
      if (shownLines(box, isSectionTitle).join("").length >= MIN_OVERVIEW_CHARS) return box;
    }
  }
  return null;
}

/** Returns true for a list of sources. Its items begin with a link that has only a label. */
function isSourceList(element: Element): boolean {
  if (element.name !== "ul" && element.name !== "ol") return false;
  const [item] = findAll(element, isNamed("li"), 1);
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
  const link = findFirst(item, isLink);
  const [title = "", ...others] = shownLines(item);
  if (!link || title === "") return null;
  const snippet = others.find((line) => line.length > title.length / 2 && line.includes(" "));
  const source = others.at(-1);
  const url = readLink(link);
  const name = title.slice(0, MAX_SERP_TITLE_CHARS);
  return compact<Source>({ title: name, url, source: source === snippet ? undefined : source, snippet });
}

/** Matches calls that insert a text of escaped markup into the element with an id, up to the quote before the text. */
const INSERTION =
  /(?:\bid:["']([\w-]{1,100})["']\},function\(\)\{[^"'(]{0,40})?\bdh\((?:this\.id|["']([\w-]{1,100})["']),\s*(["'])/g;

/** Inserts markup into the elements of the box as the page's scripts do. The inserted elements can be filled, too. */
function insertMarkup(box: Element, html: string): void {
  const markup = new Map<string, string>();
  INSERTION.lastIndex = 0;
  for (let call = INSERTION.exec(html); call; call = INSERTION.exec(html)) {
    const [, outer, inner, quote = ""] = call;
    let end = html.indexOf(quote, INSERTION.lastIndex);
    while (end > 0 && isEscaped(html, end)) end = html.indexOf(quote, end + 1);
    if (end < 0) break;
    markup.set(inner ?? outer ?? "", html.slice(INSERTION.lastIndex, end));
    INSERTION.lastIndex = end;
  }
  for (const element of markup.size === 0 ? [] : elementsUnder(box)) {
    const escaped = markup.get(attribute(element, "id"));
    if (escaped === undefined) continue;
    markup.delete(attribute(element, "id"));
    setChildren(element, bodyOf(parseDocument(unescapeScript(escaped))).children);
  }
}

/** Returns true if an odd number of backslashes precedes the character. */
function isEscaped(text: string, index: number): boolean {
  let start = index;
  while (text[start - 1] === "\\") start--;
  return (index - start) % 2 === 1;
}

/** Matches a text in JSON whose quotes are entities. */
const TEXT = "&quot;((?:[^&\\\\]|\\\\.|&(?!quot;)){0,4000})&quot;";
/** Matches the data of a source in a comment: an id, and a list of title, text, icon, site, names and URL. */
const SOURCE = new RegExp(
  `\\[\\[&quot;[\\da-f-]{36}&quot;,\\[${TEXT},${TEXT},${TEXT},${TEXT},\\[(?:${TEXT})?[^\\]]{0,100}\\],${TEXT}`,
  "g",
);
const ENTITIES: Readonly<Record<string, string>> = { "&amp;": "&", "&lt;": "<", "&gt;": ">", "&#39;": "'" };

function describedSources({ html, url: base, rules }: PageParts): Source[] {
  return [...html.matchAll(SOURCE)].flatMap((match) => {
    const [title = "", snippet = "", , , source = "", url = ""] = match.slice(1).map((text) => unescaped(text ?? ""));
    const target = readTarget(rules.links, url, base);
    if (!target || title === "") return [];
    return [compact<Source>({ title, url: target.url, source, snippet })];
  });
}

/** Decodes a text with entities and with the escapes of JSON, which a script can escape once more. */
function unescaped(text: string): string {
  const plain = text.replace(/&(?:amp|lt|gt|#39);/g, (entity) => ENTITIES[entity] ?? entity);
  const decoded = plain.replace(/(?<!\\)\\+u([\da-f]{4})/gi, (_, unit) =>
    String.fromCharCode(Number.parseInt(unit, 16)),
  );
  return tidy(decoded.replace(/\\+/g, "").replace(/<[^<>]*>/g, ""), MAX_SERP_SNIPPET_CHARS);
}

const FACT = /^(?:kc|ss|hw):\//;
const MAX_NAME_CHARS = 80;
const NAME_END = /(?<!\s)\s*[:：]\s*$/;

/** Reads the card about an entity. Its parts have an id in `data-attrid`. */
function readKnowledge(parts: PageParts): FoundBlocks {
  let [title, type, description, site]: (Element | null)[] = [null, null, null, null];
  const facts: { name: string; value: string }[] = [];
  for (const element of parts.marked) {
    const id = idOf(element);
    if (id === "" || isWithin(element, parts.asides)) continue;
    if (id === "title") title ??= element;
    else if (id === "subtitle") type ??= element;
    else if (/description$/i.test(id) && !id.startsWith("wa:")) description ??= element;
    else if (/official_site|:website/.test(id)) site ??= element;
    else if (FACT.test(id) && facts.length < MAX_SERP_PAGE_RESULTS) {
      const fact = readFact(element);
      if (fact && !facts.some(({ name }) => name === fact.name)) facts.push(fact);
    }
  }
  const name = title ? titleOf(title) : "";
  if (!title || name === "" || !(facts.length > 0 || description) || isInvisible(parts, title)) return {};
  const source = description ? linksIn(description).at(-1) : undefined;
  const url = source && parts.readLink(source);
  const link = site && (linksIn(site)[0] ?? closest(site, isLink));
  const isLabel: Matcher = (at) => isLink(at) || isTitle(at) || isSectionTitle(at);
  const content = compact<NonNullable<BlockContent<"knowledge_graph">>>({
    title: name,
    type: type && titleOf(type),
    description: description && shownLines(description, isLabel).join(" "),
    source: source && url ? { name: titleOf(source), url } : undefined,
    website: link && parts.readLink(link),
    facts,
  });
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
function isInvisible({ styled }: PageParts, element: Element): boolean {
  if (closest(element, isFolded)) return true;
  const styles = new PageStyles(styled);
  const isHidden: Matcher = (at) => isHiddenBy(styles.of(at, { isOuterVisible: true }));
  return closest(element, (at) => at.name !== "body" && at.name !== "html" && isHidden(at)) !== null;
}
