import type { Declaration } from "../css/declarations";
import type { Rule } from "../css/sheet";
import { type Color, isSameColor, parseBackground, parseColor } from "../css/values";
import { mayHide } from "./style-visibility";

const SIZES =
  "overflow width height max-width max-height min-width min-height flex-grow padding-top padding-bottom".split(" ");
const OFFSETS = "position left top right bottom".split(" ");
const COLORS = ["color", "background-color", "background-clip", "text-shadow", "-webkit-text-stroke"];
/** Maps a property that can hide text to the properties that change its effect. */
const RELATED = new Map<string, readonly string[]>([
  ["opacity", ["opacity", "transform", "translate", "filter", "transition", "animation", "will-change"]],
  ["visibility", ["visibility", "transition", "animation"]],
  ["clip", ["clip", "position"]],
  ["color", COLORS],
  ...["width", "height", "max-width", "max-height"].map((name) => [name, SIZES] as const),
  ...["left", "top", "right", "bottom"].map((name) => [name, OFFSETS] as const),
]);

/** Returns the properties that, together with the given one, decide whether an element is hidden. */
export function relatedTo(name: string): readonly string[] {
  return RELATED.get(name) ?? [name];
}

/** More different backgrounds than this aren't compared with each color. Every color may hide text then. */
const MAX_BACKGROUNDS = 200;

/** Finds the declarations that can hide an element. */
export class HidingDeclarations {
  readonly #backgrounds: Color[];
  readonly #hasManyBackgrounds: boolean;
  readonly #colors = new Map<string, boolean>();

  /** `rules`: the rules of the page's style sheets whose selectors can match. */
  constructor(rules: readonly Rule[]) {
    const values = new Set<string>();
    for (const { declarations } of rules)
      for (const { name, value } of declarations) if (name === "background-color") values.add(value);
    this.#hasManyBackgrounds = values.size > MAX_BACKGROUNDS;
    this.#backgrounds = this.#hasManyBackgrounds ? [] : [...values].map(parseBackground).filter((one) => one !== null);
  }

  /**
   * Returns true if an element with the declaration can be hidden. A color can only hide text if it's transparent, or
   * similar to one of the page's backgrounds.
   */
  has({ name, value }: Declaration): boolean {
    if (name !== "color") return mayHide(name, value);
    const known = this.#colors.get(value);
    if (known !== undefined) return known;
    const color = parseColor(value);
    const isHiding =
      color === "none" ||
      (color !== null &&
        (this.#hasManyBackgrounds || this.#backgrounds.some((background) => isSameColor(color, background))));
    this.#colors.set(value, isHiding);
    return isHiding;
  }
}
