import { parseDocument } from "htmlparser2";
import { rawText } from "../parse/dom";
import { tidyValue } from "../parse/white-space";

export interface Description {
  title?: string;
  description?: string;
  language?: string;
  author?: string;
  published?: string;
  modified?: string;
  site?: string;
}

type JsonLdNode = Record<string, unknown>;

const MAX_NODES = 1_000;
const MAX_AUTHORS = 20;
const MAX_MARKUP_CHARS = 10_000;
const WRAPPING = /^\s*(?:<!--|\/\*\s*<!\[CDATA\[\s*\*\/|<!\[CDATA\[)|(?:-->|\/\*\s*\]\]>\s*\*\/|\]\]>)\s*$/g;
const MARKUP = /&#?\w+;|<\/?[a-z]/i;
/**
 * What a page is about comes before the page itself; of others, as of the company behind it, only names are taken. One kind
 * is the subject, the first of these that is there: an article may have a video, a product its reviews.
 */
const SUBJECTS = [
  /Article$|Posting$|^Report$/,
  /^Recipe$|^Product|Event$|^HowTo$|^Question$|^Book$|^Course$|^Movie$|^Podcast|^SoftwareApplication$|^Dataset$|^Message$/,
  /^Review$|^VideoObject$/,
];
const PAGE = /Page$/;

/** What the JSON-LD of a page says about it. Scripts that are no JSON are skipped. */
export function readJsonLd(sources: string[]): Description {
  const nodes = sources.flatMap((source) => nodesOf(parseJsonLd(source))).slice(0, MAX_NODES);
  const isA = (node: JsonLdNode, kind: RegExp) => typesOf(node).some((type) => kind.test(type));
  const kind = SUBJECTS.find((one) => nodes.some((node) => isA(node, one)));
  const subjects = kind ? nodes.filter((node) => isA(node, kind)) : [];
  const pages = nodes.filter((node) => isA(node, PAGE));
  const site = nodes.find((node) => typesOf(node).includes("WebSite"));
  const byId = new Map(nodes.map((node) => [node["@id"], node]));
  const find = (read: (node: JsonLdNode) => string) => [...subjects, ...pages].map(read).find((value) => value !== "");
  return {
    title: find((node) => textOf(node.headline) || textOf(node.name)) ?? "",
    description: find((node) => textOf(node.description)) ?? "",
    language: find((node) => textOf(node.inLanguage) || textOf(asNode(node.inLanguage)?.alternateName)) ?? "",
    author: find((node) => namesOf(node.author ?? node.creator, byId)) ?? "",
    published: find((node) => textOf(node.datePublished) || textOf(node.dateCreated)) ?? "",
    modified: find((node) => textOf(node.dateModified)) ?? "",
    site:
      (find((node) => namesOf(node.isPartOf, byId)) ||
        textOf(site?.name) ||
        find((node) => namesOf(node.publisher, byId))) ??
      "",
  };
}

/** Null for what is no JSON, after small repairs. */
export function parseJsonLd(source: string): unknown {
  const json = source.replace(WRAPPING, "");
  return tryParse(json) ?? tryParse(repair(json));
}

function tryParse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    // What isn't JSON says nothing; the page has other ways to.
    return null;
  }
}

/** What templates leave in it: line breaks in strings, commas and semicolons at the end. */
function repair(json: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: those are what JSON doesn't allow in strings.
  return json.replace(/[\u0000-\u001f]+/g, " ").replace(/,(?=\s*[}\]])|;\s*$/g, "");
}

/** The nodes of a document: one, several, a graph of them, and what a page is mainly about. */
function nodesOf(document: unknown): JsonLdNode[] {
  const nodes: JsonLdNode[] = [];
  const pending = [document];
  for (let value = pending.shift(); value !== undefined && nodes.length < MAX_NODES; value = pending.shift()) {
    if (Array.isArray(value)) pending.push(...value.slice(0, MAX_NODES));
    const node = asNode(value);
    if (!node) continue;
    nodes.push(node);
    pending.push(...[node["@graph"], node.mainEntity].filter((inner) => inner !== undefined));
  }
  return nodes;
}

function asNode(value: unknown): JsonLdNode | null {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonLdNode) : null;
}

function typesOf(node: JsonLdNode): string[] {
  const types = Array.isArray(node["@type"]) ? node["@type"] : [node["@type"]];
  return types.filter((type) => typeof type === "string").map((type) => type.replace(/^.*[/:]/, ""));
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return textOf(value.find((item) => typeof item === "string"));
  const literal = asNode(value)?.["@value"];
  if (typeof literal === "string") return textOf(literal);
  return typeof value === "string" ? tidyValue(MARKUP.test(value) ? withoutMarkup(value) : value) : "";
}

/** JSON needs no entities and knows no tags, but many pages fill it with what they show. */
function withoutMarkup(value: string): string {
  return rawText(parseDocument(value.slice(0, MAX_MARKUP_CHARS)));
}

/** The names of people and organisations: given as text, as nodes or as references to nodes. */
function namesOf(value: unknown, byId: Map<unknown, JsonLdNode>): string {
  const values = (Array.isArray(value) ? value : [value]).slice(0, MAX_AUTHORS);
  const names = values.map((item) => {
    const node = asNode(item);
    if (!node) return textOf(item);
    return textOf(node.name) || textOf(byId.get(node["@id"])?.name);
  });
  return [...new Set(names)].filter((name) => name !== "" && !/^https?:/i.test(name)).join(", ");
}
