import { parseHTML } from "linkedom/worker";
import type { DomDocument, DomElement, DomNode } from "./dom";
import { childrenOf, elementsUnder, isElement, unwrap } from "./dom";

/** Browsers stop at 512; Readability's time grows with the square of the depth, and real pages stay below 100. */
const MAX_DEPTH = 200;
/** The parser keeps its open elements in an array that it shifts: past this many, time explodes. */
const MAX_OPEN_TAGS = 5_000;

/** An attribute whose name begins with a capital letter, as in <A HREF=...>. */
const SHOUTED_ATTRIBUTE = /<[A-Za-z][^<>]*?\s[A-Z][A-Za-z-]*\s*=/;
const TAG = /<(\/?)([a-z][a-z0-9-]*)/gi;
const NEVER_DEEP = new Set(
  (
    "area base br col embed hr img input link meta param source track wbr " +
    "p li dt dd tr td th thead tbody tfoot option optgroup colgroup rt rp html head body"
  ).split(" "),
);

/** An estimate of how deep the tags nest, without building anything. */
export function isTooDeep(html: string): boolean {
  let open = 0;
  for (const [, closing, name = ""] of html.matchAll(TAG)) {
    if (NEVER_DEEP.has(name.toLowerCase())) continue;
    open = closing ? Math.max(0, open - 1) : open + 1;
    if (open > MAX_OPEN_TAGS) return true;
  }
  return false;
}

/**
 * A document with one <html> and one <body> that holds everything visible, attribute names in lower case, and a bounded
 * depth: what linkedom's lenient parser leaves open.
 */
export function parseDocument(html: string): DomDocument {
  let document = parse(html);
  // Only a <body> directly in <html> will do: `document.body` would otherwise add an empty one.
  if (!document.documentElement || !bodyOf(document.documentElement)) {
    const bare = html.replace(/<!doctype[^<>]*>|<\/?(?:html|head|body)(?=[\s/>])[^<>]*>/gi, "");
    document = parse(`<!doctype html><html><head></head><body>${bare}</body></html>`);
  }
  adoptLateContent(document);
  if (SHOUTED_ATTRIBUTE.test(html))
    for (const element of elementsUnder(document.documentElement ?? document.body)) lowerCaseAttributes(element);
  limitDepth(document.body);
  return document;
}

function parse(html: string): DomDocument {
  const { document }: { document: DomDocument } = parseHTML(html);
  return document;
}

function bodyOf(root: DomElement): DomElement | undefined {
  if (root.localName !== "html") return undefined;
  return childrenOf(root)
    .filter(isElement)
    .find((child) => child.localName === "body");
}

/** Browsers put what follows </body> or </html> at the end of the body. */
function adoptLateContent(document: DomDocument): void {
  const { body, documentElement } = document;
  for (let node = body.nextSibling; node; ) {
    const next: DomNode | null = node.nextSibling;
    body.appendChild(node);
    node = next;
  }
  for (let node = documentElement?.nextSibling ?? null; node; ) {
    const next: DomNode | null = node.nextSibling;
    body.appendChild(node);
    node = next;
  }
}

function lowerCaseAttributes(element: DomElement): void {
  for (const { name, value } of Array.from(element.attributes)) {
    const lower = name.toLowerCase();
    if (lower === name) continue;
    element.removeAttribute(name);
    if (!element.hasAttribute(lower)) element.setAttribute(lower, value);
  }
}

function limitDepth(root: DomElement): void {
  let depth = 0;
  let node: DomNode | null = root.firstChild;
  while (node) {
    if (isElement(node) && node.firstChild) {
      if (depth < MAX_DEPTH) {
        depth++;
        node = node.firstChild;
        continue;
      }
      const first: DomNode = node.firstChild;
      unwrap(node);
      node = first;
      continue;
    }
    while (node && node !== root && !node.nextSibling) {
      node = node.parentNode;
      depth--;
    }
    node = node && node !== root ? node.nextSibling : null;
  }
}
