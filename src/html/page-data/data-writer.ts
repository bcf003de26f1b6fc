import { toPlainText, typesOf, withoutVocabulary } from "../page/json-ld";
import type { DataNode, DataObject, DataSource, DataValue } from "./data-node";

/** The place of a node. See `DataNode`. */
export interface Place {
  name: string;
  source: DataSource;
  position: string;
}

/** The objects of a JSON-LD document by their `@id`. */
export type References = ReadonlyMap<string, object>;

const MAX_DEPTH = 24;
const MAX_NAME_CHARS = 200;
/** A reference to an object is replaced by the object, unless that many references are around it. */
const MAX_REFERENCES = 2;
const NO_REFERENCES: References = new Map();
/** Keys that don't describe an object. */
const IGNORED_KEYS = new Set(["@context", "@type", "@graph", "@reverse", "__typename", "potentialAction"]);

/**
 * Creates the nodes of a page's data until its limits are reached. After that, the methods return null. All sources
 * that share a writer share its limits.
 */
export class DataWriter {
  #nodes: number;
  #chars: number;

  constructor({ nodes, chars }: { nodes: number; chars: number }) {
    this.#nodes = nodes;
    this.#chars = chars;
  }

  /** True if no more nodes can be created. */
  get isFull(): boolean {
    return this.#nodes <= 0 || this.#chars <= 0;
  }

  /** Returns a value. Returns null for an empty text. `quote` is the value itself by default. */
  toValue(
    { name, source, position }: Place,
    value: string | number | boolean,
    quote = String(value),
  ): DataValue | null {
    const text = typeof value === "string" ? toPlainText(value) : value;
    const shown = typeof text === "string" && quote === value ? text : toPlainText(quote);
    if (text === "" || !this.#take(shown.length + name.length)) return null;
    return { kind: "value", name: name.slice(0, MAX_NAME_CHARS), source, value: text, quote: shown, position };
  }

  /** Returns an object with the members that aren't null. Returns null if there are none. */
  toObject(place: Place, types: readonly string[], members: readonly (DataNode | null)[]): DataObject | null {
    const kept = members.filter((member) => member !== null);
    if (kept.length === 0 || !this.#take(place.name.length)) return null;
    return { ...place, kind: "object", types, members: kept };
  }

  /** Returns a list of the items that aren't null. Returns null if there are none. */
  toList(place: Place, items: readonly (DataNode | null)[]): DataNode | null {
    const kept = items.filter((item) => item !== null);
    if (kept.length === 0 || !this.#take(place.name.length)) return null;
    return { ...place, kind: "list", items: kept };
  }

  /** Returns the nodes of a JSON value. A reference to one of the objects in `references` is replaced by the object. */
  fromJson(value: unknown, place: Place, references: References = NO_REFERENCES): DataNode | null {
    return this.#fromJson(value, place, { references, depth: 0, followed: [] });
  }

  #fromJson(value: unknown, place: Place, at: JsonPosition): DataNode | null {
    if (this.isFull || at.depth > MAX_DEPTH || value === null) return null;
    if (typeof value === "string" || typeof value === "boolean") return this.toValue(place, value);
    if (typeof value === "number") return Number.isFinite(value) ? this.toValue(place, value) : null;
    if (typeof value !== "object") return null;
    const inner = { ...at, depth: at.depth + 1 };
    if (Array.isArray(value)) {
      const items: (DataNode | null)[] = [];
      for (const [index, item] of value.entries()) {
        if (this.isFull) break;
        items.push(this.#fromJson(item, { ...place, position: `${place.position}/${index}` }, inner));
      }
      return this.toList(place, items);
    }
    const literal = literalOf(value);
    if (literal !== undefined) return this.#fromJson(literal, place, inner);
    return this.#fromObject(value, place, inner);
  }

  #fromObject(value: object, place: Place, at: JsonPosition): DataObject | null {
    const target = this.#targetOf(value, at);
    const inner = target === value ? at : { ...at, followed: [...at.followed, target] };
    const members: (DataNode | null)[] = [];
    for (const [key, member] of Object.entries(target)) {
      if (this.isFull) break;
      if (IGNORED_KEYS.has(key)) continue;
      const name = key.startsWith("@") ? key : withoutVocabulary(key);
      members.push(
        this.#fromJson(member, { name, source: place.source, position: `${place.position}/${name}` }, inner),
      );
    }
    return this.toObject(place, typesOf(target), members);
  }

  /** Returns the object that a reference names. Returns the value itself if it isn't a reference. */
  #targetOf(value: object, { references, followed }: JsonPosition): object {
    if (references.size === 0 || followed.length >= MAX_REFERENCES) return value;
    if (!("@id" in value) || Object.keys(value).length > 2) return value;
    const target = references.get(String(value["@id"]));
    return target === undefined || followed.includes(target) ? value : target;
  }

  #take(chars: number): boolean {
    if (this.isFull) return false;
    this.#nodes--;
    this.#chars -= chars;
    return true;
  }
}

interface JsonPosition {
  references: References;
  depth: number;
  /** The objects around this value that replaced a reference. */
  followed: readonly object[];
}

/** Returns the value of `@value`, `@list` or `@set`, or undefined for an ordinary object. */
function literalOf(value: object): unknown {
  if ("@value" in value) return value["@value"];
  if ("@list" in value) return value["@list"];
  return "@set" in value ? value["@set"] : undefined;
}
