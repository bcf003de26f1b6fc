import { parseJson } from "../../lib/json";
import type { DataNode } from "./data-node";
import type { DataWriter } from "./data-writer";

/** The maximum number of characters of all scripts that are searched for data. */
const MAX_SCRIPT_CHARS = 6_000_000;
const MAX_SCRIPTS = 60;
const MAX_ASSIGNMENTS = 10;
const SCRIPT_START = /<script(?=[\s>])/gi;
const SCRIPT_END = /<\/script/gi;
const TYPE = /\btype\s*=\s*(?:["']\s*)?([^"'\s>]+)/i;
const ID = /\bid\s*=\s*["']?([^"'\s>]+)/i;
const JSON_TYPE = /^application\/json$/i;
const CODE_TYPE = /^(?:text\/javascript|application\/javascript|module)$/i;
/** Matches an assignment of an object to a global variable, such as `window.__STATE__ = {`. */
const ASSIGNMENT =
  /(?:\b(?:window|self|globalThis)\s*(?:\.\s*|\[\s*["'])|\b(?:var|let|const)\s+)(__[A-Za-z]\w{1,60}|\w{0,40}(?:[Ss]tate|STATE|[Dd]ata|DATA|[Pp]rops|PROPS))(?:["']\s*\])?\s*=\s*(JSON\.parse\(\s*(?=")|(?=[{[]))/g;

interface Script {
  id: string;
  type: string;
  text: string;
}

const MAX_DEPTH = 24;
/** The maximum number of values that are created, because a payload can refer to the same value many times. */
const MAX_VALUES = 50_000;
/** The wrappers of reactive values. They have one value. */
const WRAPPERS = new Set(["Reactive", "ShallowReactive", "Ref", "ShallowRef", "EmptyRef", "EmptyShallowRef", "Date"]);

/**
 * Reads the state that a page's framework embeds in scripts: `__NEXT_DATA__`, `__NUXT_DATA__`, other scripts with JSON,
 * and JSON that is assigned to a global variable. Scripts aren't evaluated, so state that isn't JSON is left out.
 */
export function readEmbeddedState(html: string, writer: DataWriter): DataNode[] {
  const nodes: DataNode[] = [];
  for (const [name, value] of statesIn(html)) {
    const node = writer.fromJson(value, { name, source: "embedded_state", position: name });
    if (node !== null) nodes.push(node);
    if (writer.isFull) break;
  }
  return nodes;
}

function* statesIn(html: string): Generator<readonly [name: string, value: unknown]> {
  let index = 0;
  for (const { id, type, text } of scriptsIn(html)) {
    if (id === "__NUXT_DATA__") {
      const payload = fromNuxtPayload(parseJson(text));
      if (payload !== undefined) yield [id, payload];
    } else if (JSON_TYPE.test(type)) {
      const value = parseJson(text);
      if (value !== null) yield [id || `script[${index}]`, id === "__NEXT_DATA__" ? pagePropsOf(value) : value];
    } else if (type === "" || CODE_TYPE.test(type)) yield* assignmentsIn(text);
    index++;
  }
}

function* scriptsIn(html: string): Generator<Script> {
  let left = MAX_SCRIPT_CHARS;
  SCRIPT_START.lastIndex = 0;
  const starts = new RegExp(SCRIPT_START);
  const ends = new RegExp(SCRIPT_END);
  for (let count = 0; count < MAX_SCRIPTS * 10; count++) {
    const start = starts.exec(html);
    if (start === null) return;
    const open = html.indexOf(">", start.index);
    ends.lastIndex = open + 1;
    const end = open === -1 ? null : ends.exec(html);
    if (end === null) return;
    starts.lastIndex = end.index;
    const attributes = html.slice(start.index, Math.min(open, start.index + 1_000));
    const text = html.slice(open + 1, end.index);
    left -= text.length;
    if (left < 0) return;
    if (text.length > 2) yield { id: ID.exec(attributes)?.[1] ?? "", type: TYPE.exec(attributes)?.[1] ?? "", text };
  }
}

/** Returns the part of Next.js's state that describes the page. The other parts are the routes and the build. */
function pagePropsOf(state: unknown): unknown {
  const props = typeof state === "object" && state !== null && "props" in state ? state.props : undefined;
  return typeof props === "object" && props !== null && "pageProps" in props ? props.pageProps : state;
}

function* assignmentsIn(code: string): Generator<readonly [name: string, value: unknown]> {
  const assignments = new RegExp(ASSIGNMENT);
  for (let count = 0; count < MAX_ASSIGNMENTS; count++) {
    const found = assignments.exec(code);
    if (found === null) return;
    const [whole, name = "", call = ""] = found;
    const start = found.index + whole.length;
    const end = call === "" ? endOfJson(code, start) : endOfString(code, start);
    if (end === null) return;
    assignments.lastIndex = end;
    const literal = parseJson(code.slice(start, end));
    const value = call !== "" && typeof literal === "string" ? parseJson(literal) : literal;
    if (typeof value === "object" && value !== null) yield [name, value];
  }
}

/** Returns the index after the object or list that starts at `start`. Returns null if it doesn't end. */
function endOfJson(code: string, start: number): number | null {
  let depth = 0;
  for (let at = start; at < code.length; at++) {
    const character = code[at];
    if (character === '"') {
      const end = endOfString(code, at);
      if (end === null) return null;
      at = end - 1;
    } else if (character === "{" || character === "[") depth++;
    else if ((character === "}" || character === "]") && --depth === 0) return at + 1;
  }
  return null;
}

/** Returns the index after the string that starts at `start`. Returns null if it doesn't end. */
function endOfString(code: string, start: number): number | null {
  for (let at = start + 1; at < code.length; at++) {
    if (code[at] === "\\") at++;
    else if (code[at] === '"') return at + 1;
  }
  return null;
}

/**
 * Returns the value of a Nuxt 3 payload. A payload is a list whose items refer to each other by their index, with the
 * root first: https://github.com/Rich-Harris/devalue. Returns undefined if it isn't a payload.
 */
function fromNuxtPayload(payload: unknown): unknown {
  if (!Array.isArray(payload) || payload.length === 0) return undefined;
  return new PayloadReader(payload).read(0, 0);
}

class PayloadReader {
  readonly #payload: readonly unknown[];
  #values = 0;

  constructor(payload: readonly unknown[]) {
    this.#payload = payload;
  }

  read(index: unknown, depth: number): unknown {
    // Negative numbers stand for undefined and similar values.
    if (typeof index !== "number" || index < 0 || depth > MAX_DEPTH || ++this.#values > MAX_VALUES) return undefined;
    const value = this.#payload[index];
    if (typeof value !== "object" || value === null) return value;
    if (!Array.isArray(value)) {
      return Object.fromEntries(Object.entries(value).map(([name, at]) => [name, this.read(at, depth + 1)]));
    }
    const [kind, inner, ...others] = value;
    if (typeof kind !== "string") return value.map((at) => this.read(at, depth + 1));
    if (kind === "Date") return inner;
    if (WRAPPERS.has(kind)) return this.read(inner, depth + 1);
    return kind === "Set" ? [inner, ...others].map((at) => this.read(at, depth + 1)) : undefined;
  }
}
