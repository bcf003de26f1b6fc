import { parseDocument } from "htmlparser2";
import { parseJson } from "../../lib/json";
import { rawText } from "../parse/dom";
import { tidyValue } from "../parse/white-space";

/** A description of the page from its JSON-LD or microdata. */
export interface Description {
  title?: string;
  description?: string;
  language?: string;
  author?: string;
  published?: string;
  modified?: string;
  site?: string;
  publisher?: string;
  /** True if the author is an organization. */
  isByOrganization?: boolean;
}

export type JsonLdNode = Record<string, unknown>;

const MAX_NODES = 1_000;
const MAX_AUTHORS = 20;
const MAX_MARKUP_CHARS = 10_000;
const WRAPPING = /^\s*(?:<!--|\/\*\s*<!\[CDATA\[\s*\*\/|<!\[CDATA\[)|(?:-->|\/\*\s*\]\]>\s*\*\/|\]\]>)\s*$/g;
const MARKUP = /&#?\w+;|<\/?[a-z]/i;
/**
 * The types of JSON-LD nodes that can be the page's subject. The nodes that match the earliest pattern are the
 * subjects, because an article may contain a video, and a product may have reviews. From other nodes, such as the
 * publisher, only the names are used.
 */
const SUBJECTS = [
  /Article$|Posting$|^Report$/,
  /^Recipe$|^Product|Event$|^HowTo$|^Question$|^Book$|^Course$|^Movie$|^Podcast|^SoftwareApplication$|^Dataset$|^Message$/,
  /^Review$|^VideoObject$/,
];
const PAGE = /Page$/;
/** The author of a review or a comment isn't the author of the page. */
const CONTRIBUTION = /Review$|^Comment$|^Answer$/;

/** Describes a page by the nodes of its JSON-LD scripts. */
export function readJsonLd(nodes: readonly JsonLdNode[]): Description {
  const isA = (node: JsonLdNode, kind: RegExp) => typesOf(node).some((type) => kind.test(type));
  const kind = SUBJECTS.find((one) => nodes.some((node) => isA(node, one)));
  const subjects = kind ? nodes.filter((node) => isA(node, kind)) : [];
  const pages = nodes.filter((node) => isA(node, PAGE));
  const site = nodes.find((node) => typesOf(node).includes("WebSite"));
  const byId = new Map(nodes.map((node) => [node["@id"], node]));
  const find = (read: (node: JsonLdNode) => string) => [...subjects, ...pages].map(read).find((value) => value !== "");
  const author = [...subjects, ...pages].find(
    (node) => !isA(node, CONTRIBUTION) && namesOf(authorOf(node), byId) !== "",
  );
  return {
    title: find((node) => textOf(node.headline) || textOf(node.name)) ?? "",
    description: find((node) => textOf(node.description)) ?? "",
    language: find((node) => textOf(node.inLanguage) || textOf(asNode(node.inLanguage)?.alternateName)) ?? "",
    author: author ? namesOf(authorOf(author), byId) : "",
    isByOrganization: author !== undefined && isOrganization(authorOf(author), byId),
    published: find((node) => textOf(node.datePublished) || textOf(node.dateCreated)) ?? "",
    modified: find((node) => textOf(node.dateModified)) ?? "",
    site:
      (find((node) => namesOf(node.isPartOf, byId)) ||
        textOf(site?.name) ||
        find((node) => namesOf(node.publisher, byId))) ??
      "",
    publisher: find((node) => namesOf(node.publisher, byId)) ?? "",
  };
}

function authorOf(node: JsonLdNode): unknown {
  return node.author ?? node.creator;
}

function isOrganization(author: unknown, byId: Map<unknown, JsonLdNode>): boolean {
  const [first] = [author].flat();
  const node = asNode(first);
  const types = node ? [...typesOf(node), ...typesOf(byId.get(node["@id"]) ?? {})] : [];
  return types.some((type) => /Organization$|^Corporation$|Business$/.test(type));
}

/** Parses JSON. If that fails, repairs common mistakes and tries again. Returns null if the result still isn't JSON. */
export function parseJsonLd(source: string): unknown {
  const json = source.replace(WRAPPING, "");
  return parseJson(json) ?? parseJson(repair(json));
}

/** Repairs common mistakes of page templates: line breaks in strings, trailing commas and trailing semicolons. */
function repair(json: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: JSON doesn't allow these in strings.
  return json.replace(/[\u0000-\u001f]+/g, " ").replace(/,(?=\s*[}\]])|;\s*$/g, "");
}

/** Returns the nodes of JSON-LD documents, including those in arrays, in `@graph` and in `mainEntity`. */
export function nodesOf(documents: readonly unknown[]): JsonLdNode[] {
  const nodes: JsonLdNode[] = [];
  for (const document of documents) {
    const pending = [document];
    for (let at = 0; at < pending.length && nodes.length < MAX_NODES; at++) {
      const value = pending[at];
      if (Array.isArray(value)) pending.push(...value.slice(0, MAX_NODES));
      const node = asNode(value);
      if (!node) continue;
      nodes.push(node);
      // The questions of an FAQ aren't the subject of the page.
      pending.push(node["@graph"], typesOf(node).includes("FAQPage") ? undefined : node.mainEntity);
    }
  }
  return nodes;
}

function asNode(value: unknown): JsonLdNode | null {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonLdNode) : null;
}

/** Returns the types of a JSON-LD node, without the address of the vocabulary. */
export function typesOf(node: JsonLdNode): string[] {
  const types = [node["@type"]].flat();
  return types.filter((type) => typeof type === "string").map((type) => type.replace(/^.*[/:#]/, ""));
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return textOf(value.find((item) => typeof item === "string"));
  const literal = asNode(value)?.["@value"];
  if (typeof literal === "string") return textOf(literal);
  return typeof value === "string" ? tidyValue(MARKUP.test(value) ? withoutMarkup(value) : value) : "";
}

/** Converts HTML to text. JSON-LD values should be plain text, but many pages insert HTML. */
function withoutMarkup(value: string): string {
  return rawText(parseDocument(value.slice(0, MAX_MARKUP_CHARS)));
}

/**
 * Returns the names of people or organizations, joined by commas. A value can be a name, a node or a reference to a
 * node.
 */
function namesOf(value: unknown, byId: Map<unknown, JsonLdNode>): string {
  const list = asNode(value)?.["@list"] ?? value;
  const values = (Array.isArray(list) ? list : [list]).slice(0, MAX_AUTHORS);
  const names = values.map((item) => {
    const node = asNode(item);
    if (!node) return textOf(item);
    return textOf(node.name) || textOf(byId.get(node["@id"])?.name) || fullName(node);
  });
  return [...new Set(names)].filter((name) => name !== "" && !/^https?:/i.test(name)).join(", ");
}

function fullName(person: JsonLdNode): string {
  return `${textOf(person.givenName)} ${textOf(person.familyName)}`.trim();
}
