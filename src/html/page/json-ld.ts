import { parseDocument } from "htmlparser2";
import { parseJson } from "../../lib/json";
import { separatedText } from "../parse/dom";
import { collapseLines } from "../parse/white-space";

/** An object of JSON-LD. Also an item of microdata or RDFa in the same form. */
export type JsonLdNode = Record<string, unknown>;

const MAX_NODES = 1_000;
const MAX_DEPTH = 24;
/** The maximum length of a value. Longer values are cut. */
const MAX_VALUE_CHARS = 20_000;
const MARKUP = /&#?\w+;|<\/?[a-z]/i;
/** Matches the entities that are left if a page escaped a text twice. */
const ESCAPED_TWICE = /&(?:#\d+|#x[\da-f]+|[a-z]{2,8}\d{0,2});/i;
const VOCABULARY = /^(?:https?:\/\/.*[/#]|schema:)/i;
const WRAPPING = /^\s*(?:<!--|\/\*\s*<!\[CDATA\[\s*\*\/|<!\[CDATA\[)|(?:-->|\/\*\s*\]\]>\s*\*\/|\]\]>)\s*$/g;

/** Parses JSON. If that fails, repairs common mistakes and tries again. Returns null if the result still isn't JSON. */
export function parseJsonLd(source: string): unknown {
  const json = source.replace(WRAPPING, "");
  return parseJson(json) ?? parseJson(repair(json));
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON doesn't allow these in strings.
const IN_STRING = /["\\\u0000-\u001f]/g;
const OUTSIDE_OF_STRINGS = /["{}[\];,]|\/\/.*|\/\*(?:[^*]|\*(?!\/))*(?:\*\/|$)/g;
const ESCAPE = /["\\/bfnrt]|u[\da-f]{4}/iy;
const AFTER_STRING = /\s*(?:$|[:}\]]|,\s*(.?))/y;
const ESCAPED_QUOTE = /&(?:quot|#34);/g;

/**
 * Repairs common mistakes of page templates: unescaped quotes, line breaks and backslashes in strings, escaped quotes
 * around strings, comments, trailing commas and semicolons, several documents in a row, and a missing end.
 */
function repair(source: string): string {
  const json = /^\s*[[{]\s*&/.test(source) ? source.replace(ESCAPED_QUOTE, '"') : source;
  const parts: string[] = [];
  /** The closing brackets of the open objects and arrays, the innermost one last. */
  const open: string[] = [];
  let [documents, from, isString, hasComma] = [0, 0, false, false];
  const put = (text: string) => {
    if (open.length === 0 || text.trim() === "") return;
    if (hasComma) parts.push(",");
    hasComma = false;
    parts.push(text);
  };
  for (;;) {
    const found = matchAt(isString ? IN_STRING : OUTSIDE_OF_STRINGS, json, from);
    const text = json.slice(from, found?.index);
    if (isString) parts.push(text);
    else put(text);
    if (!found) break;
    const [token] = found;
    from = found.index + token.length;
    if (isString && token === '"') {
      isString = !endsString(json, from, open.at(-1) === "}");
      parts.push(isString ? '\\"' : '"');
    } else if (isString) {
      const escaped = token === "\\" ? (matchAt(ESCAPE, json, from)?.[0] ?? "") : "";
      from += escaped.length;
      parts.push(escaped === "" ? " ".repeat(Number(token < " ")) : `\\${escaped}`);
    } else if (token === '"') {
      put(token);
      isString = open.length > 0;
    } else if (token === "{" || token === "[") {
      if (open.length === 0) hasComma = documents++ > 0;
      open.push(token === "{" ? "}" : "]");
      put(token);
    } else if (token === open.at(-1)) {
      hasComma = false;
      put(token);
      open.pop();
    } else if (token === ",") hasComma = true;
  }
  const whole = parts.join("") + (isString ? '"' : "") + open.toReversed().join("");
  return documents > 1 ? `[${whole}]` : whole;
}

function matchAt(pattern: RegExp, text: string, index: number): RegExpExecArray | null {
  pattern.lastIndex = index;
  return pattern.exec(text);
}

/** Returns true if a quote before this index ends its string: the name's value follows, the next string or the end. */
function endsString(json: string, index: number, isInObject: boolean): boolean {
  const found = matchAt(AFTER_STRING, json, index);
  if (!found) return false;
  const [, next] = found;
  return next === undefined || (isInObject ? /["}/]|^$/ : /["{[\]\d/-]|^$/).test(next);
}

/** Returns the objects of a JSON-LD document: the object, the items of an array, or the items of `@graph`. */
export function objectsIn(document: unknown): JsonLdNode[] {
  return search(document, (node) => {
    const graph = node["@graph"];
    // Some pages write the list as an object with the indexes as keys.
    return asNode(graph)?.["0"] === undefined ? graph : Object.values(graph as object);
  }).filter((node) => node["@graph"] === undefined || "@type" in node);
}

/** Returns the objects, their main entities and posts. The questions of an FAQ aren't the subject of the page. */
export function withMainEntities(objects: readonly JsonLdNode[]): JsonLdNode[] {
  return search(objects, (node) =>
    typesOf(node).includes("FAQPage") ? undefined : [node.mainEntity, node.blogPost, node.blogPosts],
  );
}

function search(start: unknown, next: (node: JsonLdNode) => unknown): JsonLdNode[] {
  const nodes: JsonLdNode[] = [];
  const pending = [start];
  for (let at = 0; at < pending.length && nodes.length < MAX_NODES; at++) {
    const value = pending[at];
    if (Array.isArray(value)) for (const item of value.slice(0, MAX_NODES)) pending.push(item);
    const node = asNode(value);
    if (!node) continue;
    nodes.push(node);
    pending.push(next(node));
  }
  return nodes;
}

/** Returns the value if it is an object. Returns null for an array and for any other value. */
export function asNode(value: unknown): JsonLdNode | null {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonLdNode) : null;
}

/** Returns the types of an object, without the address of the vocabulary. */
export function typesOf(node: object): string[] {
  const types = [(node as JsonLdNode)["@type"]].flat();
  return types.filter((type) => typeof type === "string").map(withoutVocabulary);
}

/** Returns the last part of a name such as `https://schema.org/name` or `schema:name`. */
export function withoutVocabulary(name: string): string {
  return name.replace(VOCABULARY, "");
}

/** Returns the types of all objects in a JSON value. */
export function allTypesIn(value: unknown, depth = 0): string[] {
  if (typeof value !== "object" || value === null || depth > MAX_DEPTH) return [];
  return [...typesOf(value), ...Object.values(value).flatMap((member) => allTypesIn(member, depth + 1))];
}

/**
 * Returns the text of a declared value. Removes HTML, which many pages insert although the value should be plain text.
 * Line breaks and blocks become lines without empty lines between them.
 */
export function toPlainText(value: string): string {
  let text = value.slice(0, MAX_VALUE_CHARS);
  if (MARKUP.test(text)) text = withoutMarkup(text);
  if (ESCAPED_TWICE.test(text)) text = withoutMarkup(text);
  return collapseLines(text, /[\r\n\u2028]/);
}

function withoutMarkup(value: string): string {
  return separatedText(parseDocument(value), { separator: "\n" });
}
