import {
  BUTTON,
  CONSENT,
  COOKIE,
  isOverlayMarkup,
  MAX_BOX_WORDS,
  MAX_BUTTON_WORDS,
  MIN_SHARE,
  SUBJECT,
} from "../../html/page/overlay-patterns";
import { toGetter } from "./shared/natives";
import type { PageScripts } from "./shared/script-types";

/** The ids, class names, titles and addresses of embedded consent boxes. */
const CONSENT_FRAME = /consent|cookie|\bcmp\b|sp_message|privacy|truste|gdpr/i;
/** The class names of other boxes over a page, such as an invitation to a newsletter. */
const BOX = /modal|pop-?up|popover|overlay|dialog|lightbox|interstitial/i;
const PAGE_PART = "main, article";
/** An element around a dialog is removed with it if the dialog has at least this share of its text. */
const MIN_DIALOG_SHARE = 0.8;
/** A backdrop covers at least this share of the viewport. */
const MIN_BACKDROP_SHARE = 0.9;
const MAX_ELEMENTS = 40_000;
/** The time limit for the search for overlays. The overlays that were found within this time are removed. */
const MAX_MS = 2_000;

/**
 * Hides the elements that match the selectors, and keeps the space that they take up. With `blockBanners`, also removes
 * consent boxes, dialogs and their backdrops that float over the page, and lets the page scroll again. Recognizes
 * overlays with the same patterns as the extraction. Returns the first invalid selector, or null.
 */
export const hideElements: PageScripts["hideElements"] = (selectors, blockBanners) => {
  const { querySelectorAll } = Document.prototype;
  // A form field that is named like a DOM method hides the method of its form. The methods of the prototypes always work.
  const { getAttribute, getBoundingClientRect, matches, querySelector } = Element.prototype;
  const { querySelectorAll: selectInside } = Element.prototype;
  const { getRootNode } = Node.prototype;
  const toName = toGetter<string>(Element.prototype, "localName");
  const toText = toGetter<string>(HTMLElement.prototype, "innerText");
  const toShadow = toGetter<ShadowRoot | null>(Element.prototype, "shadowRoot");
  const toRoot = toGetter<Element | null>(Document.prototype, "documentElement");
  const toBody = toGetter<HTMLElement | null>(Document.prototype, "body");
  const styles = [HTMLElement, SVGElement, MathMLElement].map(
    (type) => [type, toGetter<CSSStyleDeclaration>(type.prototype, "style")] as const,
  );
  const set = (element: Element, property: string, value: string) => {
    const [, toStyle] = styles.find(([type]) => element instanceof type) ?? [];
    toStyle?.call(element).setProperty(property, value, "important");
  };
  const textOf = (element: Element) => (element instanceof HTMLElement ? toText.call(element).trim() : "");
  const attributeOf = (element: Element, name: string) => getAttribute.call(element, name) ?? "";
  const namesOf = (element: Element) => `${attributeOf(element, "id")} ${attributeOf(element, "class")}`;

  /** The hidden elements. An element that several selectors match is hidden once, with the elements inside it. */
  const hidden = new Set<Element>();
  for (const selector of selectors) {
    let found: NodeListOf<Element>;
    try {
      found = querySelectorAll.call(document, selector);
    } catch {
      return selector;
    }
    for (const element of found) {
      if (hidden.has(element)) continue;
      for (const each of [element, ...selectInside.call(element, "*")]) {
        if (!hidden.has(each)) set(each, "visibility", "hidden");
        hidden.add(each);
      }
    }
  }
  if (!blockBanners) return null;

  const root = toRoot.call(document);
  const body = toBody.call(document);

  /** Returns all elements, including those in open shadow trees. */
  const listElements = (): Element[] => {
    const found: Element[] = [];
    const visit = (elements: Iterable<Element>) => {
      for (const element of elements) {
        if (found.length >= MAX_ELEMENTS) return;
        found.push(element);
        const shadow = toShadow.call(element);
        if (shadow) visit(shadow.querySelectorAll("*"));
      }
    };
    visit(querySelectorAll.call(document, "body *"));
    return found;
  };

  const isOverlay = (element: Element): boolean =>
    isOverlayMarkup({
      name: toName.call(element),
      role: attributeOf(element, "role"),
      isModal: attributeOf(element, "aria-modal") === "true",
      names: namesOf(element),
    });

  /** Returns true if most of the element's text is in a dialog or a consent box. */
  const surroundsOverlay = (element: Element): boolean => {
    const all = textOf(element).length;
    for (const inner of selectInside.call(element, "dialog, [role], [aria-modal], [id], [class]"))
      if (isOverlay(inner) && textOf(inner).length >= MIN_DIALOG_SHARE * all && all > 0) return true;
    return false;
  };

  /** Returns true if the text is about cookies and the element has a button to accept or reject them. */
  const asksForConsent = (element: Element): boolean => {
    const text = textOf(element);
    if (!COOKIE.test(text)) return false;
    const count = (line: string) => line.split(/\s+/).filter((word) => word !== "").length;
    const lines = text.split("\n");
    const words = count(text);
    const about = lines.reduce((sum, line) => sum + (SUBJECT.test(line) ? count(line) : 0), 0);
    if (words > MAX_BOX_WORDS || about < MIN_SHARE * words) return false;
    const labels = Array.from(selectInside.call(element, "button, a, [role=button], input"), (button) =>
      (textOf(button) || attributeOf(button, "value") || attributeOf(button, "aria-label")).trim(),
    );
    return labels.some((label) => count(label) <= MAX_BUTTON_WORDS && BUTTON.test(label));
  };

  const hasConsentFrame = (element: Element): boolean =>
    textOf(element) === "" &&
    Array.from(selectInside.call(element, "iframe")).some((frame) =>
      CONSENT_FRAME.test(
        [namesOf(frame), ...["title", "name", "src"].map((name) => attributeOf(frame, name))].join(" "),
      ),
    );

  const hostNames = (element: Element): string => {
    const around = getRootNode.call(element);
    return around instanceof ShadowRoot ? namesOf(around.host) : "";
  };

  const coversCenter = ({ left, right, top, bottom }: DOMRect): boolean =>
    left < innerWidth / 2 && right > innerWidth / 2 && top < innerHeight / 2 && bottom > innerHeight / 2;

  /** Returns true if the element keeps its position while the page scrolls, or overlaps the page. */
  const isFloating = (element: Element, { position, zIndex }: CSSStyleDeclaration): boolean =>
    position === "fixed" ||
    position === "sticky" ||
    (position === "absolute" && Number(zIndex) >= 100) ||
    matches.call(element, ":modal, :popover-open");

  const isBanner = (element: Element, box: DOMRect): boolean =>
    isOverlay(element) ||
    CONSENT.test(hostNames(element)) ||
    surroundsOverlay(element) ||
    asksForConsent(element) ||
    hasConsentFrame(element) ||
    (BOX.test(namesOf(element)) && coversCenter(box));

  /** Returns true for a layer without content that dims or blurs the page. */
  const isBackdrop = (element: Element, box: DOMRect, style: CSSStyleDeclaration): boolean => {
    const share = (box.width * box.height) / (innerWidth * innerHeight);
    if (share < MIN_BACKDROP_SHARE || textOf(element) !== "") return false;
    if (querySelector.call(element, "img, video, canvas, iframe, svg, picture")) return false;
    const isDimmed = /^rgba\(.*, 0?\.\d+\)$/.test(style.backgroundColor) || Number(style.opacity) < 1;
    return isDimmed || (style.backdropFilter ?? "none") !== "none";
  };

  const deadline = performance.now() + MAX_MS;
  const floating: { element: Element; box: DOMRect; style: CSSStyleDeclaration }[] = [];
  for (const element of listElements()) {
    if (performance.now() > deadline) break;
    const style = getComputedStyle(element);
    if (style.display === "none" || style.visibility === "hidden" || !isFloating(element, style)) continue;
    if (matches.call(element, PAGE_PART) || querySelector.call(element, PAGE_PART)) continue;
    const box = getBoundingClientRect.call(element);
    if (box.width > 0 && box.height > 0) floating.push({ element, box, style });
  }
  const banners = floating.filter(({ element, box }) => performance.now() < deadline && isBanner(element, box));
  for (const { element } of banners) set(element, "display", "none");
  const locked = [root, body].filter((element) => element !== null && isLocked(getComputedStyle(element)));
  if (banners.length === 0) return null;
  for (const { element, box, style } of floating) if (isBackdrop(element, box, style)) set(element, "display", "none");
  for (const element of locked) {
    if (element === null) continue;
    set(element, "overflow", "visible");
    if (getComputedStyle(element).position === "fixed") set(element, "position", "static");
  }
  return null;
};

/** Returns true for the style of a page that can't be scrolled. */
function isLocked({ overflowY, position }: CSSStyleDeclaration): boolean {
  return overflowY === "hidden" || overflowY === "clip" || position === "fixed";
}
