import { COMPUTED } from "../../html/parse/computed-visibility";
import { inheritVisibility, isHidden, isTransparent } from "../../html/visibility/style-visibility";
import { toGetter, toProperty } from "./shared/natives";
import type { PageScripts } from "./shared/script-types";

/** The maximum number of shadow roots and frames that the markup of a page includes. */
const MAX_SHADOW_ROOTS = 2_000;
const MAX_FRAMES = 20;
/** A smaller frame has no content for a reader. */
const MIN_FRAME_PX = 50;
/** The marks of what the snapshot adds. A page can't have them, or the visibility of its elements is lost. */
const MARKED = "template[shadowrootmode], div[data-frame-src], [data-form-value]";
const MARKS = ["shadowrootmode", "data-frame-src", "data-form-value"];
const FRAMES = new Set(["iframe", "frame"]);
const FIELDS = new Set(["input", "select", "textarea"]);
/** The fields of other types have no text, or a secret one. */
const TEXT_FIELD = /^(?:text|number|search|tel|email|url|date|time|month|week|datetime-local|textarea)$/;
/** Matches the `autocomplete` of fields for passwords, one-time codes and payment cards. */
const SECRET_FIELD = /password|one-time-code|cc-/;
/** The elements whose contents the browser clips, and which can be without a size until they are loaded. */
const REPLACED = new Set(["img", "video", "canvas", "embed", "object", "input", "svg"]);
/** The attributes with URLs that are relative to the frame. */
const URLS = ["href", "src", "data"];
const TEXT_NODE = 3;
const VISIBLE = { opacityProperty: true, visibilityProperty: true };

/**
 * Returns one line of JSON with the first meta refresh in the head (or an empty line), followed by the page's markup.
 * The markup isn't encoded as JSON, because it is large. Returns null if the markup is longer than `maxChars`. The line
 * begins with `+` if `hasLate` is true: the page has callbacks that are due later. It begins with `#` (or `+#`) if the
 * page can't read a frame that may be of its site. `frames` are such frames, each followed by the result of `readFrame`.
 *
 * Open shadow roots are declarative templates in the markup. The body of a frame of the same origin follows the frame. A
 * field whose value a script or a reader has set has that value, also as the text in `data-form-value`.
 */
export const takeSnapshot: PageScripts["takeSnapshot"] = (maxChars, hasLate, ...frames) =>
  createSnapshot().take(maxChars, hasLate, ...frames);

/**
 * Creates `takeSnapshot` with saved natives, because a page may change the prototypes later. An element named
 * `documentElement` would also hide the document's property.
 */
export function createSnapshot(): { take: PageScripts["takeSnapshot"]; readFrame: PageScripts["readFrame"] } {
  const { apply } = Reflect;
  const toJson = JSON.stringify;
  const toRoot = toGetter<Element | null>(Document.prototype, "documentElement");
  const toHead = toGetter<HTMLHeadElement | null>(Document.prototype, "head");
  const toDoctype = toGetter<DocumentType | null>(Document.prototype, "doctype");
  const toBase = toGetter<string>(Node.prototype, "baseURI");
  const toHtml = toGetter<string>(Element.prototype, "outerHTML");
  const { get: toInner, set: setInner } = toProperty<string>(Element.prototype, "innerHTML");
  const toName = toGetter<string>(Element.prototype, "localName");
  const toShadow = toGetter<ShadowRoot | null>(Element.prototype, "shadowRoot");
  const toDocument = toGetter<Document | null>(HTMLIFrameElement.prototype, "contentDocument");
  const toFrameDocument = toGetter<Document | null>(HTMLFrameElement.prototype, "contentDocument");
  const toBody = toGetter<HTMLElement | null>(Document.prototype, "body");
  const toUrl = toGetter<string>(Document.prototype, "URL");
  const toContent = toGetter<DocumentFragment>(HTMLTemplateElement.prototype, "content");
  const toParent = toGetter<Node | null>(Node.prototype, "parentNode");
  const toFirst = toGetter<Node | null>(Node.prototype, "firstChild");
  const toNext = toGetter<Node | null>(Node.prototype, "nextSibling");
  const { querySelector, querySelectorAll, matches, getAttribute, setAttribute, removeAttribute } = Element.prototype;
  const { toggleAttribute, getBoundingClientRect, checkVisibility, replaceChildren } = Element.prototype;
  const toParentElement = toGetter<Element | null>(Node.prototype, "parentElement");
  const { appendChild, insertBefore } = Node.prototype;
  const { importNode, createElement } = Document.prototype;
  const { createHTMLDocument } = DOMImplementation.prototype;
  const toStyle = globalThis.getComputedStyle;
  const { getPropertyValue } = CSSStyleDeclaration.prototype;
  const toType = toGetter<number>(Node.prototype, "nodeType");
  const ParsedUrl = URL;
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
      return apply(apply(toName, frame, []) === "frame" ? toFrameDocument : toDocument, frame, []);
    } catch {
      // An element of SVG can have the name of a frame.
      return null;
    }
  };

  // An element with `display: contents`, such as a slot, has no box, but its contents have.
  const isVisible = (element: Element): boolean =>
    apply(checkVisibility, element, [VISIBLE]) || apply(toStyle, globalThis, [element]).display === "contents";

  /** Returns the computed style in the form that the rules for style sheets read. */
  const valuesOf = (element: Element): ReadonlyMap<string, string> => {
    const style = apply(toStyle, globalThis, [element]);
    const isReplaced = REPLACED.has(apply(toName, element, []));
    const get = (name: string) =>
      isReplaced && name === "overflow" ? "visible" : apply(getPropertyValue, style, [name]);
    return { size: 1, get } as unknown as ReadonlyMap<string, string>;
  };

  /** Returns true if a reader can't see an element with all its contents. */
  const isGone = (element: Element): boolean => {
    if (!isVisible(element)) return true;
    const values = valuesOf(element);
    if (isTransparent(values)) return true;
    // Reading all properties takes 30 microseconds, so it's only done for an unusual box.
    const { width, height, left, right, bottom } = apply(getBoundingClientRect, element, []);
    const isUnusual = width <= 1 || height <= 1 || right <= 0 || bottom <= 0 || left >= innerWidth;
    const isCut = () => values.get("clip") !== "auto" || values.get("clip-path") !== "none";
    return (isUnusual || isCut()) && isHidden(values);
  };

  const isFrame = (element: Element): boolean => FRAMES.has(apply(toName, element, []));

  const isShown = (frame: Element): boolean => {
    const { width, height, right } = apply(getBoundingClientRect, frame, []);
    return width >= MIN_FRAME_PX && height >= MIN_FRAME_PX && right > 0 && !isGone(frame);
  };

  /** Returns the body of a visible frame of the same origin, or null. */
  const toFrameBody = (element: Element): Element | null => {
    const content = isFrame(element) ? documentOf(element) : null;
    const body = content && isShown(element) ? apply(toBody, content, []) : null;
    return body && apply(toFirst, body, []) && !isGone(body) ? body : null;
  };

  const siteOf = (host: string): string => host.split(".").slice(-2).join(".");

  /** Returns true for a visible frame that the page can't read, but whose document may be of the same site. */
  const isClosed = (frame: Element): boolean => {
    if (documentOf(frame) || !isShown(frame)) return false;
    if (apply(getAttribute, frame, ["srcdoc"]) !== null) return true;
    try {
      const { hostname } = new ParsedUrl(apply(getAttribute, frame, ["src"]) ?? "", apply(toBase, frame, []));
      return siteOf(hostname) === siteOf(location.hostname);
    } catch {
      return false;
    }
  };

  /** Returns the text of a field if it isn't the one of its markup, otherwise null. The field may be of a frame. */
  const toSetText = (field: Element): string | null => {
    if (apply(toName, field, []) === "select") {
      const { options: list, multiple, size } = field as HTMLSelectElement;
      const options = [...list];
      const first = size > 1 ? undefined : options.find((one) => !one.disabled);
      const usual = multiple ? undefined : (options.findLast((one) => one.defaultSelected) ?? first);
      if (options.every((one) => one.selected === (usual ? one === usual : one.defaultSelected))) return null;
      return options.flatMap((one) => (one.selected ? [one.label] : [])).join(", ");
    }
    const { type, value, defaultValue, autocomplete } = field as HTMLInputElement;
    if (SECRET_FIELD.test(autocomplete)) return null;
    return TEXT_FIELD.test(type) && value !== defaultValue ? value : null;
  };

  const isSet = (element: Element): boolean => {
    if (!FIELDS.has(apply(toName, element, []))) return false;
    const { checked, defaultChecked } = element as HTMLInputElement;
    return checked !== defaultChecked || toSetText(element) !== null;
  };

  /** Gives the copy of a field the current value. */
  const copyValue = (field: Element, copy: Element): void => {
    const text = toSetText(field);
    const name = apply(toName, field, []);
    if (text !== null) apply(setAttribute, copy, ["data-form-value", text]);
    if (name === "select") {
      const copies = apply(querySelectorAll, copy, ["option"]);
      for (const [at, { selected }] of [...(field as HTMLSelectElement).options].entries())
        if (copies[at]) apply(toggleAttribute, copies[at], ["selected", selected]);
    } else if (name === "textarea") apply(replaceChildren, copy, [text ?? ""]);
    else {
      apply(toggleAttribute, copy, ["checked", (field as HTMLInputElement).checked]);
      if (text !== null) apply(setAttribute, copy, ["value", text]);
    }
  };

  const hasParts = (page: Element): boolean => {
    if (apply(querySelector, page, [MARKED])) return true;
    const elements = apply(querySelectorAll, page, ["*"]);
    for (let at = 0; at < elements.length; at++) {
      const element = elements[at];
      if (element && (apply(toShadow, element, []) || toFrameBody(element) || isSet(element))) return true;
    }
    return false;
  };

  /**
   * Returns the markup of a page with its shadow roots and frames. They are added to a copy, which runs no scripts.
   * `given` has the markup of frames that the page can't read. For the body of such a frame, returns its contents.
   */
  const toWholeHtml = (page: Element, given: ReadonlyMap<unknown, unknown>, isBody = false): string => {
    const inert = apply(createHTMLDocument, document.implementation, []);
    let roots = 0;
    let frames = isBody ? MAX_FRAMES : 0;
    /** Copies the contents of a body, or of the shadow root of `around`, with their own shadow roots and frames. */
    const copyParts = (from: Node, select: ParentNode["querySelectorAll"], to: Node, around: Element): void => {
      for (let node = apply(toFirst, from, []); node; node = apply(toNext, node, []))
        apply(appendChild, to, [apply(importNode, inert, [node, true])]);
      addParts(apply(select, from, ["*"]), apply(select, to, ["*"]), true);
      hideTexts(around, to);
    };
    /** Wraps the texts in the copy of an element or of its shadow root, if the element's style hides them. */
    const hideTexts = (element: Element, copy: Node): void => {
      let isRead = false;
      for (let node = apply(toFirst, copy, []), next: Node | null; node; node = next) {
        next = apply(toNext, node, []);
        if (apply(toType, node, []) !== TEXT_NODE) continue;
        if (!isRead && (inheritVisibility(0, valuesOf(element)) & ~COMPUTED.noContrast) === 0) return;
        isRead = true;
        const span = apply(createElement, inert, ["span"]);
        apply(setAttribute, span, ["hidden", ""]);
        apply(insertBefore, copy, [span, node]);
        apply(appendChild, span, [node]);
      }
    };
    /** Makes the URLs below an element absolute, because the base of its frame isn't the base of the page. */
    const resolveUrls = (part: Element, base: string): void => {
      const copies = apply(querySelectorAll, part, ["[href], [src], [data]"]);
      for (let at = 0; at < copies.length; at++)
        for (const name of URLS) {
          const url = copies[at] && apply(getAttribute, copies[at], [name]);
          try {
            if (url) apply(setAttribute, copies[at], [name, new ParsedUrl(url, base).href]);
          } catch {
            // The page itself can't open an invalid URL, either.
          }
        }
    };
    /**
     * Adds the parts of elements to the copies of the elements, which have the same order. In a part, marks hidden
     * elements and texts as hidden, because the visibility is only read for the elements of the page itself.
     */
    const addParts = (elements: NodeListOf<Element>, copies: NodeListOf<Element>, isPart: boolean): void => {
      for (let at = 0; at < elements.length; at++) {
        const [element, copy] = [elements[at], copies[at]];
        if (!element || !copy) continue;
        if (apply(matches, copy, [MARKED])) for (const name of MARKS) apply(removeAttribute, copy, [name]);
        const around = isPart ? apply(toParentElement, element, []) : null;
        if (isPart && (!around || isVisible(around))) {
          apply(toggleAttribute, copy, ["hidden", isGone(element)]);
          hideTexts(element, copy);
        }
        if (isSet(element)) copyValue(element, copy);
        const shadow = apply(toShadow, element, []);
        if (shadow && roots++ < MAX_SHADOW_ROOTS) {
          const template = apply(createElement, inert, ["template"]);
          apply(setAttribute, template, ["shadowrootmode", "open"]);
          copyParts(shadow, selectInFragment, apply(toContent, template, []), element);
          apply(insertBefore, copy, [template, apply(toFirst, copy, [])]);
        }
        const body = toFrameBody(element);
        const markup = body ? null : given.get(element);
        const parent = apply(toParent, copy, []);
        if ((body || markup) && parent && frames++ < MAX_FRAMES) {
          const div = apply(createElement, inert, ["div"]);
          const url = body ? apply(toUrl, documentOf(element) ?? document, []) : apply(getAttribute, element, ["src"]);
          apply(setAttribute, div, ["data-frame-src", url ?? "about:srcdoc"]);
          if (body) {
            copyParts(body, querySelectorAll, div, body);
            resolveUrls(div, apply(toBase, body, []));
          } else apply(setInner, div, [String(markup)]);
          apply(insertBefore, parent, [div, apply(toNext, copy, [])]);
        }
      }
    };
    if (isBody) {
      const div = apply(createElement, inert, ["div"]);
      copyParts(page, querySelectorAll, div, page);
      resolveUrls(div, apply(toBase, page, []));
      return apply(toInner, div, []);
    }
    const copy: Element = apply(importNode, inert, [page, true]) as Element;
    addParts(apply(querySelectorAll, page, ["*"]), apply(querySelectorAll, copy, ["*"]), false);
    return apply(toHtml, copy, []);
  };

  const readFrame = (): string | null => {
    const body = apply(toBody, document, []);
    return body && toWholeHtml(body, new Map(), true);
  };

  const take: PageScripts["takeSnapshot"] = (maxChars, hasLate = false, ...frames) => {
    const given = new Map(frames.flatMap((frame, at) => (at % 2 === 0 ? [[frame, frames[at + 1]] as const] : [])));
    const root = apply(toRoot, document, []);
    const doctype = apply(toDoctype, document, []);
    const markup =
      root === null ? "" : given.size > 0 || hasParts(root) ? toWholeHtml(root, given) : apply(toHtml, root, []);
    const html = (doctype ? `${apply(serializeToString, serializer, [doctype])}\n` : "") + markup;
    if (html.length > maxChars) return null;
    const all = root && given.size === 0 ? apply(querySelectorAll, root, ["iframe, frame"]) : [];
    const hasClosed = [...all].some(isClosed);
    return `${hasLate ? "+" : ""}${hasClosed ? "#" : ""}${toRefresh(apply(toHead, document, []))}\n${html}`;
  };
  return { take, readFrame };
}
