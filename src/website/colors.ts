// The style sheet for the operator's color.

type Rgb = readonly [number, number, number];

const WHITE: Rgb = [255, 255, 255];
const BLACK: Rgb = [0, 0, 0];
/** The background of cards in assets/dashboard/base.css, in the light and in the dark scheme. */
const SURFACES = { light: WHITE, dark: [25, 31, 40] } as const;
/** The contrast that WCAG 2.2 (1.4.3) requires for text, with a margin for the rounding of colors. */
const MIN_CONTRAST = 4.6;
/** The contrast at which a large area is visible. Yellow on white has 1.4. */
const MIN_VISIBLE = 1.25;
const STEPS = 100;

/** Returns the style sheet that replaces the accent colors. `color` is `#rrggbb`. */
export function toColorSheet(color: string): string {
  return `:root{${toScheme(color, "light")}}@media (prefers-color-scheme:dark){:root{${toScheme(color, "dark")}}}`;
}

/** Returns the accent colors of a scheme. Moves the color towards black or white until text in it is readable. */
function toScheme(color: string, scheme: "light" | "dark"): string {
  const surface = SURFACES[scheme];
  const end = scheme === "light" ? BLACK : WHITE;
  const base = [1, 3, 5].map((start) => Number.parseInt(color.slice(start, start + 2), 16)) as unknown as Rgb;
  const softOf = (accent: Rgb) => mix(surface, accent, 0.14);
  const isReadable = (accent: Rgb) =>
    toContrast(accent, softOf(accent)) >= MIN_CONTRAST && toContrast(accent, surface) >= MIN_CONTRAST;
  let step = 0;
  while (step < STEPS && !isReadable(mix(base, end, step / STEPS))) step++;
  const accent = mix(base, end, step / STEPS);
  const strong = mix(accent, end, 0.2);
  // The text of a button is black or white, so the button keeps the operator's color if it is visible on its card.
  const button = toContrast(base, surface) >= MIN_VISIBLE ? base : accent;
  const [on, away] = toContrast(button, WHITE) >= toContrast(button, BLACK) ? [WHITE, BLACK] : [BLACK, WHITE];
  const colors = {
    ...{ accent, "accent-strong": strong, "accent-soft": softOf(accent) },
    ...{ button, "button-strong": mix(button, away, 0.2), "on-button": on },
  };
  return Object.entries(colors)
    .map(([name, value]) => `--${name}:${toHex(value)}`)
    .join(";");
}

function mix(from: Rgb, to: Rgb, share: number): Rgb {
  return from.map((value, i) => value + ((to[i] ?? 0) - value) * share) as unknown as Rgb;
}

function toHex(color: Rgb): string {
  return `#${color.map((value) => Math.round(value).toString(16).padStart(2, "0")).join("")}`;
}

/** Returns the contrast ratio of two colors: https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio. */
function toContrast(a: Rgb, b: Rgb): number {
  const [low = 0, high = 0] = [toLuminance(a), toLuminance(b)].sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
}

function toLuminance(color: Rgb): number {
  const [r = 0, g = 0, b = 0] = color.map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
