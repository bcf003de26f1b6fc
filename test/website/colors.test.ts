import { expect, it } from "vitest";
import { toColorSheet } from "../../src/website/colors";

/** The contrast of two colors as WCAG 2.2 defines it. */
function contrastOf(a: string, b: string): number {
  const toLuminance = (color: string) => {
    const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
      const value = Number.parseInt(color.slice(at, at + 2), 16) / 255;
      return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05;
  };
  const ratio = toLuminance(a) / toLuminance(b);
  return Math.max(ratio, 1 / ratio);
}

it.each(["#000000", "#ffffff", "#ffff00", "#0000ff", "#ff0000", "#00ff00", "#777777", "#635bff", "#0b6b5f", "#fafafa"])(
  "makes texts in the color %s readable in the light and the dark scheme",
  (color) => {
    const [light = "", dark = ""] = toColorSheet(color).split("@media (prefers-color-scheme:dark)");
    for (const [sheet, surface] of [
      [light, "#ffffff"],
      [dark, "#191f28"],
    ] as const) {
      const colors = Object.fromEntries([...sheet.matchAll(/--([\w-]+):(#[0-9a-f]{6})/g)].map(([, n, c]) => [n, c]));
      for (const background of [surface, colors["accent-soft"] ?? ""])
        expect(contrastOf(colors.accent ?? "", background)).toBeGreaterThanOrEqual(4.5);
      for (const button of ["button", "button-strong"])
        expect(contrastOf(colors["on-button"] ?? "", colors[button] ?? "")).toBeGreaterThanOrEqual(4.5);
    }
  },
);

it("keeps a color that is readable", () => {
  expect(toColorSheet("#0b6b5f")).toContain("--accent:#0b6b5f;");
  expect(toColorSheet("#ffd500")).toContain("--button:#ffd500;");
});
