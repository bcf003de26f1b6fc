import { parseJson } from "../../lib/json";
import { scriptsIn } from "../page/scripts";
import type { DataNode } from "./data-node";
import type { DataWriter } from "./data-writer";

const MAX_ASSIGNMENTS = 10;
const TYPE = /\btype\s*=\s*(?:["']\s*)?([^"'\s>]+)/i;
const ID = /\bid\s*=\s*["']?([^"'\s>]+)/i;
const JSON_TYPE = /^application\/json$/i;
const CODE_TYPE = /^(?:text\/javascript|application\/javascript|module)$/i;
/** Matches an assignment of an object to a global variable, such as `window.__STATE__ = {`. */
const ASSIGNMENT =
  /(?:\b(?:window|self|globalThis)\s*(?:\.\s*|\[\s*["'])|\b(?:var|let|const)\s+)(__[A-Za-z]\w{1,60}|\w{0,40}(?:[Ss]tate|STATE|[Dd]ata|DATA|[Pp]rops|PROPS))(?:["']\s*\])?\s*=\s*(JSON\.parse\(\s*(?=")|(?=[{[]))/g;

/** A whole string of JSON, and a bracket. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"?|[{}[\]]/gs;
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
  for (const { attributes, code } of scriptsIn(html)) {
    const id = ID.exec(attributes)?.[1] ?? "";
    const type = TYPE.exec(attributes)?.[1] ?? "";
    if (id === "__NUXT_DATA__") {
      const payload = fromNuxtPayload(parseJson(code));
      if (payload !== undefined) yield [id, payload];
    } else if (JSON_TYPE.test(type)) {
      const value = parseJson(code);
      if (value !== null) yield [id || `script[${index}]`, id === "__NEXT_DATA__" ? pagePropsOf(value) : value];
    } else if (type === "" || CODE_TYPE.test(type)) yield* assignmentsIn(code);
    index++;
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
    const end = endOfJson(code, start);
    if (end === null) return;
    assignments.lastIndex = end;
    const literal = parseJson(code.slice(start, end));
    const value = call !== "" && typeof literal === "string" ? parseJson(literal) : literal;
    if (typeof value === "object" && value !== null) yield [name, value];
  }
}

/** Returns the index after the object, list or string that starts at `start`. Returns null if it doesn't end. */
function endOfJson(code: string, start: number): number | null {
  const tokens = new RegExp(TOKEN);
  tokens.lastIndex = start;
  let depth = 0;
  for (let found = tokens.exec(code); found !== null; found = tokens.exec(code)) {
    const [token] = found;
    if (token.startsWith('"') && (token.length === 1 || !token.endsWith('"'))) return null;
    if (token === "{" || token === "[") depth++;
    else if (token === "}" || token === "]") depth--;
    if (depth === 0) return tokens.lastIndex;
  }
  return null;
}

/**
 * Returns the value of a Nuxt 3 payload. A payload is a list whose items refer to each other by their index, with the
 * root first: https://github.com/Rich-Harris/devalue. Returns undefined if it isn't a payload.
 */
function fromNuxtPayload(payload: unknown): unknown {
  if (!Array.isArray(payload)) return undefined;
  const items: readonly unknown[] = payload;
  let values = 0;
  function read(index: unknown, depth: number): unknown {
    // Negative numbers stand for undefined and similar values.
    if (typeof index !== "number" || index < 0 || depth > MAX_DEPTH || ++values > MAX_VALUES) return undefined;
    const value = items[index];
    if (typeof value !== "object" || value === null) return value;
    const inner = (at: unknown) => read(at, depth + 1);
    if (!Array.isArray(value)) return Object.fromEntries(Object.entries(value).map(([name, at]) => [name, inner(at)]));
    const [kind, wrapped, ...others] = value;
    if (typeof kind !== "string") return value.map(inner);
    if (kind === "Date") return wrapped;
    if (WRAPPERS.has(kind)) return inner(wrapped);
    return kind === "Set" ? [wrapped, ...others].map(inner) : undefined;
  }
  return read(0, 0);
}
