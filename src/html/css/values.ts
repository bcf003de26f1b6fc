/** The size of CSS units in pixels. It's precise enough for sizes near zero and positions off the screen. */
const UNITS = new Map([
  ["px", 1],
  ["pt", 1.33],
  ["em", 16],
  ["rem", 16],
  ["ex", 8],
  ["ch", 8],
  ["vw", 12.8],
  ["vh", 8],
  ["cm", 38],
  ["mm", 3.8],
  ["in", 96],
]);
const LENGTH = /^(-?(?:\d+(?:\.\d+)?|\.\d+))([a-z]*)$/;

/** Converts a CSS length to pixels. Returns null for percentages and for values that aren't lengths. */
export function toPixels(value: string): number | null {
  const [, number, unit = ""] = LENGTH.exec(value) ?? [];
  if (number === undefined) return null;
  const size = unit === "" ? 1 : UNITS.get(unit);
  return size === undefined ? null : Number(number) * size;
}

export type Color = readonly [red: number, green: number, blue: number];

/** The named colors that pages use to hide text. */
const NAMED: Readonly<Record<string, string>> = {
  white: "#ffffff",
  black: "#000000",
  snow: "#fffafa",
  ivory: "#fffff0",
  whitesmoke: "#f5f5f5",
  gray: "#808080",
  grey: "#808080",
  red: "#ff0000",
  yellow: "#ffff00",
  blue: "#0000ff",
  green: "#008000",
};
/** Two colors look the same if their red, green and blue components each differ by at most this. */
const MAX_DIFFERENCE = 8;
const MAX_ALPHA = 0.02;

/** Parses a color. Returns "none" if it's transparent, and null if it's unknown. */
export function parseColor(value: string): Color | "none" | null {
  if (value === "transparent") return "none";
  const hex = /^#([\da-f]{3,8})$/.exec(value)?.[1];
  if (hex !== undefined) return fromHex(hex);
  const [, kind, inside] = /^(rgb|hsl)a?\(([^()]*)\)$/.exec(value) ?? [];
  if (inside === undefined) return Object.hasOwn(NAMED, value) ? parseColor(NAMED[value] ?? "") : null;
  const [first = "", second = "", third = "", alpha = "1"] = inside.split(/[\s,/]+/).filter(Boolean);
  if (Number.parseFloat(alpha) / (alpha.endsWith("%") ? 100 : 1) <= MAX_ALPHA) return "none";
  if (kind === "hsl") return fromHsl(Number.parseFloat(first), toShare(second), toShare(third));
  return [toComponent(first), toComponent(second), toComponent(third)];
}

function toComponent(value: string): number {
  return Number.parseFloat(value) * (value.endsWith("%") ? 2.55 : 1);
}

function toShare(percent: string): number {
  return Number.parseFloat(percent) / 100;
}

/** Converts HSL to RGB: https://www.w3.org/TR/css-color-4/#hsl-to-rgb */
function fromHsl(hue: number, saturation: number, lightness: number): Color {
  const span = saturation * Math.min(lightness, 1 - lightness);
  const at = (offset: number) => {
    const turn = (offset + hue / 30) % 12;
    return 255 * (lightness - span * Math.max(-1, Math.min(turn - 3, 9 - turn, 1)));
  };
  return [at(0), at(8), at(4)];
}

/** Parses a background color. Returns null if the background is missing, transparent or an image. */
export function parseBackground(value: string | undefined): Color | null {
  const color = value === undefined ? null : parseColor(value);
  return color === "none" ? null : color;
}

/** Returns true if a reader can't distinguish the two colors. */
export function isSameColor(one: Color, other: Color): boolean {
  return one.every((component, at) => Math.abs(component - (other[at] ?? 0)) <= MAX_DIFFERENCE);
}

function fromHex(hex: string): Color | "none" | null {
  const digits = hex.length < 6 ? hex.replace(/./g, "$&$&") : hex;
  const [red, green, blue, alpha = 255] = Array.from(digits.matchAll(/../g), ([pair]) => Number.parseInt(pair, 16));
  if (red === undefined || green === undefined || blue === undefined) return null;
  return alpha <= MAX_ALPHA * 255 ? "none" : [red, green, blue];
}
