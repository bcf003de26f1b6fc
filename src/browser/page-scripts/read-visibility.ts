import { type Color, isSameColor, parseColor } from "../../html/css/values";
import { COMPUTED } from "../../html/parse/computed-visibility";
import {
  hasMotion,
  INHERITED,
  inheritVisibility,
  isHidden,
  isTransparent,
} from "../../html/visibility/style-visibility";
import { toGetter } from "./shared/natives";
import type { PageScripts } from "./shared/script-types";
import { findUnusedProperties } from "./shared/unused-properties";

/** The properties that an element inherits. */
interface Outer {
  bits: number;
  /** The color behind the text, or null if it isn't known. */
  background: string | null;
  /** True if the background of an element is painted only behind its text (`background-clip: text`). */
  isBackgroundInText: boolean;
}

/** An element around the current one. `outer` is null if the element isn't measured, with all its contents. */
interface Around {
  element: Element;
  outer: Outer | null;
}

/**
 * Returns the computed visibility of the page's elements, in the format of `parseComputed`. Returns null if the page has
 * more than `maxElements` elements, or if reading them takes longer than `maxMs`.
 *
 * Reading one property of one element takes about half a microsecond. Therefore the script first finds the properties
 * that the page never sets, and doesn't read them.
 */
export const readVisibility: PageScripts["readVisibility"] = (maxElements, maxMs) => {
  const NOT_SHOWN = /^(?:head|script|style|template|noscript|svg|math)$/;
  const REPLACED = /^(?:img|video|canvas|iframe|embed|object)$/;
  /** The elements that may have such a property, although the page doesn't set it. */
  const STYLED =
    /^(?:audio|button|canvas|dialog|embed|fieldset|frame|frameset|hr|iframe|img|input|marquee|meter|object|optgroup|option|progress|select|textarea|video)$/;
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
  const elements = Document.prototype.querySelectorAll.call(document, "*");
  if (elements.length > maxElements) return null;
  const deadline = performance.now() + maxMs;
  let painted: { element: Element; box: DOMRect }[] | null = null;

  const unused = findUnusedProperties(elements);
  const usesAny = (names: string) => names.split(" ").some((name) => !unused.has(name));
  const usesText = usesAny("visibility font-size text-indent");
  const usesColor = usesAny("color");
  const usesOpacity = usesAny("opacity filter");
  const usesBoxes = usesAny("content-visibility overflow position clip-path margin translate scale zoom transform");

  /** The style of the current element. */
  let style = getComputedStyle(root);
  let [isStyled, isReplaced] = [false, false];
  let [position, margin]: (string | null)[] = [null, null];
  const values = {
    size: 1,
    get: (name: string): string | undefined => {
      if (!isStyled && unused.has(name)) return undefined;
      if (name === "position") {
        position ??= style.position;
        return position;
      }
      if (name.startsWith("margin-")) {
        if (!isStyled && unused.has("margin")) return undefined;
        margin ??= style.margin;
        return margin.includes("-") ? style.getPropertyValue(name) : undefined;
      }
      // Browsers clip the contents of images, which have no size until they are loaded.
      return isReplaced && name === "overflow" ? "visible" : style.getPropertyValue(name);
    },
  } as unknown as ReadonlyMap<string, string>;

  const colors = new Map<string, ReturnType<typeof parseColor>>();
  const toColor = (text: string): ReturnType<typeof parseColor> => {
    let color = colors.get(text);
    if (color === undefined) {
      color = parseColor(text);
      colors.set(text, color);
    }
    return color;
  };

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
      if (!isMedia && (backgroundImage || "none") === "none" && toColor(backgroundColor) === "none") continue;
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
        const painted = toColor(backgroundColor);
        const isSame = painted === "none" || (Array.isArray(painted) && isSameColor(painted, color as Color));
        if (/^(?:none|normal)$/.test(content) || (backgroundImage === "none" && isSame)) continue;
        if (Number.parseFloat(width) >= own.width / 2 && Number.parseFloat(height) >= own.height / 2) return true;
      }
    }
    return false;
  };

  /** Returns the color behind the text of an element, or null if it isn't known. */
  const backgroundOf = (outer: string | null): string | null => {
    if ((values.get("background-image") ?? "none") !== "none") return null;
    const { backgroundColor } = style;
    if (toColor(backgroundColor) === "none") return outer;
    return backgroundColor.startsWith("rgb(") ? backgroundColor : null;
  };

  const hasOutline = (): boolean => style.textShadow !== "none" || Number.parseFloat(style.webkitTextStrokeWidth) > 0;

  const lacksContrast = (element: Element, background: string | null, isBackgroundInText: boolean): boolean => {
    const fill = style.getPropertyValue("-webkit-text-fill-color") || style.color;
    const color = toColor(fill);
    if (color === "none") return !isBackgroundInText && !hasOutline();
    const behind = background === null ? null : toColor(background);
    if (color === null || behind === null || behind === "none" || !isSameColor(color, behind)) return false;
    return !hasOutline() && !isOverOther(element) && !isOverPseudo(element, color);
  };

  /** Returns the color of the page's canvas, or null if the page declares a dark one. */
  const toCanvas = (): string | null => {
    const meta = Document.prototype.querySelector.call(document, "meta[name='color-scheme' i]");
    const scheme = `${getComputedStyle(root).colorScheme} ${meta && Element.prototype.getAttribute.call(meta, "content")}`;
    return /dark/i.test(scheme) && !/light/i.test(scheme) ? null : "rgb(255, 255, 255)";
  };

  /** Returns true if an element with a negative z-index is behind the background of an element around it. */
  const isCovered = (element: Element): boolean => {
    if ((values.get("position") ?? "static") === "static") return false;
    if (!(Number.parseInt(values.get("z-index") ?? "auto", 10) < 0)) return false;
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

  const measure = (element: Element, name: string, outer: Outer): Outer & { own: number } => {
    style = getComputedStyle(element);
    const { display } = style;
    // The content of a custom element that the element doesn't show has no styles.
    if (display === "") return { ...outer, own: outer.bits };
    [position, margin] = [null, null];
    isStyled = STYLED.test(name);
    isReplaced = isStyled && REPLACED.test(name);
    let bits = usesText || isStyled ? inheritVisibility(0, values) & ~COMPUTED.noContrast : 0;
    let { background, isBackgroundInText } = outer;
    if (usesColor || isStyled || (outer.bits & COMPUTED.noContrast) !== 0) {
      background = backgroundOf(background);
      isBackgroundInText ||= (values.get("background-clip") ?? "").includes("text");
      if (!hasText(element)) bits |= outer.bits & COMPUTED.noContrast;
      else if (lacksContrast(element, background, isBackgroundInText)) bits |= COMPUTED.noContrast;
    }
    let own = bits;
    if (display === "none" || ((usesBoxes || isStyled) && (isHidden(values) || isCovered(element))))
      own |= COMPUTED.gone;
    if ((usesOpacity || isStyled) && isTransparent(values))
      own |= COMPUTED.transparent | (hasMotion(values) ? COMPUTED.motion : 0);
    return { bits, background, isBackgroundInText, own };
  };

  const report: number[] = [];
  let [hash, last] = [0x811c9dc5, 0];
  const around: Around[] = [{ element: root, outer: { bits: 0, background: toCanvas(), isBackgroundInText: false } }];
  for (let index = 0; index < elements.length; index++) {
    const element = elements[index] as Element;
    const name = toName.call(element).toLowerCase();
    for (let i = 0; i < name.length; i++) hash = Math.imul(hash ^ name.charCodeAt(i), 0x01000193);
    if (index % 256 === 255 && performance.now() > deadline) return null;
    const parent = toParent.call(element);
    while (index > 0 && around.length > 1 && around.at(-1)?.element !== parent) around.pop();
    const outer = around.at(-1)?.outer ?? null;
    if (outer === null || NOT_SHOWN.test(name)) {
      around.push({ element, outer: null });
      continue;
    }
    const { own, ...inner } = measure(element, name, outer);
    around.push({ element, outer: inner });
    if (name !== "html" && name !== "body" && own !== (outer.bits & INHERITED)) {
      report.push(index - last, own);
      last = index;
    }
  }
  return [elements.length, hash >>> 0, ...report].join(" ");
};
