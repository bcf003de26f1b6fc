import type { Style } from "../css/declarations";
import { isSameColor, parseBackground, parseColor, toPixels } from "../css/values";
import { COMPUTED } from "../parse/computed-visibility";

/** The bits of `COMPUTED` that describe the text in an element. Its child elements inherit them. */
export const INHERITED = COMPUTED.hidden | COMPUTED.tiny | COMPUTED.indented | COMPUTED.noContrast;

/** Fonts of this size and below are too small to read. */
const MAX_TINY_PX = 1;
const MAX_TINY_PERCENT = 5;
const MAX_OPACITY = 0.02;
/**
 * Text or an element that is moved by this many pixels is certainly off the screen. Smaller distances don't count,
 * because carousels move their slides by a few screens.
 */
const FAR_PX = 1_500;
const VERY_FAR_PX = 5_000;
/** Lengths that style sheets conventionally use to move elements off the screen, such as -9999px. */
const OFF_SCREEN = /-(?:9{3,}|1?0?0{4,})(?:\.\d+)?(?:px|em|rem|vw|vh|%)/;

/** Matches a transform as browsers compute it. */
const MATRIX = /^matrix\(([-\d.e]+), ([-\d.e]+), ([-\d.e]+), ([-\d.e]+), ([-\d.e]+), ([-\d.e]+)\)$/;

/**
 * Returns true if the style removes the element with all its contents from view. The styles of its descendants have no
 * effect then. Doesn't consider the opacity.
 */
export function isHidden(style: Style): boolean {
  if (style.get("display") === "none" || style.get("content-visibility") === "hidden") return true;
  return isSizeless(style) || isClipped(style) || isOffScreen(style);
}

/** Returns true if the opacity hides the element with all its contents. */
export function isTransparent(style: Style): boolean {
  return isZeroOpacity(style.get("opacity") ?? "") || isZeroOpacity(filterOpacity(style.get("filter") ?? ""));
}

/** Returns true if a style moves, blurs or animates its element. Pages show such an element later. */
export function hasMotion(style: Style): boolean {
  const isSet = (name: string) => !/^(?:(?:none|all|auto|initial|unset|0s)(?: 0s.*)?)?$/.test(style.get(name) ?? "");
  return (
    ["transition", "animation", "will-change", "transform", "translate"].some(isSet) ||
    /blur/.test(style.get("filter") ?? "")
  );
}

/** The other properties with which a value hides an element. */
const PROBE: readonly (readonly [string, string])[] = [
  ["position", "absolute"],
  ["overflow", "hidden"],
];

/** Matches values that hide nothing with any property: most words, and numbers from 10. */
const HARMLESS = /^(?:(?!(?:none|hidden|collapse|transparent)$)[a-z-]+|[1-9]\d[\d.]*[a-z%]*)$/;

/** Returns true if an element with this value of a property can be hidden. */
export function mayHide(name: string, value: string): boolean {
  if (HARMLESS.test(value)) return false;
  const probe = new Map([...PROBE, [name, value] as const]);
  return isHidden(probe) || isTransparent(probe) || inheritVisibility(0, probe) !== 0;
}

/** Returns the bits that apply to the text of an element with this style. `outer` are the bits of its parent. */
export function inheritVisibility(outer: number, style: Style): number {
  const inherit = (bit: number, name: string, test: (value: string, isOuter: boolean) => boolean) => {
    const value = style.get(name);
    const isOuter = (outer & bit) !== 0;
    return (isInherited(value) ? isOuter : test(value, isOuter)) ? bit : 0;
  };
  return (
    inherit(COMPUTED.hidden, "visibility", (value) => value === "hidden" || value === "collapse") |
    inherit(COMPUTED.tiny, "font-size", isTiny) |
    inherit(COMPUTED.indented, "text-indent", isFarIndent) |
    (hasNoContrast((outer & COMPUTED.noContrast) !== 0, style) ? COMPUTED.noContrast : 0)
  );
}

function isInherited(value: string | undefined): value is undefined {
  return value === undefined || value === "inherit" || value === "unset";
}

/** Returns true if a font size can't be read. Relative sizes depend on the parent's font. */
function isTiny(size: string, isOuterTiny: boolean): boolean {
  const relative = /^(\d+(?:\.\d+)?|\.\d+)(em|%)$/.exec(size);
  if (relative) {
    const percent = Number(relative[1]) * (relative[2] === "em" ? 100 : 1);
    return isOuterTiny || percent <= MAX_TINY_PERCENT;
  }
  const length = toPixels(size);
  return length !== null && length <= MAX_TINY_PX;
}

function hasNoContrast(outer: boolean, style: Style): boolean {
  const value = style.get("color");
  const background = parseBackground(style.get("background-color"));
  if (isInherited(value)) return outer && background === null;
  const color = parseColor(value);
  if (color === null) return false;
  // With `background-clip: text`, a background image or gradient shows through the transparent text.
  if (color === "none") return !style.get("background-clip")?.includes("text") && !isOutlined(style);
  return background !== null && isSameColor(color, background);
}

/** Returns true if transparent text has a visible outline or shadow. */
function isOutlined(style: Style): boolean {
  const isSet = (value = "none") => !/^(?:none|initial|unset|0(?:px)?)(?: #?\w+)?$/.test(value);
  return isSet(style.get("text-shadow")) || isSet(style.get("-webkit-text-stroke"));
}

function isFarIndent(indent: string): boolean {
  return (toPixels(indent) ?? 0) <= -FAR_PX || OFF_SCREEN.test(indent);
}

function filterOpacity(filter: string): string {
  return /^opacity\((.*)\)$/.exec(filter)?.[1] ?? "";
}

function isZeroOpacity(opacity: string): boolean {
  const number = Number.parseFloat(opacity) / (opacity.endsWith("%") ? 100 : 1);
  return number <= MAX_OPACITY;
}

function isSizeless(style: Style): boolean {
  if (!/hidden|clip/.test(style.get("overflow") ?? "")) return false;
  // An item of a flex container can grow beyond its width or height.
  const grows = Number.parseFloat(style.get("flex-grow") ?? "0") > 0 || style.get("flex-grow") === "auto";
  const isFlat = (isNarrow(style.get("height")) && !grows) || isNarrow(style.get("max-height"));
  // An element without a height can still show an image in its padding. Pages use such padding to keep the image's
  // aspect ratio.
  if (isFlat && isZeroPadding(style) && !isTall(style.get("min-height"))) return true;
  return (isNarrow(style.get("width")) && !grows) || isNarrow(style.get("max-width"));
}

/** Returns true for a length of at most one pixel, or at most one percent. */
function isNarrow(value: string | undefined): boolean {
  if (value === undefined) return false;
  const length = toPixels(value.replace(/^(-?[\d.]+)%$/, "$1px"));
  return length !== null && length <= 1;
}

function isZeroPadding(style: Style): boolean {
  return ["padding-top", "padding-bottom"].every((side) => Number.parseFloat(style.get(side) ?? "0") === 0);
}

function isTall(height: string | undefined): boolean {
  return height !== undefined && height !== "auto" && !isNarrow(height);
}

function isClipped(style: Style): boolean {
  const rect = isPositioned(style) ? /^rect\((.*)\)$/.exec(style.get("clip") ?? "")?.[1] : undefined;
  if (rect !== undefined) {
    const [top = 0, right = 0, bottom = 0, left = 0] = rect
      .split(/[\s,]+/)
      .filter(Boolean)
      .map(Number.parseFloat);
    if (right - left <= 1 || bottom - top <= 1) return true;
  }
  return isEmptyShape(style.get("clip-path") ?? "");
}

/** Returns true if a `clip-path` shape has no area. */
function isEmptyShape(shape: string): boolean {
  const [, name, inside = ""] = /^(inset|circle|ellipse|polygon)\((.*)\)$/.exec(shape) ?? [];
  if (name === "inset") {
    const [top = 0, right = top, bottom = top, left = right] = inside
      .split(/\s+/)
      .map((side) => (side.endsWith("%") ? Number.parseFloat(side) : 0));
    return top + bottom >= 100 || left + right >= 100;
  }
  if (name === "polygon") return new Set(inside.split(",").map((point) => point.trim())).size < 3;
  return name !== undefined && /^0(?:px|%)?(?:\s|$)/.test(inside);
}

function isPositioned(style: Style): boolean {
  return /absolute|fixed/.test(style.get("position") ?? "");
}

function isOffScreen(style: Style): boolean {
  const isFar = (name: string, px: number) => {
    const value = style.get(name) ?? "";
    // A value of -100vw or less moves the element sideways by at least the width of the viewport.
    if (/^(?:left|right)$/.test(name) && value.endsWith("vw") && Number.parseFloat(value) <= -100) return true;
    return (toPixels(value) ?? 0) <= -px || OFF_SCREEN.test(value);
  };
  const isMoved = /absolute|fixed|relative|sticky/.test(style.get("position") ?? "");
  const distance = isPositioned(style) ? FAR_PX : VERY_FAR_PX;
  if (isMoved && ["left", "top", "right", "bottom"].some((name) => isFar(name, distance))) return true;
  if (["margin-left", "margin-top", "margin-right"].some((name) => isFar(name, VERY_FAR_PX))) return true;
  if (OFF_SCREEN.test(style.get("translate") ?? "") || isShrunk(style)) return true;
  const transform = style.get("transform") ?? "";
  const matrix = MATRIX.exec(transform)?.slice(1).map(Number);
  if (matrix) {
    const [a = 1, b = 0, c = 0, d = 1, x = 0, y = 0] = matrix;
    return a * d === b * c || x <= -VERY_FAR_PX || y <= -VERY_FAR_PX;
  }
  return OFF_SCREEN.test(transform) || /scale(?:3d|x|y)?\(\s*(?:(?:0?\.0*|0+)\s*)?[,)]/.test(transform);
}

/** Returns true if the element is scaled down until it can't be seen. Browsers ignore a zoom of zero. */
function isShrunk(style: Style): boolean {
  const zoom = style.get("zoom");
  const factor = zoom === undefined ? 1 : Number.parseFloat(zoom) / (zoom.endsWith("%") ? 100 : 1);
  if (factor > 0 && factor <= MAX_TINY_PERCENT / 100) return true;
  return /^0?\.?0*%?(?:\s|$)/.test(style.get("scale") ?? "1");
}
