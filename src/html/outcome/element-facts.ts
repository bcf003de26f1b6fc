import type { Element } from "domhandler";
import { collapseSpaces } from "../main-content/regions";
import { bodyOf } from "../parse/document";
import { elementsUnder } from "../parse/dom";
import type { VisiblePage } from "../visible-page";

/** The counts of the visible elements that distinguish outcomes. */
export interface ElementFacts {
  links: number;
  passwords: number;
  /** The fields for text, except passwords and searches. */
  textFields: number;
  /** The labels of buttons. */
  buttons: readonly string[];
  /** The labels of the first links. */
  linkLabels: readonly string[];
  /** The <time> elements with a date. */
  dates: number;
  /** The header cells of tables. */
  tableHeaders: number;
  /** The blocks of code. */
  code: number;
  /** The images, videos and other media that can be content. */
  media: number;
  /** The first ids and classes of the page, separated by spaces. */
  names: string;
}

const MAX_LABEL_CHARS = 60;
const MAX_LABELS = 60;
/** The number of nodes of a button or link in which a label is searched. */
const MAX_LABEL_NODES = 50;
/** The number of images and other media that are checked. */
const MAX_MEDIA = 50;
const MAX_NAMES_CHARS = 3_000;
const MAX_CLASS_CHARS = 200;
const MEDIA = new Set(["img", "picture", "video", "audio", "object", "embed"]);
const BUTTON_TYPES = new Set(["submit", "button", "image"]);
const TEXT_TYPES = new Set(["", "text", "email", "tel", "url", "number"]);
/** An image with a smaller width or height is an icon or a counter. */
const MIN_IMAGE_PX = 32;
const LOGO = /logo|icon|sprite|spinner|loader|loading|placeholder|pixel|spacer|blank\./i;
const SITE_PARTS = new Set(["header", "footer", "nav", "noscript"]);

/** Counts the visible elements of a page. */
export function readElements({ document, hidden }: VisiblePage): ElementFacts {
  const body = bodyOf(document);
  let [links, passwords, textFields, dates, tableHeaders, code, media, names] = [0, 0, 0, 0, 0, 0, 0, namesOf(body)];
  const buttons: string[] = [];
  const linkLabels: string[] = [];
  let mediaSeen = 0;
  const isVisible = (element: Element) => !hidden.has(element) && element.name !== "noscript";
  for (const element of elementsUnder(body, isVisible)) {
    if (!isVisible(element)) continue;
    const { name, attribs } = element;
    if (names.length < MAX_NAMES_CHARS) names += namesOf(element);
    if (name === "a" && attribs.href) {
      links++;
      addLabel(linkLabels, () => labelOf(element));
    } else if (name === "time") dates += Number(Boolean(attribs.datetime));
    else if (name === "th") tableHeaders++;
    else if (name === "pre" || name === "code") code++;
    else if (MEDIA.has(name)) {
      if (mediaSeen++ < MAX_MEDIA) media += Number(isContentMedia(element));
    } else if (name === "input") {
      const type = (attribs.type ?? "").toLowerCase();
      if (type === "password") passwords++;
      else if (BUTTON_TYPES.has(type)) addLabel(buttons, () => attribs.value ?? attribs.alt ?? "");
      else if (TEXT_TYPES.has(type)) textFields++;
    }
    if (name === "button" || attribs.role === "button") addLabel(buttons, () => labelOf(element));
  }
  return { links, passwords, textFields, buttons, linkLabels, dates, tableHeaders, code, media, names };
}

function namesOf({ attribs: { id = "", class: classes = "" } }: Element): string {
  return id === "" && classes === "" ? "" : ` ${id.slice(0, MAX_CLASS_CHARS)} ${classes.slice(0, MAX_CLASS_CHARS)}`;
}

function addLabel(labels: string[], toLabel: () => string): void {
  if (labels.length < MAX_LABELS) labels.push(toLabel());
}

/** Returns the beginning of an element's text, or its `aria-label`. */
function labelOf(element: Element): string {
  let text = "";
  const stack = element.children.toReversed();
  for (
    let node = stack.pop(), count = 0;
    node && text.length <= MAX_LABEL_CHARS && count < MAX_LABEL_NODES;
    node = stack.pop(), count++
  ) {
    if (node.type === "text") text += ` ${node.data}`;
    else if ("children" in node)
      for (let at = node.children.length - 1; at >= 0; at--) stack.push(node.children[at] as typeof node);
  }
  return collapseSpaces(text === "" ? (element.attribs["aria-label"] ?? "") : text).slice(0, 2 * MAX_LABEL_CHARS);
}

/** Returns false for icons, logos, counters and placeholders. */
function isContentMedia(element: Element): boolean {
  const { name, attribs } = element;
  const sizes = [attribs.width, attribs.height].filter((size) => size !== undefined);
  if (sizes.some((size) => Number.parseInt(size, 10) < MIN_IMAGE_PX)) return false;
  if (name === "img" && !(attribs.src || attribs["data-src"] || attribs.srcset)) return false;
  const description = [attribs.src, attribs.alt, attribs.class, attribs.id].map((value) =>
    value?.slice(-MAX_CLASS_CHARS),
  );
  if (LOGO.test(description.join(" "))) return false;
  for (let at = element.parent; at; at = at.parent) if ("name" in at && SITE_PARTS.has(at.name)) return false;
  return true;
}
