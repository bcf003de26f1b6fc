import { type ChildNode, Element, type ParentNode, Text } from "domhandler";
import { elementsUnder, hasMoreText, isBlock, isElement, isHeading, rawText } from "./dom";
import names from "./standard-names.json";
import { append, detach, setChildren } from "./tree";

interface CopyRules {
  /** Returns true for the nodes that are left out. */
  isDropped: (node: ChildNode) => boolean;
  /** The nodes before which a rule is inserted. */
  separated?: ReadonlySet<ChildNode> | undefined;
}

/**
 * Appends a copy of a node to `parent`. Elements with the meaning of another element become that element, see
 * `standardName`. Adds the copied slots of the shadow root around the node to `slots`. Doesn't change the original.
 */
export function copyTo(parent: ParentNode, node: ChildNode, rules: CopyRules, slots: Element[] = []): void {
  if (rules.isDropped(node)) return;
  if (rules.separated?.has(node)) append(parent, new Element("hr", {}));
  if (node instanceof Text) append(parent, new Text(node.data));
  if (!(node instanceof Element)) return;
  const copy = new Element(standardName(node), node.attribs);
  if (node.name === "slot") slots.push(copy);
  const own: Element[] = [];
  for (const child of node.children) copyTo(copy, child, rules, isShadowRoot(child) ? own : slots);
  nestLists(copy);
  fillSlots(copy, own);
  append(parent, copy);
}

function isShadowRoot(node: ChildNode): boolean {
  return node instanceof Element && node.name === "template" && node.attribs.shadowrootmode !== undefined;
}

/** Moves the children of an element to the slots of its shadow root, where browsers show them. */
function fillSlots(host: Element, slots: readonly Element[]): void {
  if (slots.length === 0) return;
  const light = host.children.filter((child) => !isShadowRoot(child));
  const named = Map.groupBy(light, (child) => (isElement(child) && child.attribs.slot) || "");
  for (const slot of slots) {
    const name = slot.attribs.name ?? "";
    const assigned = named.get(name) ?? [];
    if (!assigned.some((child) => isElement(child) || (child instanceof Text && child.data.trim() !== ""))) continue;
    named.delete(name);
    setChildren(slot, assigned);
  }
  const rest = new Set([...named.values()].flat());
  setChildren(
    host,
    host.children.filter((child) => isShadowRoot(child) || rest.has(child)),
  );
}

/** The elements without a meaning that a role, a style or a class can replace. Custom elements have none, either. */
const GENERIC = /^(?:div|span|p|section|article|header|font|b|strong|label)$|-/;
const ROLES = new Map(Object.entries(names.role));
const DISPLAY = /(?:^|[;\s])display\s*:\s*(table|list-item)(?:-([a-z-]+))?/i;
const DISPLAYED = new Map(Object.entries(names.display));
/** The classes of headings in Word, Outlook and Bootstrap: `MsoHeading1`, `Heading1`, `h1`. */
const HEADING_CLASS = /(?:^|\s)(?:(?:Mso)?Heading|h)([1-6])(?:\s|$)/i;
const HEADING_STYLE = /mso-style-name:\s*["']?heading ([1-6])|mso-outline-level:\s*([1-6])/i;
const MAX_HEADING_CHARS = 300;

/**
 * Returns the name of the HTML element that means the same as this element. Pages also state the meaning by an ARIA role,
 * by `display: table` in a style attribute, or by the style of a word processor.
 */
function standardName(element: Element): string {
  const { name, attribs } = element;
  const { role, style, class: classes } = attribs;
  if (role === undefined && style === undefined && classes === undefined) return name;
  if (role === "none" || role === "presentation") return isHeading(element) ? "div" : name;
  if (!GENERIC.test(name)) return name;
  if (role === "heading") return `h${Math.min(Math.max(Number.parseInt(attribs["aria-level"] ?? "", 10) || 2, 1), 6)}`;
  const meant = role && ROLES.get(role);
  if (meant) return meant;
  const [, display, part] = (style && DISPLAY.exec(style)) || [];
  if (display !== undefined) {
    if (display.toLowerCase() === "list-item") return "li";
    return (part === undefined ? "table" : DISPLAYED.get(part.toLowerCase())) ?? name;
  }
  const level = name === "p" || name === "div" ? styledLevel(attribs) : undefined;
  return level !== undefined && isLine(element) ? `h${level}` : name;
}

function styledLevel({ class: classes = "", style = "" }: Record<string, string>): string | undefined {
  const styled = HEADING_STYLE.exec(style);
  return styled?.[1] ?? styled?.[2] ?? HEADING_CLASS.exec(classes)?.[1];
}

function isLine(element: Element): boolean {
  return (
    !element.children.some((child) => isElement(child) && isBlock(child)) && !hasMoreText(element, MAX_HEADING_CHARS)
  );
}

const WORD_ITEM = /(?:^|\s)MsoList(?:Paragraph|Bullet|Number)/i;
const WORD_LEVEL = /mso-list:\s*\w+ level(\d)/i;
const WORD_MARKER = /mso-list:\s*ignore/i;
/** The class of the lists in Google Docs. It ends with the level. */
const DOCS_LEVEL = /(?:^|\s)lst-kix_\w+-(\d)(?:\s|$)/;
const BULLET = /^[\s\xa0]*[·•▪§o\uf0a7\uf0b7–-][\s\xa0]+/u;
const NUMBER = /^[\s\xa0]*\(?(\d{1,9})[.)][\s\xa0]+/;

/** A list, or an item without a list, of a document in which the level of each list is only a part of its style. */
interface Fragment {
  list: Element;
  level: number;
}

/**
 * Nests the lists of documents from Word and Google Docs. Word writes each item as a paragraph, and Google Docs writes
 * the inner lists next to the outer ones.
 */
function nestLists(parent: ParentNode): void {
  if (!parent.children.some((child) => isElement(child) && mayBeFragment(child))) return;
  const children: ChildNode[] = [];
  const open: Fragment[] = [];
  for (const child of parent.children) {
    const fragment = isElement(child) ? toFragment(child) : null;
    if (fragment) addFragment(children, open, fragment);
    else if (open.length === 0 || !(child instanceof Text) || child.data.trim() !== "") {
      open.length = 0;
      children.push(child);
    }
  }
  setChildren(parent, children);
}

function addFragment(children: ChildNode[], open: Fragment[], fragment: Fragment): void {
  const { list, level } = fragment;
  while ((open.at(-1)?.level ?? -1) > level) open.pop();
  const last = open.at(-1);
  if (last?.level === level && last.list.name === list.name) {
    for (const item of list.children) append(last.list, item);
    return;
  }
  if (last?.level === level) open.pop();
  const item = open.at(-1)?.list.children.findLast(isElement);
  if (item) append(item, list);
  else children.push(list);
  open.push(fragment);
}

function mayBeFragment({ name, attribs }: Element): boolean {
  const { class: classes = "", style = "" } = attribs;
  if (name === "ul" || name === "ol") return DOCS_LEVEL.test(classes);
  return name === "p" && (WORD_ITEM.test(classes) || WORD_LEVEL.test(style));
}

function toFragment(element: Element): Fragment | null {
  if (!mayBeFragment(element)) return null;
  const { class: classes = "", style = "" } = element.attribs;
  if (element.name !== "p") return { list: element, level: Number(DOCS_LEVEL.exec(classes)?.[1]) };
  const marker = elementsUnder(element).find(({ attribs }) => WORD_MARKER.test(attribs.style ?? ""));
  const text = `${rawText(marker ?? element)}${marker ? " " : ""}`;
  const number = NUMBER.exec(text)?.[1];
  const isBullet = BULLET.test(text);
  // Without a marker, the paragraph continues the item before it. A letter stays in the text of its item.
  if (!marker && !isBullet && number === undefined && !/Bullet|Number/i.test(classes)) return null;
  if (marker && (isBullet || number !== undefined)) detach(marker);
  else if (!marker) removeMarker(element);
  const item = new Element("li", number === undefined ? {} : { value: number });
  setChildren(item, element.children);
  const list = new Element(number === undefined ? "ul" : "ol", {});
  setChildren(list, [item]);
  return { list, level: Number(WORD_LEVEL.exec(style)?.[1] ?? 1) };
}

function removeMarker(element: Element): void {
  const [first] = element.children;
  if (first instanceof Text) first.data = first.data.replace(BULLET, "").replace(NUMBER, "");
  else if (first instanceof Element) removeMarker(first);
}
