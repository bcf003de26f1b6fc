import { type ChildNode, type Document, Element, Text } from "domhandler";
import { bodyOf } from "../parse/document";
import {
  attribute,
  classesOf,
  elementsAround,
  elementsUnder,
  hasMoreText,
  isElement,
  MEDIA,
  rawText,
  separatedText,
} from "../parse/dom";
import { append, insertBefore, setChildren } from "../parse/tree";
import { tidyValue } from "../parse/white-space";
import { addressesAi } from "./ai-instructions";
import { FACADE, isGone, isMedia, mediaLink } from "./media";

/**
 * A <select> with more options than this is left out. Such lists contain countries or years, not the
 * variants of a product.
 */
const MAX_OPTIONS = 50;
const MAX_VALUE_CHARS = 200;
/** A label or date is only added to text of at most this length. */
const MAX_LABELED_CHARS = 40;
/** The maximum length of a label that is inserted. */
const MAX_LABEL_CHARS = 80;
/** The types of <input> that show their value as text. */
const FIELD = /^(?:text|number|search|tel|email|url|date|time|month|week|datetime-local|submit|button|reset)?$/i;
/** Matches machine-readable dates: https://html.spec.whatwg.org/#datetime-value */
const DATE = /^(?=.*\d)[\d\s.:+TWZ-]{1,40}$/;
/** Matches times that are relative to now, in the languages of most pages. */
const RELATIVE =
  /\b(?:ago|yesterday|today|just now|last (?:week|month|year)|vor|gestern|heute|il y a|hier|hace|ayer|fa|ieri|há|ontem|geleden|gisteren|temu|wczoraj|sedan|siden)\b|назад|вчера|前|전/i;
const STARS = /[★☆⭐✩✭]/;
const RATING = /(?:^|[\s_-])(?:rating|stars?|score|reviews?|votes)/i;
/** The elements whose value a browser draws. */
const GAUGES: ReadonlySet<string> = new Set(["meter", "progress"]);
const GAUGE_ROLE = /^(?:meter|progressbar)$/i;
/** The elements that can display a value without attributes. */
const VALUES: ReadonlySet<string> = new Set([...GAUGES, ...MEDIA, "button", "input", "select", "time"]);
/** The attributes that name an element, state its value, or have the address of a player. */
const SHOWN: ReadonlySet<string> = new Set(["aria-label", "role", "title", ...FACADE]);
const SWITCH_ROLE = /^(?:checkbox|radio|switch)$/i;
/** The number of elements around an icon that can be its cell. */
const MAX_CELL_LEVELS = 6;
const CELL = /^(?:td|th|dd|li)$/;
const CELL_ROLE = /^(?:cell|gridcell)$/i;
/** The elements that a reader operates. Their names describe the controls, not the content. */
const CONTROL = /^(?:a|button|nav|summary|select)$/;
const CONTROL_ROLE = /^(?:button|link|menu\w*|tab\w*|navigation|search|toolbar)$/i;
/** The names of icons that repeat the text next to them. */
const DECORATION =
  /icon|logo|avatar|arrow|chevron|caret|loading|spinner|image|external|new (?:tab|window)|^\s*(?:link|close|menu|open)\s*$/i;
/** The classes of text for screen readers. */
const SPOKEN_CLASS = /^(?:sr-only|(?:is-)?visually-?hidden|screen-?reader(?:-text)?|assistive-text)$/i;
const EMPHASIS = /^(?:i|em|b|strong)$/;
const SPOKEN_TAG = /^(?:span|i|em|b|strong|small|div|p)$/;
/** The classes of icon fonts that draw the name of an icon, such as "chevron_right", as one glyph. */
const GLYPH_CLASS = /^(?:google-)?material-(?:icons|symbols)|^mat-icon$/i;
/** A quick test for the classes above, which few elements have. */
const MAY_HAVE_CLASS = /sr-only|hidden|screen|assistive|material|mat-icon/i;
const GLYPH_NAME = /^\s*[a-z][a-z0-9_]*\s*$/;
/** Matches a character that readers see. The characters for private use are the glyphs of icon fonts. */
const VISIBLE_CHARACTER = /[^\s\u200b\ufeff\p{Co}]/u;
/** The maximum length of the names that are inserted in one element, with the text around them. */
const MAX_NAMES_CHARS = 2_000;
/** The text around an element is compared with its name up to this length. */
const MAX_AROUND_CHARS = 300;

/**
 * Inserts text into the tree for values that a page displays in another form. Examples are the state of a checkbox in
 * a table, the number behind a rating in stars, an icon that means yes, and a video. A video becomes a link. With
 * `fields`, also inserts the values of form fields and full dates, and empties long lists of options.
 */
export function insertDisplayedValues(document: Document, { fields = true }: { fields?: boolean } = {}): void {
  const names = new InsertedNames(fields);
  const elements: Element[] = [];
  collect(bodyOf(document), elements);
  for (const element of elements) {
    if (isMedia(element)) replaceMedia(element);
    else if (element.name === "time") insertDate(element, fields);
    else if (fields && element.name === "select") separateOptions(element);
    // Browsers show a button as a box, so its text must not merge with the text after it.
    else if (fields && element.name === "button") append(element, new Text(" "));
    else if (!(fields && insertInputValue(element))) names.insert(element);
  }
  names.removeInstructions();
}

/** Collects the elements that may display a value. They are found first, because inserting changes the tree. */
function collect({ children }: Element, found: Element[]): void {
  for (const child of children) {
    if (!(child instanceof Element)) continue;
    if (displaysValue(child)) found.push(child);
    collect(child, found);
  }
}

/** A quick test, because few elements display something else than their text. */
function displaysValue({ name, attribs }: Element): boolean {
  if (VALUES.has(name) || (attribs.class !== undefined && MAY_HAVE_CLASS.test(attribs.class))) return true;
  // The name of a link or an image isn't inserted, and its address isn't that of a player.
  if (name === "a" || name === "img") return attribs.role !== undefined;
  for (const key in attribs) if (SHOWN.has(key)) return true;
  return false;
}

function replaceMedia(element: Element): void {
  const link = mediaLink(element);
  setChildren(element, []);
  if (!link || addressesAi(link.text)) return;
  const anchor = new Element("a", { href: link.url });
  append(anchor, new Text(link.text));
  append(element, anchor);
  // A box that loads a player after a click becomes a frame.
  if (!MEDIA.has(element.name)) element.name = "iframe";
}

function insertInputValue(element: Element): boolean {
  const { type = "", value = "" } = element.attribs;
  if (element.name !== "input" || !FIELD.test(type)) return false;
  if (value !== "" && value.length <= MAX_VALUE_CHARS) append(element, new Text(` ${value} `));
  return true;
}

/**
 * Separates the options of a <select>. Keeps other contents, because a <select> without an end tag contains other
 * content of the page.
 */
function separateOptions(select: Element): void {
  const options = [...elementsUnder(select)].filter(({ name }) => name === "option");
  if (options.length > MAX_OPTIONS) {
    for (const option of options) option.children = [];
    return;
  }
  for (const option of options.slice(0, -1)) append(option, new Text(" / "));
  append(select, new Text(" "));
}

/**
 * Inserts the full date after text such as “2 hours ago”. With `fields`, also after text such as “5 March”, which lacks
 * the year.
 */
function insertDate(element: Element, fields: boolean): void {
  const { datetime = "" } = element.attribs;
  const text = shortText(element);
  if (text === null || text === datetime || !DATE.test(datetime) || text.includes(datetime.slice(0, 4))) return;
  if (fields) append(element, new Text(toInsertion(text, datetime)));
  else if (RELATIVE.test(text)) append(element, new Text(toInsertion(text, datetime.slice(0, 10))));
}

/** Inserts the accessible names of elements without visible text. */
class InsertedNames {
  readonly #fields: boolean;
  /** The elements that have got a name. The names of elements inside them would repeat it. */
  readonly #named = new Set<Element>();
  readonly #inserted: Text[] = [];
  /** The visible text of elements, and the names that were inserted there. */
  readonly #texts = new Map<Element, string>();
  /** True for the elements with an icon, as many labels can be in the same element. */
  readonly #withIcons = new Map<Element, boolean>();

  constructor(fields: boolean) {
    this.#fields = fields;
  }

  insert(element: Element): void {
    const { attribs } = element;
    if (MAY_HAVE_CLASS.test(attribs.class ?? "") && this.#insertClassText(element)) return;
    const state = stateOf(element);
    const name = state || gaugeValue(element) || nameOf(element);
    if (GAUGES.has(element.name)) setChildren(element, []);
    if (name === "" || name.length > MAX_LABEL_CHARS || attribs["aria-hidden"] === "true") return;
    const text = shortText(element);
    if (text === null) return;
    if (VISIBLE_CHARACTER.test(text)) this.#insertPrecise(element, text);
    else if (this.#isMeant(element, name, state !== "") && this.#claims(element, name)) {
      // <i> is an icon, and not emphasis.
      if (EMPHASIS.test(element.name)) element.name = "span";
      append(element, this.#toText(name));
      this.#named.add(element);
    }
  }

  /** Handles text for screen readers, and the names of glyphs. Returns false for other elements. */
  #insertClassText(element: Element): boolean {
    const classes = classesOf(element);
    const { parent } = element;
    if (!isElement(parent)) return false;
    const cell = cellAround(element);
    if (classes.some((name) => GLYPH_CLASS.test(name)) && GLYPH_NAME.test(rawText(element))) {
      // Without another name, the name of a glyph is all that a cell says.
      if (nameOf(element) !== "" || !cell || this.#textOf(cell) !== "") setChildren(element, []);
      return false;
    }
    if (!SPOKEN_TAG.test(element.name) || !classes.some((name) => SPOKEN_CLASS.test(name))) return false;
    const name = tidyValue(shortText(element, MAX_LABEL_CHARS) ?? "");
    const box = cell ?? parent;
    const hasIcon = this.#withIcons.get(parent) ?? parent.children.some(isEmptyIcon);
    this.#withIcons.set(parent, hasIcon);
    const isMeant = cell !== null || hasIcon;
    if (name === "" || !isMeant || isGone(element) || this.#textOf(box) !== "" || !this.#claims(element, name))
      return true;
    setChildren(element, []);
    insertBefore(element, this.#toText(name));
    return true;
  }

  #toText(name: string): Text {
    const text = new Text(` ${name} `);
    this.#inserted.push(text);
    return text;
  }

  /** Empties the inserted names if they tell an AI what to do together, because a reader doesn't see them. */
  removeInstructions(): void {
    if (addressesAi(this.#inserted.map(({ data }) => data).join("")))
      for (const text of this.#inserted) text.data = " ";
  }

  /** Returns true if the element isn't a decoration. */
  #isMeant(element: Element, name: string, isState: boolean): boolean {
    const cell = cellAround(element);
    if (cell !== null && this.#textOf(cell) === "") return true;
    if (isState) return false;
    const role = attribute(element, "role").toLowerCase();
    if (GAUGES.has(element.name) || GAUGE_ROLE.test(role)) return true;
    if (/\d/.test(name)) return role === "img" || element.name === "svg" || RATING.test(attribute(element, "class"));
    return role === "img" && name === attribute(element, "aria-label") && !DECORATION.test(name);
  }

  /** Returns false if the name is that of a control, or if the text around the element says the same. */
  #claims(element: Element, name: string): boolean {
    if (addressesAi(name)) return false;
    for (let at: Element | null = element; at; at = isElement(at.parent) ? at.parent : null) {
      if (this.#named.has(at)) return false;
      if (!/\d/.test(name) && (CONTROL.test(at.name) || CONTROL_ROLE.test(attribute(at, "role")))) return false;
    }
    const box = cellAround(element) ?? (isElement(element.parent) ? element.parent : element);
    const text = this.#textOf(box);
    if (text.length > MAX_NAMES_CHARS) return false;
    if (text.includes(name.toLowerCase()) && !/^\[.\]$/.test(name)) return false;
    this.#texts.set(box, `${text} ${name.toLowerCase()}`);
    return true;
  }

  /** Inserts a name with a digit after text that is less precise: after stars, and with `fields` after other text. */
  #insertPrecise(element: Element, text: string): void {
    const { attribs, name } = element;
    const { title = "", "aria-label": label = "" } = attribs;
    if (name === "a" || name === "img") return;
    const precise = [label, title].find(isLabel);
    if (precise === undefined || text.includes(precise)) return;
    const isRating = attribs.role?.toLowerCase() === "img" || RATING.test(attribs.class ?? "") || STARS.test(text);
    const isDrawn = !/[\p{L}\p{N}]/u.test(text);
    if (isDrawn ? isRating : this.#fields && isLabel(title) && !text.includes(title))
      append(element, new Text(toInsertion(text, isDrawn ? precise : title)));
  }

  /** Returns the beginning of the visible text of an element in lower case. Leaves out text for screen readers. */
  #textOf(element: Element): string {
    const known = this.#texts.get(element);
    if (known !== undefined) return known;
    const text = separatedText(element, { maxChars: MAX_AROUND_CHARS, isSkipped: isLabelOnly }).trim();
    const shown = VISIBLE_CHARACTER.test(text) ? text.toLowerCase() : "";
    this.#texts.set(element, shown);
    return shown;
  }
}

/** Returns true for text for screen readers, and for the names of glyphs. */
function isLabelOnly(node: ChildNode): boolean {
  return (
    isElement(node) &&
    node.attribs.class !== undefined &&
    classesOf(node).some((name) => SPOKEN_CLASS.test(name) || GLYPH_CLASS.test(name))
  );
}

/** Returns true for an inline element without contents, as icon fonts use it, and for a drawing. */
function isEmptyIcon(node: ChildNode): boolean {
  return isElement(node) && /^(?:i|span|em|svg)$/.test(node.name) && !VISIBLE_CHARACTER.test(shortText(node) ?? "a");
}

/** Returns the table cell around an element, if only inline elements and boxes are between them. */
function cellAround(element: Element): Element | null {
  const isCell = (at: Element) => CELL.test(at.name) || CELL_ROLE.test(attribute(at, "role"));
  return elementsAround(element.parent, MAX_CELL_LEVELS).find(isCell) ?? null;
}

/** Returns the state of a checkbox, a radio button or a switch. Returns an empty string for other elements. */
function stateOf({ name, attribs }: Element): string {
  const isSwitch = SWITCH_ROLE.test((name === "input" ? attribs.type : attribs.role) ?? "");
  if (!isSwitch) return "";
  return (name === "input" ? attribs.checked !== undefined : attribs["aria-checked"] === "true") ? "[x]" : "[ ]";
}

/** Returns the value of a meter or a progress bar. Returns an empty string for other elements. */
function gaugeValue({ name, attribs }: Element): string {
  const isGauge = GAUGES.has(name);
  if (!isGauge && !GAUGE_ROLE.test(attribs.role ?? "")) return "";
  const [value = "", max] = isGauge
    ? [attribs.value, attribs.max]
    : [attribs["aria-valuenow"], attribs["aria-valuemax"]];
  return attribs["aria-valuetext"] ?? (value && max ? `${value} of ${max}` : value);
}

/** Returns the accessible name of an element that isn't a link, an image or a form field. */
function nameOf({ name, attribs }: Element): string {
  const { title = "", "aria-label": label = "" } = attribs;
  if ((title === "" && label === "") || /^(?:a|img|input|textarea)$/.test(name)) return "";
  // A label with a digit is more precise, as in "4.5 of 5".
  const found = [label, title].find(isLabel) ?? (label || title);
  return tidyValue(found);
}

/** Returns true for a short label with a digit. Labels without digits only repeat the text for screen readers. */
function isLabel(label: string): boolean {
  return label.length <= MAX_LABEL_CHARS && /\d/.test(label);
}

function toInsertion(text: string, label: string): string {
  return text === "" ? ` ${label} ` : ` (${label}) `;
}

/** Returns the text of an element, or null if it's longer than `maxChars`. */
function shortText(element: Element, maxChars = MAX_LABELED_CHARS): string | null {
  return hasMoreText(element, maxChars) ? null : rawText(element).trim();
}
