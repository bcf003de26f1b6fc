import aliases from "./property-aliases.json";

/** A CSS declaration of a property that can hide text, such as `display: none`. */
export interface Declaration {
  name: string;
  /** The value in lower case, with white space collapsed. */
  value: string;
  isImportant: boolean;
}

/** The values that apply to an element. The keys are the property names in `NAMES`. */
export type Style = ReadonlyMap<string, string>;

/** The maximum length of a value. Longer values are images and gradients, which don't affect visibility. */
const MAX_VALUE_CHARS = 300;
const ESCAPE = /\\(?:([\da-f]{1,6})\s?|([^\n]))/gi;
export const COMMENT = /\/\*[\s\S]*?(?:\*\/|$)/g;
const IMPORTANT = "!important";
/** Matches the size in `font: 0/0 a`. A slash or the font family follows the size. */
const FONT_SIZE = /(?:^|\s)((?:\d+(?:\.\d+)?|\.\d+)(?:px|pt|em|rem|%)?)(?=\/|\s)/;

/** The properties that can hide text, and those that tell whether a script or an animation shows it later. */
const NAMES = new Set(
  (
    "display visibility content-visibility opacity filter font-size width height max-width max-height min-width min-height " +
    "overflow clip clip-path position left top right bottom margin-left margin-right margin-top text-indent transform " +
    "scale translate zoom color background-color background-clip text-shadow -webkit-text-stroke padding-top padding-bottom " +
    "flex-grow transition animation will-change"
  ).split(" "),
);
const ALIASES = new Map(Object.entries(aliases));
const KNOWN = new Set([...NAMES, ...ALIASES.keys(), "inset", "margin", "padding", "font"]);

/** Parses the declarations of a style attribute or a rule. Leaves out properties that can't hide text. */
export function parseDeclarations(style: string): Declaration[] {
  const declarations: Declaration[] = [];
  const css = style.includes("/*") ? style.replace(COMMENT, "") : style;
  for (const part of css.split(";")) {
    const colon = part.indexOf(":");
    if (colon < 0 || part.length > MAX_VALUE_CHARS) continue;
    const name = withoutEscapes(part.slice(0, colon)).trim().toLowerCase();
    if (!KNOWN.has(name)) continue;
    const written = withoutEscapes(part.slice(colon + 1))
      .toLowerCase()
      .replace(/\s+/g, " ")
      .replace("! ", "!")
      .trim();
    const isImportant = written.endsWith(IMPORTANT);
    const value = isImportant ? written.slice(0, -IMPORTANT.length).trim() : written;
    const add = (longhand: string, own: string) => {
      if (NAMES.has(longhand) && own !== "") declarations.push({ name: longhand, value: own, isImportant });
    };
    if (name === "inset") expandSides("", value, add);
    else if (name === "margin" || name === "padding") expandSides(`${name}-`, value, add);
    else if (name === "font") add("font-size", FONT_SIZE.exec(value)?.[1] ?? "medium");
    else add(ALIASES.get(name) ?? name, value);
  }
  return declarations;
}

function expandSides(prefix: string, value: string, add: (name: string, value: string) => void): void {
  const [top = "", right = top, bottom = top, left = right] = value.includes("(") ? [] : value.split(" ");
  add(`${prefix}top`, top);
  add(`${prefix}right`, right);
  add(`${prefix}bottom`, bottom);
  add(`${prefix}left`, left);
}

function withoutEscapes(css: string): string {
  if (!css.includes("\\")) return css;
  return css.replace(ESCAPE, (_, hex: string | undefined, character: string | undefined) => {
    if (character !== undefined) return character;
    const code = Number.parseInt(hex ?? "", 16);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : "\ufffd";
  });
}
