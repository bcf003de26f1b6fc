import type { DomDocument, DomElement } from "./dom";
import { elementsUnder, isElement, plainTextOf, rename, unwrap } from "./dom";

/** What no reader sees as text: code, metadata, drawings, embedded pages and form fields. */
const NEVER_TEXT = new Set(
  (
    "script style template svg link meta base title head iframe object embed applet canvas audio video map " +
    "select textarea datalist progress meter wbr"
  ).split(" "),
);
const CONSENT =
  /(?:cookie|consent)[-_]?(?:bar|banner|box|consent|container|dialog|hint|info|law|layer|message|modal|notice|overlay|popup|wrapper)|gdpr|onetrust|cmpbox|cookiebot|usercentrics|didomi/i;
const CALLOUT = /note|tip|warning|callout|admonition|caution|important/i;
const PERMALINK = /^[#¶§🔗]?$/u;

export interface CleanOptions {
  /** Also drop what works only as a control: buttons. */
  controls: boolean;
}

/** Drops from the body what has no place in text, and keeps what later steps would lose: lazy images, task boxes. */
export function clean(document: DomDocument, options: CleanOptions): void {
  for (const element of elementsUnder(document.body)) {
    const { localName } = element;
    if (element.hasAttribute("shadowrootmode")) unwrap(element);
    else if (NEVER_TEXT.has(localName) || isHidden(element)) element.remove();
    else if (localName === "noscript") cleanNoscript(element);
    else if (localName === "input") cleanInput(element);
    else if (localName === "button") cleanButton(element, options);
    else if (localName === "a" && isPermalink(element)) element.remove();
  }
}

/** Boilerplate by its meaning, not by its looks: navigation, page header and footer, asides, consent boxes. */
export function dropBoilerplate(document: DomDocument): void {
  for (const element of elementsUnder(document.body)) {
    if (isCallout(element)) rename(element, "div");
    else if (isBoilerplate(element)) element.remove();
  }
}

function isHidden(element: DomElement): boolean {
  const hidden = element.getAttribute("hidden");
  if (hidden !== null && hidden.toLowerCase() !== "until-found") return true;
  return /display\s*:\s*none/i.test(element.getAttribute("style") ?? "");
}

/** <noscript> without an image tells the reader to switch scripts on; with one, it holds what a script would load. */
function cleanNoscript(noscript: DomElement): void {
  const image = noscript.querySelector("img");
  const placeholder = image && previousImage(noscript);
  placeholder?.setAttribute("data-src", image?.getAttribute("src") ?? "");
  if (image && !placeholder) unwrap(noscript);
  else noscript.remove();
}

function previousImage(noscript: DomElement): DomElement | null {
  let node = noscript.previousSibling;
  while (node && !isElement(node)) node = node.previousSibling;
  if (!node) return null;
  if (node.localName === "img") return node;
  const [image, ...more] = Array.from(node.querySelectorAll("img"));
  return image && more.length === 0 && plainTextOf(node) === "" ? image : null;
}

/** A box in a list item is a task; Readability drops inputs, so it is turned into words here. */
function cleanInput(input: DomElement): void {
  const type = input.getAttribute("type")?.toLowerCase();
  if (type !== "checkbox" || !input.closest("li")) {
    input.remove();
    return;
  }
  const task = rename(input, "span");
  for (const { name } of Array.from(task.attributes)) task.removeAttribute(name);
  task.setAttribute("data-task", "");
  task.textContent = input.hasAttribute("checked") ? "[x] " : "[ ] ";
}

function cleanButton(button: DomElement, options: CleanOptions): void {
  if (button.closest("h1, h2, h3, h4, h5, h6, summary, dt")) unwrap(button);
  else if (options.controls) button.remove();
  else rename(button, "span");
}

/** The "#" or "¶" beside a heading that leads to the heading itself. */
function isPermalink(link: DomElement): boolean {
  if (!link.closest("h1, h2, h3, h4, h5, h6") || link.querySelector("img")) return false;
  return PERMALINK.test(plainTextOf(link));
}

/** Notes inside the text of a manual; Readability drops every <aside>. */
function isCallout(element: DomElement): boolean {
  if (element.localName !== "aside" || !element.closest("article, main")) return false;
  return CALLOUT.test(element.getAttribute("class") ?? "");
}

function isBoilerplate(element: DomElement): boolean {
  const { localName } = element;
  const role = element.getAttribute("role")?.toLowerCase();
  if (localName === "nav" || role === "navigation" || role === "dialog" || role === "alertdialog") return true;
  if (localName === "aside" || role === "complementary") return !element.querySelector("article, main");
  if (localName === "header" || localName === "footer" || role === "banner" || role === "contentinfo")
    return !element.closest("article, main") && !element.querySelector("article, main");
  return (
    CONSENT.test(`${element.getAttribute("id") ?? ""} ${element.getAttribute("class") ?? ""}`) &&
    /^(?:div|section|form|dialog)$/.test(localName) &&
    !element.querySelector("h1, article, main")
  );
}
