import { type ChildNode, Element } from "domhandler";

/** The elements whose contents browsers never show as text: metadata, embedded pages and form fields. */
const NEVER_TEXT = new Set(
  "link meta base title head object embed applet audio video map datalist progress meter param".split(" "),
);
const HIDDEN_STYLE = /display\s*:\s*none|visibility\s*:\s*hidden/i;
/** Class names that style sheets hide by convention. */
const HIDDEN_CLASS =
  /^(?:sr-only|visually-?hidden|screen-?reader(?:-text)?|assistive-text|d-print-block|mw-editsection|(?:[\w-]*-)?(?:rollover|tooltip|hovercard|popover|flyout)(?:-[\w-]*)?(?:block|card|content|text|box|body|popup)?)$/i;
/**
 * The maximum length of a class name that is matched with `HIDDEN_CLASS`. Longer names are generated, and the pattern's
 * time grows with the square of the length.
 */
const MAX_CLASS_CHARS = 80;

/**
 * Finds the elements below `root` that a reader doesn't see, and adds them to `excluded`. Uses only the markup. Always
 * adds elements that never show text, such as <script>. `byStyle` also adds elements that a `hidden` or `style`
 * attribute hides. `byClass` also adds elements with a class that style sheets hide by convention.
 */
export function excludeHidden(
  root: Element,
  excluded: Set<ChildNode>,
  by: { byClass: boolean; byStyle?: boolean },
): void {
  const { byClass, byStyle = true } = by;
  for (const child of root.children) {
    if (!(child instanceof Element)) continue;
    if (hasNoText(child) || (byStyle && isHiddenByAttributes(child)) || (byClass && isHiddenByClass(child)))
      excluded.add(child);
    else excludeHidden(child, excluded, by);
  }
}

function isHiddenByClass({ attribs }: Element): boolean {
  const classes = attribs.class?.split(/\s+/) ?? [];
  return classes.some((name) => name.length <= MAX_CLASS_CHARS && HIDDEN_CLASS.test(name));
}

function hasNoText(element: Element): boolean {
  const { name, attribs } = element;
  if (name === "template") return attribs.shadowrootmode === undefined;
  if (NEVER_TEXT.has(name)) return true;
  // A <noscript> is for readers without scripts. It's kept only if it contains an image, because a script would load
  // the same image.
  if (name === "noscript") return !holdsPicture(element);
  return name === "script" && !/^\s*math/i.test(attribs.type ?? "");
}

function isHiddenByAttributes({ attribs }: Element): boolean {
  // The panel of an inactive tab is hidden, but one click shows it. It's content like the panel of the active tab.
  if (attribs.role?.toLowerCase() === "tabpanel") return false;
  if (attribs.hidden !== undefined && attribs.hidden.toLowerCase() !== "until-found") return true;
  return attribs.style !== undefined && HIDDEN_STYLE.test(attribs.style);
}

function holdsPicture(element: Element): boolean {
  return element.children.some((child) => child instanceof Element && (child.name === "img" || holdsPicture(child)));
}
