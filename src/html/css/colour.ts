type Colour = readonly [red: number, green: number, blue: number];

/** Those that words are hidden in. */
const NAMED = new Map<string, Colour>([
  ["white", [255, 255, 255]],
  ["black", [0, 0, 0]],
  ["snow", [255, 250, 250]],
  ["ivory", [255, 255, 240]],
  ["whitesmoke", [245, 245, 245]],
  ["gray", [128, 128, 128]],
  ["grey", [128, 128, 128]],
  ["red", [255, 0, 0]],
  ["yellow", [255, 255, 0]],
  ["blue", [0, 0, 255]],
  ["green", [0, 128, 0]],
]);
/** Of each part: nobody tells them apart. */
const SAME_WITHIN = 8;
const MAX_ALPHA = 0.02;

/** "none" for what is transparent; null for what isn't known. */
export function colourOf(value: string): Colour | "none" | null {
  if (value === "transparent") return "none";
  const hex = /^#([\da-f]{3,8})$/.exec(value)?.[1];
  if (hex !== undefined) return fromHex(hex);
  const [, kind, inside] = /^(rgb|hsl)a?\(([^()]*)\)$/.exec(value) ?? [];
  if (inside === undefined) return NAMED.get(value) ?? null;
  const [first = "", second = "", third = "", alpha = "1"] = inside.split(/[\s,/]+/).filter(Boolean);
  if (Number.parseFloat(alpha) / (alpha.endsWith("%") ? 100 : 1) <= MAX_ALPHA) return "none";
  if (kind === "hsl") return fromHsl(Number.parseFloat(first), share(second), share(third));
  return [part(first), part(second), part(third)];
}

function part(value: string): number {
  return Number.parseFloat(value) * (value.endsWith("%") ? 2.55 : 1);
}

function share(percent: string): number {
  return Number.parseFloat(percent) / 100;
}

/** https://www.w3.org/TR/css-color-4/#hsl-to-rgb */
function fromHsl(hue: number, saturation: number, lightness: number): Colour {
  const span = saturation * Math.min(lightness, 1 - lightness);
  const at = (offset: number) => {
    const turn = (offset + hue / 30) % 12;
    return 255 * (lightness - span * Math.max(-1, Math.min(turn - 3, 9 - turn, 1)));
  };
  return [at(0), at(8), at(4)];
}

/** The colour of the ground; null when there is none, or a picture. */
export function backgroundOf(value: string | undefined): Colour | null {
  const colour = value === undefined ? null : colourOf(value);
  return colour === "none" ? null : colour;
}

export function isSame(one: Colour, other: Colour): boolean {
  return one.every((part, at) => Math.abs(part - (other[at] ?? 0)) <= SAME_WITHIN);
}

function fromHex(hex: string): Colour | "none" | null {
  const digits = hex.length < 6 ? hex.replace(/./g, "$&$&") : hex;
  const [red, green, blue, alpha = 255] = Array.from(digits.matchAll(/../g), ([pair]) => Number.parseInt(pair, 16));
  if (red === undefined || green === undefined || blue === undefined) return null;
  return alpha <= MAX_ALPHA * 255 ? "none" : [red, green, blue];
}
