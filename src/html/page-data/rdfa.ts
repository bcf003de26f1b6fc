import { type ChildNode, Element, type ParentNode } from "domhandler";
import { TextReader } from "../metadata/microdata";
import { isWithin } from "../parse/dom";
import { absoluteUrl } from "../parse/urls";
import type { DataNode } from "./data-node";
import { type DataWriter, type Place, withoutVocabulary } from "./data-writer";

const MAX_DEPTH = 20;
const MAX_PROPERTIES = 3_000;
const ADDRESSES = ["href", "src"] as const;

interface RdfaOptions {
  baseUrl: string;
  hidden: ReadonlySet<ChildNode>;
  /** Objects in these elements are marked. */
  repeated: ReadonlySet<ChildNode>;
  writer: DataWriter;
}

/** Reads the objects of RDFa Lite that aren't hidden: https://www.w3.org/TR/rdfa-lite/ */
export function readRdfa(root: ParentNode, options: RdfaOptions): DataNode[] {
  return new RdfaReader(options).readAll(root);
}

/** The members of an open object, by property. */
type Members = Map<string, DataNode[]>;

class RdfaReader {
  readonly #baseUrl: string;
  readonly #hidden: ReadonlySet<ChildNode>;
  readonly #repeated: ReadonlySet<ChildNode>;
  readonly #writer: DataWriter;
  readonly #text: TextReader;
  #properties = 0;

  constructor({ baseUrl, hidden, repeated, writer }: RdfaOptions) {
    this.#baseUrl = baseUrl;
    this.#hidden = hidden;
    this.#repeated = repeated;
    this.#writer = writer;
    this.#text = new TextReader(hidden);
  }

  readAll(root: ParentNode): DataNode[] {
    const roots: DataNode[] = [];
    this.#readChildren(root, { roots, members: null, position: "", depth: 0 });
    return roots;
  }

  #readChildren(parent: ParentNode, scope: Scope): void {
    for (const child of parent.children) {
      if (child instanceof Element && !this.#hidden.has(child)) this.#readElement(child, scope);
    }
  }

  #readElement(element: Element, scope: Scope): void {
    const { typeof: type, property } = element.attribs;
    const names = scope.members === null ? [] : toNames(property);
    if (type === undefined && names.length === 0) this.#readChildren(element, scope);
    else if (++this.#properties > MAX_PROPERTIES || this.#writer.isFull) return;
    else if (type === undefined) {
      this.#add(scope, names, (place) => this.#writer.toValue(place, this.#valueOf(element)));
      this.#readChildren(element, scope);
    } else if (scope.depth < MAX_DEPTH) this.#readObject(element, names, scope);
  }

  #readObject(element: Element, names: readonly string[], scope: Scope): void {
    const types = toNames(element.attribs.typeof);
    const isNested = names.length > 0;
    const position = isNested ? `${scope.position}/${names[0]}` : `rdfa[${scope.roots.length}]`;
    const members: Members = new Map();
    this.#readChildren(element, { roots: scope.roots, members, position, depth: scope.depth + 1 });
    const lists = [...members].map(([name, values]) => {
      const [only, ...others] = values;
      return only !== undefined && others.length === 0
        ? only
        : this.#writer.toList({ name, source: "rdfa", position: `${position}/${name}` }, values);
    });
    if (isNested) this.#add(scope, names, (place) => this.#writer.toObject(place, types, lists));
    else {
      const root = this.#writer.toObject({ name: "", source: "rdfa", position }, types, lists);
      if (root !== null) scope.roots.push(isWithin(element, this.#repeated) ? { ...root, part: "repeated" } : root);
    }
  }

  #add({ members, position }: Scope, names: readonly string[], write: (place: Place) => DataNode | null): void {
    for (const name of names) {
      const node = write({ name, source: "rdfa", position: `${position}/${name}` });
      if (node === null || members === null) continue;
      const known = members.get(name) ?? [];
      known.push(node);
      members.set(name, known);
    }
  }

  #valueOf(element: Element): string {
    const { attribs, name } = element;
    if (attribs.content !== undefined) return attribs.content;
    const address = ADDRESSES.map((key) => attribs[key]).find((value) => value !== undefined);
    if (address !== undefined && name !== "span") return absoluteUrl(address, this.#baseUrl) ?? "";
    return attribs.datetime ?? this.#text.read(element);
  }
}

interface Scope {
  roots: DataNode[];
  /** The members of the innermost object, or null outside of all objects. */
  members: Members | null;
  position: string;
  depth: number;
}

/** Returns the names in an attribute without their vocabulary. */
function toNames(attribute: string | undefined): string[] {
  const names = (attribute ?? "")
    .split(/\s+/)
    .filter((name) => name !== "" && !/^(?:og|fb|article|product):/.test(name));
  return names.slice(0, MAX_DEPTH).map(withoutVocabulary);
}
