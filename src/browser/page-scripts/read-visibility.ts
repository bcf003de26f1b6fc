import { type Color, isSameColor, parseColor } from "../../html/css/values";
import { COMPUTED } from "../../html/parse/computed-visibility";
import { hasMotion, inheritVisibility, isHidden, isTransparent, VISIBLE } from "../../html/visibility/style-visibility";
import { toGetter } from "./shared/natives";
import type { PageScripts } from "./shared/script-types";

/** The properties that an element inherits. */
interface Outer {
  bits: number;
  /** The color behind the text, or null if it isn't known. */
  background: string | null;
  /** True if the background of an element is painted only inside of its letters (`background-clip: text`). */
  isBackgroundInText: boolean;
}

/**
 * Returns the computed visibility of the page's elements, in the format of `parseComputed`. Returns null if the page has
 * more than `maxElements` elements, or if reading them takes longer than `maxMs`.
 */
export const readVisibility: PageScripts["readVisibility"] = (maxElements, maxMs) => {
  const INHERITED = COMPUTED.hidden | COMPUTED.tiny | COMPUTED.indented | COMPUTED.noContrast;
  const NOT_SHOWN = /^(?:head|script|style|template|noscript|svg|math)$/;
  // The getters are necessary, because an element named `body` or `localName` would hide the property.
  const toRoot = toGetter<Element | null>(Document.prototype, "documentElement");
  const toName = toGetter<string>(Element.prototype, "localName");
  const toParent = toGetter<Element | null>(Node.prototype, "parentElement");
  const toFirst = toGetter<Node | null>(Node.prototype, "firstChild");
  const toNext = toGetter<Node | null>(Node.prototype, "nextSibling");
  const toType = toGetter<number>(Node.prototype, "nodeType");
  const toData = toGetter<string | null>(Node.prototype, "nodeValue");
  const root = toRoot.call(document);
  if (root === null) return null;
  const walker = Document.prototype.createTreeWalker.call(document, root, NodeFilter.SHOW_ELEMENT);
  const deadline = performance.now() + maxMs;
  const report: number[] = [];
  let [count, hash, last, isLate] = [0, 0x811c9dc5, 0, false];
  let painted: { element: Element; box: DOMRect }[] | null = null;

  const hasText = (element: Element): boolean => {
    for (let node = toFirst.call(element); node; node = toNext.call(node))
      if (toType.call(node) === Node.TEXT_NODE && (toData.call(node) ?? "").trim() !== "") return true;
    return false;
  };

  /** Returns the elements that may paint something behind the text of other elements. */
  const findPainted = (): { element: Element; box: DOMRect }[] => {
    const found: { element: Element; box: DOMRect }[] = [];
    for (const element of Document.prototype.querySelectorAll.call(document, "body *")) {
      const { backgroundImage, backgroundColor } = getComputedStyle(element);
      const isMedia = /^(?:img|video|canvas|picture|iframe|svg|object|embed)$/.test(toName.call(element));
      if (!isMedia && (backgroundImage || "none") === "none" && parseColor(backgroundColor) === "none") continue;
      const box = Element.prototype.getBoundingClientRect.call(element);
      if (box.width > 1 && box.height > 1) found.push({ element, box });
    }
    return found;
  };

  /** Returns true if another element may be behind the text, so that the color behind it isn't known. */
  const isOverOther = (element: Element): boolean => {
    painted ??= findPainted();
    const own = Element.prototype.getBoundingClientRect.call(element);
    return painted.some(
      ({ element: other, box }) =>
        box.left < own.right &&
        own.left < box.right &&
        box.top < own.bottom &&
        own.top < box.bottom &&
        !Node.prototype.contains.call(other, element),
    );
  };

  /** Returns true if a pseudo-element of an element around the text paints another color behind it. */
  const isOverPseudo = (element: Element, color: ReturnType<typeof parseColor>): boolean => {
    const own = Element.prototype.getBoundingClientRect.call(element);
    for (let at: Element | null = element; at; at = toParent.call(at)) {
      for (const name of ["::before", "::after"]) {
        const { content, backgroundImage, backgroundColor, width, height } = getComputedStyle(at, name);
        const painted = parseColor(backgroundColor);
        const isSame = painted === "none" || (Array.isArray(painted) && isSameColor(painted, color as Color));
        if (/^(?:none|normal)$/.test(content) || (backgroundImage === "none" && isSame)) continue;
        if (Number.parseFloat(width) >= own.width / 2 && Number.parseFloat(height) >= own.height / 2) return true;
      }
    }
    return false;
  };

  /** Returns the color behind the text of an element, or null if it isn't known. */
  const backgroundOf = (style: CSSStyleDeclaration, outer: string | null): string | null => {
    if (style.backgroundImage !== "none") return null;
    const color = parseColor(style.backgroundColor);
    if (color === "none") return outer;
    return /^rgb\(/.test(style.backgroundColor) ? style.backgroundColor : null;
  };

  const lacksContrast = (
    element: Element,
    style: CSSStyleDeclaration,
    { background, isBackgroundInText }: Pick<Outer, "background" | "isBackgroundInText">,
  ): boolean => {
    if (style.textShadow !== "none" || Number.parseFloat(style.webkitTextStrokeWidth) > 0) return false;
    const fill = style.getPropertyValue("-webkit-text-fill-color") || style.color;
    const color = parseColor(fill);
    if (color === "none") return !isBackgroundInText;
    const behind = background === null ? null : parseColor(background);
    if (color === null || behind === null || behind === "none" || !isSameColor(color, behind)) return false;
    return !isOverOther(element) && !isOverPseudo(element, color);
  };

  /** Returns the color of the page's canvas, or null if the page declares a dark one. */
  const toCanvas = (): string | null => {
    const meta = Document.prototype.querySelector.call(document, "meta[name='color-scheme' i]");
    const scheme = `${getComputedStyle(root).colorScheme} ${meta && Element.prototype.getAttribute.call(meta, "content")}`;
    return /dark/i.test(scheme) && !/light/i.test(scheme) ? null : "rgb(255, 255, 255)";
  };

  /** Returns true if an element with a negative z-index is behind the background of an element around it. */
  const isCovered = (element: Element, style: CSSStyleDeclaration): boolean => {
    if (style.position === "static" || !(Number.parseInt(style.zIndex, 10) < 0)) return false;
    for (let at = toParent.call(element); at && at !== root; at = toParent.call(at)) {
      const around = getComputedStyle(at);
      const isContext =
        around.zIndex !== "auto" ||
        around.transform !== "none" ||
        around.opacity !== "1" ||
        around.isolation === "isolate";
      if (isContext || /fixed|sticky/.test(around.position)) return false;
      // The background of the body is painted behind everything.
      if (toName.call(at) !== "body" && (around.backgroundImage !== "none" || /^rgb\(/.test(around.backgroundColor)))
        return true;
    }
    return false;
  };

  const measure = (element: Element, outer: Outer): Outer & { own: number } => {
    const style = getComputedStyle(element);
    // The content of a custom element that the element doesn't show has no styles.
    if (style.display === "") return { ...outer, own: outer.bits };
    // Browsers clip the contents of images, which have no size until they are loaded.
    const isReplaced = /^(?:img|video|canvas|iframe|embed|object)$/.test(toName.call(element));
    const values = {
      size: 1,
      get: (name: string) => (isReplaced && name === "overflow" ? "visible" : style.getPropertyValue(name)),
    } as unknown as ReadonlyMap<string, string>;
    const text = inheritVisibility(VISIBLE, values);
    const background = backgroundOf(style, outer.background);
    const isBackgroundInText = outer.isBackgroundInText || style.backgroundClip.includes("text");
    let bits =
      (text.isHidden ? COMPUTED.hidden : 0) |
      (text.isTiny ? COMPUTED.tiny : 0) |
      (text.isIndented ? COMPUTED.indented : 0);
    if (!hasText(element)) bits |= outer.bits & COMPUTED.noContrast;
    else if (lacksContrast(element, style, { background, isBackgroundInText })) bits |= COMPUTED.noContrast;
    let own = bits;
    if (isHidden(values) || isCovered(element, style)) own |= COMPUTED.gone;
    if (isTransparent(values)) own |= COMPUTED.transparent | (hasMotion(values) ? COMPUTED.motion : 0);
    return { bits, background, isBackgroundInText, own };
  };

  const visit = (element: Element, outer: Outer, isShown: boolean): void => {
    const name = toName.call(element).toLowerCase();
    for (let i = 0; i < name.length; i++) hash = Math.imul(hash ^ name.charCodeAt(i), 0x01000193);
    const index = count++;
    isLate ||= count > maxElements || (count % 256 === 0 && performance.now() > deadline);
    if (isLate) return;
    let inner = outer;
    const isMeasured = isShown && !NOT_SHOWN.test(name);
    if (isMeasured) {
      const isPage = name === "html" || name === "body";
      const { own, ...inherited } = measure(element, outer);
      inner = inherited;
      if (!isPage && own !== (outer.bits & INHERITED)) {
        report.push(index - last, own);
        last = index;
      }
    }
    if (!walker.firstChild()) return;
    do visit(walker.currentNode as Element, inner, isMeasured);
    while (!isLate && walker.nextSibling());
    walker.parentNode();
  };

  visit(root, { bits: 0, background: toCanvas(), isBackgroundInText: false }, true);
  return isLate ? null : [count, hash >>> 0, ...report].join(" ");
};
