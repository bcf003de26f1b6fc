import { type ChildNode, Element } from "domhandler";

/** What no reader sees as text: metadata, embedded pages, form fields. */
const NEVER_TEXT = new Set(
  "link meta base title head object embed applet audio video map datalist progress meter param".split(" "),
);
const HIDDEN_STYLE = /display\s*:\s*none|visibility\s*:\s*hidden/i;
/** What style sheets hide, by the class that everyone gives it. */
const HIDDEN_CLASS =
  /^(?:sr-only|visually-?hidden|screen-?reader(?:-text)?|assistive-text|d-print-block|mw-editsection|(?:[\w-]*-)?(?:rollover|tooltip|hovercard|popover|flyout)(?:-[\w-]*)?(?:block|card|content|text|box|body|popup)?)$/i;
/** Longer ones are made by machines, and the pattern's time grows with the square of the length. */
const MAX_CLASS_CHARS = 80;

/**
 * Adds what a reader doesn't see: what is no text, and with `byStyle` what its attributes hide, with `byName` also what class
 * names alone say is hidden.
 */
export function excludeInvisible(
  root: Element,
  excluded: Set<ChildNode>,
  by: { byName: boolean; byStyle?: boolean },
): void {
  const { byName, byStyle = true } = by;
  for (const child of root.children) {
    if (!(child instanceof Element)) continue;
    if (isNoText(child) || (byStyle && isHidden(child)) || (byName && isHiddenByName(child))) excluded.add(child);
    else excludeInvisible(child, excluded, by);
  }
}

function isHiddenByName({ attribs }: Element): boolean {
  const classes = attribs.class?.split(/\s+/) ?? [];
  return classes.some((name) => name.length <= MAX_CLASS_CHARS && HIDDEN_CLASS.test(name));
}

function isNoText(element: Element): boolean {
  const { name, attribs } = element;
  if (name === "template") return attribs.shadowrootmode === undefined;
  if (NEVER_TEXT.has(name)) return true;
  // For readers without scripts: words for them, or the picture that a script would load.
  if (name === "noscript") return !holdsPicture(element);
  return name === "script" && !/^\s*math/i.test(attribs.type ?? "");
}

function isHidden({ attribs }: Element): boolean {
  // One click away, and as much the content as the tab before it.
  if (attribs.role?.toLowerCase() === "tabpanel") return false;
  if (attribs.hidden !== undefined && attribs.hidden.toLowerCase() !== "until-found") return true;
  return attribs.style !== undefined && HIDDEN_STYLE.test(attribs.style);
}

function holdsPicture(element: Element): boolean {
  return element.children.some((child) => child instanceof Element && (child.name === "img" || holdsPicture(child)));
}
