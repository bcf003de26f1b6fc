import { Element, Text } from "domhandler";
import type { DataNode, DataSource } from "../../../html/page-data/data-node";
import { isBlock, isHeading } from "../../../html/parse/dom";
import { collapseAndTrim } from "../../../html/parse/white-space";
import type { VisiblePage } from "../../../html/visible-page";
import { labelCells, labelDescriptions, labelSecond, splitLabel } from "./labels";
import type { Outline, Place } from "./place";

/** Larger pages aren't learned, because their outline would take too much time and memory. */
const MAX_PLACES = 20_000;
const MAX_DEPTH = 60;
const MAX_TOTAL_CHARS = 4_000_000;
/** A value isn't read from a longer text. */
const MAX_TEXT_CHARS = 20_000;
const MAX_CLASSES = 4;
const MAX_CLASS_CHARS = 30;
/** A hostile page can have very long names, which would be repeated in each path. */
const MAX_KEY_CHARS = 40;
const VALUE_ATTRIBUTES = ["href", "src", "datetime", "content", "alt"];
/** Data of these sources is read from the elements that show it. */
const SHOWN: ReadonlySet<string> = new Set<DataSource>(["table", "definition_list", "label"]);
const ITEMPROP = /^[a-z]{1,40}$/i;

/** Thrown if the page is too large or too deep. */
class TooLargeError extends Error {
  override readonly name = "TooLargeError";
}

/**
 * Returns the places of a page, and of the data that it declares (`nodes`). Returns null if the page is too large or too
 * deep.
 */
export function readOutline(
  page: VisiblePage,
  { nodes, baseUrl }: { nodes: readonly DataNode[]; baseUrl: string },
): Outline | null {
  const writer = new OutlineWriter();
  try {
    writer.addElement(page.whole, null, 0);
    for (const node of nodes) if (!SHOWN.has(node.source)) writer.addNode(node, null, 0);
  } catch (error) {
    if (error instanceof TooLargeError) return null;
    throw error;
  }
  return { places: writer.places, baseUrl };
}

class OutlineWriter {
  readonly places: Place[] = [];
  #chars = 0;
  #heading: Place | null = null;

  addElement(element: Element, parent: Place | null, depth: number): Place {
    const { attribs } = element;
    const name = element.name.slice(0, MAX_KEY_CHARS);
    const { itemprop = "" } = attribs;
    const place = this.#add(parent, depth, {
      tag: name,
      key: parent === null ? "" : ITEMPROP.test(itemprop) ? `${name}[${itemprop}]` : name,
      heading: this.#heading,
    });
    place.classes = toClasses(element, parent);
    place.isAround = parent?.isAround === true || name === "nav" || (name === "footer" && !isInContent(parent));
    place.attributes = VALUE_ATTRIBUTES.flatMap((attribute) => {
      const value = attribs[attribute] ?? "";
      return value === "" || value.length > MAX_TEXT_CHARS ? [] : [[attribute, value] as const];
    });
    const children: Place[] = [];
    let text: string | null = "";
    let hasText = false;
    for (const child of element.children) {
      if (child instanceof Text) {
        hasText ||= child.data.trim() !== "";
        text = join(text, child.data);
      } else if (child instanceof Element) {
        const inner = this.addElement(child, place, depth + 1);
        children.push(inner);
        const gap = child.name === "br" || isBlock(child) ? " " : "";
        text = join(join(text, gap), join(inner.text, gap));
      }
    }
    this.#end(place, text);
    place.hasOwnText = hasText || children.filter((child) => child.text !== "").length > 1;
    if (place.hasOwnText && place.text !== null) place.label = splitLabel(place.text);
    if (name === "dl") labelDescriptions(children);
    else if (name === "table") labelCells(this.places.slice(place.index, place.end));
    else if (children.length === 2 && !hasText) labelSecond(children);
    if (place.text && isHeading(element)) this.#heading = place;
    return place;
  }

  /** Adds declared data. The items of a list become places with the name of the list. */
  addNode(node: DataNode, parent: Place | null, depth: number): void {
    if (node.kind === "list") {
      for (const item of node.items) this.addNode({ ...item, name: node.name }, parent, depth + 1);
      return;
    }
    const types = node.kind === "object" ? node.types.join("+") : "";
    const name = (parent === null && types !== "" ? types : node.name).slice(0, MAX_KEY_CHARS).replace(/[>\s|]+/g, " ");
    const key = parent === null ? `@${node.source}>${name}` : name;
    const place = this.#add(parent, depth, { tag: "", key, heading: null });
    if (node.kind === "object") for (const member of node.members) this.addNode(member, place, depth + 1);
    this.#end(place, node.kind === "object" ? "" : String(node.value));
  }

  #add(parent: Place | null, depth: number, own: { tag: string; key: string; heading: Place | null }): Place {
    if (depth > MAX_DEPTH || this.places.length >= MAX_PLACES) throw new TooLargeError();
    const index = this.places.length;
    const place: Place = {
      index,
      end: index + 1,
      parent,
      tag: own.tag,
      path: parent === null || parent.path === "" ? own.key : `${parent.path}>${own.key}`,
      classes: null,
      text: "",
      hasOwnText: true,
      isAround: false,
      attributes: [],
      label: null,
      heading: own.heading,
    };
    this.places.push(place);
    this.#count(place.path.length);
    return place;
  }

  #end(place: Place, text: string | null): void {
    place.end = this.places.length;
    place.text = text === null ? null : collapseAndTrim(text);
    this.#count(place.text?.length ?? 0);
  }

  #count(chars: number): void {
    this.#chars += chars;
    if (this.#chars > MAX_TOTAL_CHARS) throw new TooLargeError();
  }
}

function isInContent(place: Place | null): boolean {
  for (let at = place; at !== null; at = at.parent) if (at.tag === "main" || at.tag === "article") return true;
  return false;
}

function join(left: string | null, right: string | null): string | null {
  return left === null || right === null || left.length + right.length > MAX_TEXT_CHARS ? null : left + right;
}

/** Returns the classes of an element after those of its parent. Omits classes with digits, because they often contain an id. */
function toClasses(element: Element, parent: Place | null): string | null {
  const names = (element.attribs.class ?? "")
    .trim()
    .split(/\s+/)
    .slice(0, 4 * MAX_CLASSES);
  const stable = names.filter((name) => name !== "" && name.length <= MAX_CLASS_CHARS && !/[\d>|\t]/.test(name));
  if (stable.length === 0) return null;
  const own = `${element.name}.${stable.sort().slice(0, MAX_CLASSES).join(".")}`;
  const outer = parent?.classes?.split(">").at(-1) ?? parent?.tag ?? "";
  return `${outer}>${own}`;
}
