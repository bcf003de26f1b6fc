import { type ChildNode, Element } from "domhandler";
import { findElement } from "../parse/dom";

/** The elements whose contents browsers never show as text, or only in the cases that `hasNoText` lists. */
const SELDOM_TEXT = new Set("link meta base title head applet map datalist param template noscript script".split(" "));
/** Class names that style sheets hide by convention. */
const HIDDEN_CLASS =
  /^(?:sr-only|visually-?hidden|screen-?reader(?:-text)?|assistive-text|d-print-block|mw-editsection)$/i;
const TOOLTIP_CLASS =
  /^(?=[\w-]+$)(?:[\w-]*-)?(?:rollover|tooltip|hovercard|popover|flyout)(?:-[\w-]*)?(?:block|card|content|text|box|body|popup)?$/i;
/** The elements of words in a sentence. They can have a tooltip, but aren't tooltips. */
const WORDS: ReadonlySet<string> = new Set(["a", "abbr", "dfn"]);
/** Matches a part of each of these classes. Most elements have none of them, so their classes aren't split. */
const MAYBE_HIDDEN_CLASS =
  /sr-only|hidden|screen-?reader|assistive-text|d-print-block|mw-editsection|rollover|tooltip|hovercard|popover|flyout/i;
/** The maximum length of a class name that is compared with these patterns. Longer names are generated. */
const MAX_CLASS_CHARS = 80;

/**
 * Finds the elements below `root` that never show text, such as <script>, and adds them to `excluded`. `byClass` also
 * adds elements with a class that style sheets hide by convention. With `noscript`, the text of <noscript> counts as shown.
 */
export function excludeHidden(
  root: Element,
  excluded: Set<ChildNode>,
  by: { byClass: boolean; noscript?: boolean },
): void {
  for (const child of root.children) {
    if (!(child instanceof Element) || excluded.has(child)) continue;
    if (by.noscript && child.name === "noscript") excludeHidden(child, excluded, by);
    else if (hasNoText(child) || (by.byClass && (isHiddenByClass(child) || isHiddenCode(child)))) excluded.add(child);
    else excludeHidden(child, excluded, by);
  }
}

function isHiddenByClass({ name, attribs }: Element): boolean {
  const { class: classes } = attribs;
  if (classes === undefined || !MAYBE_HIDDEN_CLASS.test(classes)) return false;
  // A word with an explanation is named after its tooltip: <a class="glossary-tooltip" title="…">Pod</a>.
  const hasTooltip = WORDS.has(name) || (name === "span" && attribs.title !== undefined);
  return classes
    .split(/\s+/)
    .some(
      (one) => one.length <= MAX_CLASS_CHARS && (HIDDEN_CLASS.test(one) || (!hasTooltip && TOOLTIP_CLASS.test(one))),
    );
}

/** Returns true for lines of code that books made with mdBook hide. A button shows them. */
function isHiddenCode({ attribs, parent }: Element): boolean {
  return attribs.class === "boring" && parent instanceof Element && parent.name === "code";
}

/** Elements and names of the hidden parts that most pages have. */
const ORDINARY_NAME =
  /^(?:nav|dialog|header|footer|aside|form|button|select|option|noscript|script|style|svg|iframe|label|fieldset)$/;
const ORDINARY_ROLE =
  /^(?:menu|menubar|navigation|search|listbox|dialog|alertdialog|alert|status|tooltip|banner|contentinfo)$/i;
const ORDINARY_CLASS =
  /modal|dialog|overlay|tooltip|pop-?up|popover|drop-?down|menu|cookie|consent|gdpr|banner|toast|snackbar|alert|message|notif|error|success|warning|loading|loader|spinner|skip|share|social|search|login|sign-?(?:in|up)|subscri|newsletter|sidebar|drawer|off-?canvas|mobile|desktop|tablet|footer|header|nav|template|placeholder|print|caption|lightbox|survey|flash|upgrade|browser|languag|currency|redirect|promo|advert|sr-only|visually-?hidden|screen-?reader|a11y|assistive/i;

/**
 * Returns true for a hidden element that most pages have, such as a label for screen readers, a menu, a dialog, a form
 * or a message.
 */
export function isOrdinaryHidden(element: Element): boolean {
  const { name, attribs } = element;
  if (ORDINARY_NAME.test(name) || ORDINARY_ROLE.test(attribs.role ?? "") || attribs["aria-live"] !== undefined)
    return true;
  const names = `${attribs.class ?? ""} ${attribs.id ?? ""}`;
  return hasNoText(element) || ORDINARY_CLASS.test(names.slice(0, MAX_CLASS_CHARS * 5));
}

function hasNoText(element: Element): boolean {
  const { name, attribs } = element;
  if (!SELDOM_TEXT.has(name)) return false;
  if (name === "template") return attribs.shadowrootmode === undefined;
  // A <noscript> is for readers without scripts. It's kept only if it contains an image, because a script would load
  // the same image.
  if (name === "noscript") return findElement(element, (inner) => inner.name === "img") === undefined;
  return name !== "script" || !/^\s*math/i.test(attribs.type ?? "");
}
