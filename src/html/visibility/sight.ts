import { backgroundOf, colourOf, isSame } from "../css/colour";
import type { Style } from "../css/declarations";
import { isNarrow, isZeroPadding, pixels } from "../css/length";

/** What words inherit from the elements around. */
export interface Sight {
  isHidden: boolean;
  isTiny: boolean;
  isIndented: boolean;
  /** In the colour of what they stand on. */
  isInkless: boolean;
}

export const PLAIN: Sight = { isHidden: false, isTiny: false, isIndented: false, isInkless: false };

/** Nobody reads letters of this size. */
const MAX_TINY_PX = 1;
const MAX_TINY_PERCENT = 5;
const MAX_OPACITY = 0.02;
/** Far off: carousels move by a few screens. */
const FAR_PX = 1_500;
const VERY_FAR_PX = 5_000;
/** The number by which everybody pushes things off the screen. */
const OFF_SCREEN = /-(?:9{3,}|1?0?0{4,})(?:\.\d+)?(?:px|em|rem|vw|vh|%)/;

/** Whether an element with all inside of it can't be seen, whatever is said inside. */
export function isUnseen(style: Style): boolean {
  if (style.size === 0) return false;
  const value = (name: string) => style.get(name) ?? "";
  if (value("display") === "none" || value("content-visibility") === "hidden") return true;
  if (isTransparent(value("opacity")) || isTransparent(/^opacity\((.*)\)$/.exec(value("filter"))?.[1] ?? ""))
    return true;
  return isSizeless(style) || isClipped(style) || isOffScreen(style);
}

/** What the words of an element inherit, given what it inherits itself. */
export function inherit(outer: Sight, style: Style): Sight {
  if (style.size === 0) return outer;
  const visibility = style.get("visibility");
  const size = style.get("font-size");
  const indent = style.get("text-indent");
  return {
    isHidden: isKept(visibility) ? outer.isHidden : visibility === "hidden" || visibility === "collapse",
    isTiny: isKept(size) ? outer.isTiny : isTiny(size, outer.isTiny),
    isIndented: isKept(indent) ? outer.isIndented : (pixels(indent) ?? 0) <= -FAR_PX || OFF_SCREEN.test(indent),
    isInkless: isInkless(outer.isInkless, style),
  };
}

export function isSeen({ isHidden, isTiny, isIndented, isInkless }: Sight): boolean {
  return !(isHidden || isTiny || isIndented || isInkless);
}

function isKept(value: string | undefined): value is undefined {
  return value === undefined || value === "inherit" || value === "unset";
}

/** Of nothing, "em" and "%" are nothing. */
function isTiny(size: string, isOuterTiny: boolean): boolean {
  const relative = /^(\d*\.?\d+)(em|%)$/.exec(size);
  if (relative) {
    const percent = Number(relative[1]) * (relative[2] === "em" ? 100 : 1);
    return isOuterTiny || percent <= MAX_TINY_PERCENT;
  }
  const length = pixels(size);
  return length !== null && length <= MAX_TINY_PX;
}

function isInkless(outer: boolean, style: Style): boolean {
  const ink = style.get("color");
  const ground = backgroundOf(style.get("background-color"));
  if (isKept(ink)) return outer && ground === null;
  const colour = colourOf(ink);
  if (colour === null) return false;
  // Letters that are cut out of a picture or a gradient.
  if (colour === "none") return !style.get("background-clip")?.includes("text");
  return ground !== null && isSame(colour, ground);
}

function isTransparent(opacity: string): boolean {
  const number = Number.parseFloat(opacity) / (opacity.endsWith("%") ? 100 : 1);
  return number <= MAX_OPACITY;
}

/** Without width or height, and nothing sticks out. */
function isSizeless(style: Style): boolean {
  if (!/hidden|clip/.test(style.get("overflow") ?? "")) return false;
  const isFlat = isNarrow(style.get("height")) || isNarrow(style.get("max-height"));
  // A picture is laid into the padding, to keep its proportions.
  if (isFlat && isZeroPadding(style) && !isTall(style.get("min-height"))) return true;
  return isNarrow(style.get("width")) || isNarrow(style.get("max-width"));
}

function isTall(height: string | undefined): boolean {
  return height !== undefined && height !== "auto" && !isNarrow(height);
}

function isClipped(style: Style): boolean {
  const clip = style.get("clip") ?? "";
  const rect = /^rect\((.*)\)$/.exec(clip)?.[1];
  if (rect !== undefined && isPlaced(style)) {
    const [top = 0, right = 0, bottom = 0, left = 0] = rect
      .split(/[\s,]+/)
      .filter(Boolean)
      .map(Number.parseFloat);
    if (right - left <= 1 || bottom - top <= 1) return true;
  }
  return isNothing(style.get("clip-path") ?? "");
}

/** A shape without an area. */
function isNothing(shape: string): boolean {
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

function isPlaced(style: Style): boolean {
  return /absolute|fixed/.test(style.get("position") ?? "");
}

function isOffScreen(style: Style): boolean {
  const isFar = (name: string, px: number) => {
    const value = style.get(name) ?? "";
    // A window's width to the side.
    if (/^(?:left|right)$/.test(name) && value.endsWith("vw") && Number.parseFloat(value) <= -100) return true;
    return (pixels(value) ?? 0) <= -px || OFF_SCREEN.test(value);
  };
  const isMoved = /absolute|fixed|relative|sticky/.test(style.get("position") ?? "");
  const room = isPlaced(style) ? FAR_PX : VERY_FAR_PX;
  if (isMoved && ["left", "top", "right", "bottom"].some((name) => isFar(name, room))) return true;
  if (["margin-left", "margin-top", "margin-right"].some((name) => isFar(name, VERY_FAR_PX))) return true;
  if (OFF_SCREEN.test(style.get("translate") ?? "") || isShrunk(style)) return true;
  const transform = style.get("transform") ?? "";
  return OFF_SCREEN.test(transform) || /scale(?:3d|x|y)?\(\s*0?\.?0*\s*[,)]/.test(transform);
}

/** To browsers, a zoom of nothing is none. */
function isShrunk(style: Style): boolean {
  const zoom = style.get("zoom");
  const factor = zoom === undefined ? 1 : Number.parseFloat(zoom) / (zoom.endsWith("%") ? 100 : 1);
  if (factor > 0 && factor <= MAX_TINY_PERCENT / 100) return true;
  return /^0?\.?0*%?(?:\s|$)/.test(style.get("scale") ?? "1");
}
