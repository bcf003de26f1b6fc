import { Parser } from "htmlparser2";
import type { Budget } from "../lib/budget";
import { sleep } from "../lib/clock";
import type { AppError } from "../model/errors";
import { unreadable } from "./zip";

/** An XML element. Names have no namespace prefix, because the formats need only their local names. */
export interface XmlElement {
  name: string;
  /** If two attributes have the same local name, the second one has its prefix, such as `r:id`. */
  attributes: ReadonlyMap<string, string>;
  children: (XmlElement | string)[];
}

/** An element, and the name and attributes of its parent, whose children are read one by one. */
export interface FoundElement {
  parent: string;
  attributes: ReadonlyMap<string, string>;
  element: XmlElement;
}

/** The maximum number of steps for one element that `readElements` returns. It limits the memory. */
const MAX_ELEMENT_STEPS = 200_000;
const MAX_DEPTH = 200;
/** The maximum size of a tag or comment. The parser reports it only at its end, and entities need 5 times their size. */
const MAX_TAG_BYTES = 4 * 1024 * 1024;
/** Each run of this many characters of a text costs one step. */
const CHARS_PER_STEP = 16;
/** The number of bytes after which reading pauses to let other requests run. Reading them takes at most about 20 ms. */
const BYTES_BETWEEN_PAUSES = 256 * 1024;

/**
 * Reads an XML part of a document. Yields each child of an element whose name is in `parents`, with its contents. Keeps
 * only the current child in memory, so the size of the part doesn't matter. Each tag, attribute, text and comment is a
 * step. Stops when the steps are used up, or inside a child that is too complex. `budget` is then used up. Throws
 * AppError if the XML is too deep or has a document type declaration that defines something. It could define entities
 * that expand to any size.
 */
export async function* readElements(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  parents: readonly string[],
  { signal, budget }: { signal: AbortSignal; budget: Budget },
): AsyncGenerator<FoundElement, void> {
  const builder = new ElementBuilder(new Set(parents), budget);
  const parser = new Parser(builder, { xmlMode: true });
  let decoder: TextDecoder | undefined;
  let [bytes, tagBytes] = [0, 0];
  for await (const chunk of chunks) {
    signal.throwIfAborted();
    decoder ??= new TextDecoder(encodingOf(chunk));
    const { spent } = budget;
    parser.write(decoder.decode(chunk, { stream: true }));
    tagBytes = budget.spent === spent ? tagBytes + chunk.byteLength : 0;
    if (tagBytes > MAX_TAG_BYTES) budget.spend(Number.POSITIVE_INFINITY);
    if (builder.error !== null) throw builder.error;
    yield* builder.take();
    if (budget.isUsedUp) return;
    bytes += chunk.byteLength;
    if (bytes < BYTES_BETWEEN_PAUSES) continue;
    bytes = 0;
    await sleep(0);
  }
  parser.end(decoder?.decode() ?? "");
  if (builder.error !== null) throw builder.error;
  yield* builder.take();
}

function encodingOf([first, second]: Uint8Array): string {
  if (first === 0xff && second === 0xfe) return "utf-16le";
  return first === 0xfe && second === 0xff ? "utf-16be" : "utf-8";
}

class ElementBuilder {
  /** The first error. It is stored here, because htmlparser2 doesn't throw errors of its handlers. */
  error: AppError | null = null;
  readonly #parents: ReadonlySet<string>;
  /** The open elements outside of the element that is being built. */
  readonly #outside: Omit<XmlElement, "children">[] = [];
  readonly #open: XmlElement[] = [];
  #done: FoundElement[] = [];
  /** The steps for the element that is being built. */
  #steps = 0;
  readonly #budget: Budget;

  constructor(parents: ReadonlySet<string>, budget: Budget) {
    this.#parents = parents;
    this.#budget = budget;
  }

  /** Returns the complete elements, and removes them. */
  take(): FoundElement[] {
    const done = this.#done;
    this.#done = [];
    return done;
  }

  onattribute(_name: string, value: string): void {
    this.#spend(value);
  }

  onopentag(qualified: string, values: Record<string, string>): void {
    if (!this.#spend()) return;
    const name = localName(qualified);
    const parent = this.#open.at(-1);
    const attributes = new Map<string, string>();
    for (const [key, value] of Object.entries(values)) {
      const local = localName(key);
      attributes.set(attributes.has(local) ? key : local, value);
    }
    if (parent === undefined && !this.#parents.has(this.#outside.at(-1)?.name ?? "")) {
      this.#outside.push({ name, attributes });
      if (this.#outside.length > MAX_DEPTH) this.#fail("it is nested too deeply");
      return;
    }
    const element: XmlElement = { name, attributes, children: [] };
    parent?.children.push(element);
    this.#open.push(element);
    if (this.#open.length > MAX_DEPTH) this.#fail("it is nested too deeply");
  }

  ontext(text: string): void {
    if (!this.#spend(text)) return;
    const parent = this.#open.at(-1);
    if (parent === undefined) return;
    const last = parent.children.at(-1);
    if (typeof last === "string") parent.children[parent.children.length - 1] = last + text;
    else parent.children.push(text);
  }

  oncomment(): void {
    this.#spend();
  }

  onclosetag(): void {
    // Leaves out an element whose end wasn't read.
    if (this.#budget.isUsedUp) return;
    const element = this.#open.pop();
    if (element === undefined) this.#outside.pop();
    else if (this.#open.length === 0) {
      this.#steps = 0;
      const { name: parent = "", attributes = new Map() } = this.#outside.at(-1) ?? {};
      this.#done.push({ parent, attributes, element });
    }
  }

  onprocessinginstruction(name: string, content: string): void {
    if (name.startsWith("!") && content.includes("[")) this.#fail("it has a document type declaration");
  }

  /** Returns false if the steps are used up. */
  #spend(text = ""): boolean {
    const steps = 1 + text.length / CHARS_PER_STEP;
    if (this.#open.length > 0) this.#steps += steps;
    return this.#budget.spend(this.#steps > MAX_ELEMENT_STEPS ? Number.POSITIVE_INFINITY : steps);
  }

  #fail(why: string): void {
    this.error ??= unreadable(why);
  }
}

function localName(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}

export function childrenOf(element: XmlElement | undefined, name?: string): XmlElement[] {
  const children = (element?.children ?? []).filter((child) => typeof child !== "string");
  return name === undefined ? children : children.filter((child) => child.name === name);
}

/** Returns the element at the end of a path of child elements, or undefined. */
export function childAt(element: XmlElement | undefined, ...path: string[]): XmlElement | undefined {
  return path.reduce<XmlElement | undefined>((parent, name) => childrenOf(parent, name)[0], element);
}

/** Returns the text of an element, including the text of all elements inside it. */
export function textOf(element: XmlElement | undefined): string {
  if (element === undefined) return "";
  return element.children.map((child) => (typeof child === "string" ? child : textOf(child))).join("");
}
