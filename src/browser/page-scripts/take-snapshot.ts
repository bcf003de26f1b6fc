import { toGetter } from "./shared/natives";
import type { PageScripts } from "./shared/script-types";

/** The most shadow roots and frames of a page that its markup includes. */
const MAX_SHADOW_ROOTS = 2_000;
const MAX_FRAMES = 20;
/** A smaller frame has no content for a reader. */
const MIN_FRAME_PX = 50;
/** The marks of the parts that the snapshot adds. A page can't have them, or the visibility of its elements is lost. */
const MARKED = "template[shadowrootmode], div[data-frame-src]";
const VISIBLE = { opacityProperty: true, visibilityProperty: true };

/**
 * Returns one line of JSON with the first meta refresh in the head (or an empty line), followed by the page's markup.
 * The markup isn't encoded as JSON, because it is large. Returns null if the markup is longer than `maxChars`. The line
 * begins with `+` if `hasLate` is true: the page has callbacks that are due later.
 *
 * Open shadow roots are declarative templates in the markup. The body of a frame of the same origin follows the frame.
 */
export const takeSnapshot: PageScripts["takeSnapshot"] = (maxChars, hasLate) => createSnapshot()(maxChars, hasLate);

/**
 * Creates `takeSnapshot` with saved natives, because a page may change the prototypes later. An element named
 * `documentElement` would also hide the document's property.
 */
export function createSnapshot(): PageScripts["takeSnapshot"] {
  const { apply } = Reflect;
  const toJson = JSON.stringify;
  const toRoot = toGetter<Element | null>(Document.prototype, "documentElement");
  const toHead = toGetter<HTMLHeadElement | null>(Document.prototype, "head");
  const toDoctype = toGetter<DocumentType | null>(Document.prototype, "doctype");
  const toBase = toGetter<string>(Node.prototype, "baseURI");
  const toHtml = toGetter<string>(Element.prototype, "outerHTML");
  const toName = toGetter<string>(Element.prototype, "localName");
  const toShadow = toGetter<ShadowRoot | null>(Element.prototype, "shadowRoot");
  const toDocument = toGetter<Document | null>(HTMLIFrameElement.prototype, "contentDocument");
  const toBody = toGetter<HTMLElement | null>(Document.prototype, "body");
  const toUrl = toGetter<string>(Document.prototype, "URL");
  const toContent = toGetter<DocumentFragment>(HTMLTemplateElement.prototype, "content");
  const toParent = toGetter<Node | null>(Node.prototype, "parentNode");
  const toFirst = toGetter<Node | null>(Node.prototype, "firstChild");
  const toNext = toGetter<Node | null>(Node.prototype, "nextSibling");
  const { querySelector, querySelectorAll, matches, getAttribute, setAttribute, removeAttribute } = Element.prototype;
  const { toggleAttribute, getBoundingClientRect, checkVisibility } = Element.prototype;
  const toParentElement = toGetter<Element | null>(Node.prototype, "parentElement");
  const { appendChild, insertBefore } = Node.prototype;
  const { importNode, createElement } = Document.prototype;
  const { createHTMLDocument } = DOMImplementation.prototype;
  const selectInFragment = DocumentFragment.prototype.querySelectorAll;
  const { serializeToString } = XMLSerializer.prototype;
  const serializer = new XMLSerializer();
  const toRefresh = (head: HTMLHeadElement | null): string => {
    const meta = head && apply(querySelector, head, ['meta[http-equiv="refresh" i][content]']);
    if (!meta) return "";
    return toJson({
      __proto__: null,
      content: apply(getAttribute, meta, ["content"]),
      base: apply(toBase, document, []),
      url: location.href,
    });
  };

  const documentOf = (frame: Element): Document | null => {
    try {
      return apply(toDocument, frame, []);
    } catch {
      // An element of SVG can have the name of a frame.
      return null;
    }
  };

  const isVisible = (element: Element): boolean => apply(checkVisibility, element, [VISIBLE]);

  /** Returns the body of a visible frame of the same origin, or null. */
  const toFrameBody = (element: Element): Element | null => {
    const content = apply(toName, element, []) === "iframe" ? documentOf(element) : null;
    if (!content || apply(toUrl, content, []) === "about:blank") return null;
    const { width, height, right } = apply(getBoundingClientRect, element, []);
    const isShown = width >= MIN_FRAME_PX && height >= MIN_FRAME_PX && right > 0 && isVisible(element);
    return isShown ? apply(toBody, content, []) : null;
  };

  const hasParts = (page: Element): boolean => {
    if (apply(querySelector, page, [MARKED])) return true;
    const elements = apply(querySelectorAll, page, ["*"]);
    for (let at = 0; at < elements.length; at++) {
      const element = elements[at];
      if (element && (apply(toShadow, element, []) || toFrameBody(element))) return true;
    }
    return false;
  };

  /** Returns the markup of a page with its shadow roots and frames. They are added to a copy, which runs no scripts. */
  const toWholeHtml = (page: Element): string => {
    const inert = apply(createHTMLDocument, document.implementation, []);
    let [roots, frames] = [0, 0];
    /** Copies the contents of a shadow root or a body, with their own shadow roots and frames. */
    const copyParts = (from: Node, select: ParentNode["querySelectorAll"], to: Node): void => {
      for (let node = apply(toFirst, from, []); node; node = apply(toNext, node, []))
        apply(appendChild, to, [apply(importNode, inert, [node, true])]);
      addParts(apply(select, from, ["*"]), apply(select, to, ["*"]), true);
    };
    /**
     * Adds the parts of elements to the copies of the elements, which have the same order. In a part, marks the
     * outermost hidden elements as hidden, because the visibility is only read for the elements of the page itself.
     */
    const addParts = (elements: NodeListOf<Element>, copies: NodeListOf<Element>, isPart: boolean): void => {
      for (let at = 0; at < elements.length; at++) {
        const [element, copy] = [elements[at], copies[at]];
        if (!element || !copy) continue;
        if (apply(matches, copy, [MARKED]))
          for (const name of ["shadowrootmode", "data-frame-src"]) apply(removeAttribute, copy, [name]);
        const around = isPart ? apply(toParentElement, element, []) : null;
        if (isPart && (!around || isVisible(around))) apply(toggleAttribute, copy, ["hidden", !isVisible(element)]);
        const shadow = apply(toShadow, element, []);
        if (shadow && roots++ < MAX_SHADOW_ROOTS) {
          const template = apply(createElement, inert, ["template"]);
          apply(setAttribute, template, ["shadowrootmode", "open"]);
          copyParts(shadow, selectInFragment, apply(toContent, template, []));
          apply(insertBefore, copy, [template, apply(toFirst, copy, [])]);
        }
        const body = toFrameBody(element);
        const parent = apply(toParent, copy, []);
        if (body && parent && frames++ < MAX_FRAMES) {
          const div = apply(createElement, inert, ["div"]);
          apply(setAttribute, div, ["data-frame-src", apply(toBase, body, [])]);
          copyParts(body, querySelectorAll, div);
          apply(insertBefore, parent, [div, apply(toNext, copy, [])]);
        }
      }
    };
    const copy: Element = apply(importNode, inert, [page, true]) as Element;
    addParts(apply(querySelectorAll, page, ["*"]), apply(querySelectorAll, copy, ["*"]), false);
    return apply(toHtml, copy, []);
  };

  return (maxChars, hasLate = false) => {
    const root = apply(toRoot, document, []);
    const doctype = apply(toDoctype, document, []);
    const markup = root === null ? "" : hasParts(root) ? toWholeHtml(root) : apply(toHtml, root, []);
    const html = (doctype ? `${apply(serializeToString, serializer, [doctype])}\n` : "") + markup;
    return html.length > maxChars ? null : `${hasLate ? "+" : ""}${toRefresh(apply(toHead, document, []))}\n${html}`;
  };
}
