import { type ChildNode, Element, type ParentNode, Text } from "domhandler";
import { Budget } from "../../lib/budget";
import { elementsAround, elementsUnder, hasMoreText, isElement, isHeading, rawText, tokensIn } from "../parse/dom";

/** The attributes with which scripts name the panel of a control. The value is an id or a selector of an id. */
const TARGETS = new Set(["aria-controls", "data-target", "data-bs-target", "data-tab-target", "data-tab"]);
/** Controls with these values open a menu, a dialog or a tooltip, and not content. */
const OTHER_TOGGLE = /^(?:dropdown|modal|offcanvas|tooltip|popover|lightbox|button|buttons|menu)$/i;
const POPUP = /^(?:true|menu|dialog|listbox|grid|tree)$/i;
/** The attributes of elements that react to a click. */
const CLICKED = /^(?:on|@|x-on:|v-on:|ng-|wire:|data-)click|^jsaction$/;
const SLIDE_NAME = /slide|carousel|swiper|gallery|tab-?pane|tab-?content|step/i;
const CONTROL_NAME =
  /accordion|collaps|expand|toggle|faq|question|disclosure|trigger|spoiler|switch|tabs|(?:^|[\s_-])(?:read-?|show-?|view-?)?more(?![a-z])/i;
/** The names of elements that appear only while the pointer is on another element, or for a message. */
const OVERLAY =
  /tooltip|dropdown|menu|modal|popup|popover|overlay|dialog|flyout|hovercard|toast|snackbar|lightbox|off-?canvas|cookie|consent|share|sharing|search|log-?in|sign-?(?:in|up)|(?:^|[\s_-])(?:nav|cart)(?:$|[\s_-])/i;
/** The words of a control that shows more of a text. */
const MORE =
  /(?<!\p{L})(?:more|full|mehr|weiter\p{L}*|plus|suite|más|mais|altro|tutto|meer|verder|więcej|víc|mer|lisää|daha|devamı|ещё|еще|больше|далее|більше)(?!\p{L})|更多|全文|展开|展開|もっと|続き|더\s?보기/iu;
/** The elements that are of the same kind as their siblings, whatever their classes are. */
const ALIKE = /^(?:li|dd|article|blockquote)$/;
/** The attributes with which scripts mark panels. */
const PANEL_ATTRIBUTE = /^(?:x|v|ng)-(?:show|if)$|^data-(?:.*-)?(?:pane|panel|tab|slide|step|content)$/;
/** The texts of a control, and of an element around one, are at most this long. */
const MAX_CONTROL_CHARS = 300;
/** The number of elements that are searched for a control. */
const MAX_CONTROL_ELEMENTS = 60;
/** The number of nodes that are searched for visible text, because many panels can have the same control. */
const MAX_TEXT_NODES = 1_000;
/** The maximum number of panels that follow one control. */
const MAX_NEIGHBORS = 20;
/** The maximum number of elements around a panel between it and its control. */
const MAX_LEVELS = 4;
/** The number of elements around a panel whose names are checked. */
const MAX_NAMED_LEVELS = 6;
const MAX_NAME_CHARS = 60;

/** Returns the names by which a control can refer to a panel: its id, the ids of its labels, and data attributes. */
export function namesOfPanel({ attribs }: Element): string[] {
  const labels = tokensIn(attribs["aria-labelledby"]).map((id) => `label ${id}`);
  return [...labels, ...(attribs.id ? [`panel ${attribs.id}`] : []), ...dataNames(attribs)];
}

/** Returns the names of the panels that a click on the element opens. See `namesOfPanel`. */
export function namesOfOpened(element: Element): string[] {
  const { attribs } = element;
  if (!isControl(element) && !namesPanel(element)) return [];
  const names = attribs.id ? [`label ${attribs.id}`] : [];
  if (opensOther(element)) return names;
  if (attribs["aria-expanded"] !== "true") names.push(...tokensIn(attribs["aria-controls"]).map((id) => `panel ${id}`));
  for (const name in attribs) {
    const id = /^#?([^\s.#[\]>,]+)$/.exec(attribs[name] ?? "")?.[1];
    if (id !== undefined && /^href$|^data-.*(?:target|controls|tab)$/.test(name)) names.push(`panel ${id}`);
  }
  return [...names, ...dataNames(attribs)];
}

/** Returns the values of data attributes. A number is only a name together with the name of its attribute. */
function dataNames(attribs: Readonly<Record<string, string>>): string[] {
  const names: string[] = [];
  for (const name in attribs) {
    const value = attribs[name] ?? "";
    if (!name.startsWith("data-") || value === "" || value.length > MAX_NAME_CHARS) continue;
    if (/\p{L}{2}/u.test(value)) names.push(`panel ${value}`);
    else if (/tab|panel|pane|index|slide|target|id$/.test(name)) names.push(`${name} ${value}`);
  }
  return names;
}

/** Returns true if the element names the panel that it opens, and opens no other. */
function namesPanel({ attribs }: Element): boolean {
  for (const name in attribs) if (TARGETS.has(name) && !/^\d*$/.test(attribs[name] ?? "")) return true;
  return false;
}

/** Returns true for the control of a menu, a dialog or a tooltip. */
function opensOther({ attribs }: Element): boolean {
  const toggle = attribs["data-bs-toggle"] ?? attribs["data-toggle"] ?? "";
  return OTHER_TOGGLE.test(toggle) || POPUP.test(attribs["aria-haspopup"] ?? "");
}

/** Returns true if the element itself is a control that shows or hides something. */
function isControl(element: Element): boolean {
  const { name, attribs } = element;
  if (opensOther(element)) return false;
  if (name === "button") return !/^(?:submit|reset)$/i.test(attribs.type ?? "");
  if (name === "label") return attribs.for !== undefined;
  if (name === "a" && attribs.href !== undefined) return /^(?:#|javascript:|$)/i.test(attribs.href);
  return /^(?:tab|button)$/i.test(attribs.role ?? "") || attribs["aria-expanded"] !== undefined || isClickable(element);
}

/** Returns true for an element that a script makes a control. */
function isClickable({ name, attribs }: Element): boolean {
  if (name === "summary" || attribs.tabindex === "0") return true;
  if (name === "a") return attribs.href === undefined && attribs.class !== undefined;
  for (const attribute in attribs) if (CLICKED.test(attribute)) return true;
  return false;
}

/**
 * Returns true for the site's menus, search boxes and dialogs. They don't count as visible, even if one click opens
 * them.
 */
export function isSitePart({ name, attribs }: Element): boolean {
  return (
    /^(?:nav|dialog|template|header|footer)$/.test(name) ||
    /^(?:menu|menubar|navigation|search|listbox|dialog|alertdialog|tooltip)$/i.test(attribs.role ?? "") ||
    attribs["aria-modal"] === "true"
  );
}

/**
 * Returns true if a click reveals a hidden element: it is one of several slides or panels, or the text next to it is a
 * visible control. Other panels of the same kind, and elements around the panel, can be between the two.
 */
export function isRevealed(panel: Element, hidden: ReadonlySet<ChildNode>): boolean {
  if (isSlide(panel, hidden)) return true;
  if (!hasContent(panel)) return false;
  let isOneOfSeveral = hasVisibleTwin(panel, hidden);
  for (const step of ["prev", "next"] as const) {
    let at = panel;
    for (let level = 0; level < MAX_LEVELS; level++) {
      const beside = besideOf(at, step);
      const { parent } = at;
      if (isElement(beside) && hasVisibleText(beside, hidden) && !hasMoreText(beside, MAX_CONTROL_CHARS)) {
        const opens = step === "prev" ? holdsControl : holdsMore;
        // The box around a question and its answer can be the control, too.
        const isInControl = step === "prev" && isElement(parent) && parent.name !== "a" && isClickable(parent);
        if (isInControl || opens(beside, panel, isOneOfSeveral)) return true;
      }
      if (beside || !isElement(parent) || parent.name === "body" || isSitePart(parent)) break;
      at = parent;
      isOneOfSeveral ||= hasVisibleTwin(at, hidden);
    }
  }
  return false;
}

/** Returns true for a part of a menu, a dialog or a similar layer over the page. */
export function isInMenu(panel: Element): boolean {
  const around = elementsAround(panel, MAX_NAMED_LEVELS).filter(({ name }) => name !== "body" && name !== "html");
  return around.some((at) => isSitePart(at) || isOverlay(at));
}

/** Returns true for an element that lies over the page, such as a dialog, by its names. */
export function isOverlay(element: Element): boolean {
  const names = namesOf(element);
  return OVERLAY.test(names) && !CONTROL_NAME.test(names);
}

/** Returns true if most of the panel's first texts are outside of links. Otherwise, the panel is a menu or a gallery. */
function hasContent(panel: Element): boolean {
  const budget = new Budget(MAX_TEXT_NODES);
  let [linked, other] = [0, 0];
  const count = (node: ChildNode, isLinked: boolean): void => {
    if (!budget.spend(1)) return;
    if (node instanceof Text) {
      if (isLinked) linked += node.data.trim().length;
      else other += node.data.trim().length;
    } else if (isElement(node))
      for (const child of node.children) count(child, isLinked || /^(?:a|button|label|option)$/.test(node.name));
  };
  count(panel, false);
  return other > linked;
}

/** Returns the node before or after a panel and the others of its kind. */
function besideOf(panel: Element, step: "prev" | "next"): ChildNode | null {
  let node = panel[step];
  for (let count = 0; node && count < 2 * MAX_NEIGHBORS; count++) {
    const isBetween = isElement(node)
      ? node.name === "input" || isSameKind(node, panel)
      : node instanceof Text && node.data.trim() === "";
    if (!isBetween) return node;
    node = node[step];
  }
  return node;
}

/** Returns true if an element of the same kind next to the panel is visible. */
function hasVisibleTwin(panel: Element, hidden: ReadonlySet<ChildNode>): boolean {
  return (["prev", "next"] as const).some((step) => {
    let other = siblingOf(panel, step);
    for (let count = 0; other && isSameKind(other, panel) && count < MAX_NEIGHBORS; count++) {
      if (!hidden.has(other)) return true;
      other = siblingOf(other, step);
    }
    return false;
  });
}

/** Returns true for one of several slides, and for a tab panel next to a visible one. A click shows the next slide. */
function isSlide(panel: Element, hidden: ReadonlySet<ChildNode>): boolean {
  const isTabPanel = panel.attribs.role?.toLowerCase() === "tabpanel";
  if (!isTabPanel && !SLIDE_NAME.test(panel.attribs.class ?? "")) return false;
  // Each slide may have a separate element around it.
  const { parent } = panel;
  const isAlone = isElement(parent) && !parent.children.some((child) => child !== panel && child instanceof Element);
  // A list item may contain an image next to the slide's text.
  const isItem = isAlone || (isElement(parent) && parent.name === "li");
  const isOther = (node: ChildNode) => {
    const others = isItem && node instanceof Element ? node.children.slice(0, MAX_NEIGHBORS) : [node];
    return others.some((other) => isElement(other) && isSameKind(other, panel) && !(isTabPanel && hidden.has(other)));
  };
  for (const step of isTabPanel ? (["prev"] as const) : (["prev", "next"] as const)) {
    let node = (isItem ? parent : panel)[step];
    for (let count = 0; node && count < MAX_NEIGHBORS; count++) {
      if (isOther(node)) return true;
      node = node[step];
    }
  }
  return false;
}

/** Returns true if the element before a panel is a control, or is short and contains a control. */
function holdsControl(before: Element, panel: Element, isOneOfSeveral: boolean): boolean {
  const controls = firstElements(before).filter(isControl);
  // A control that names its panel opens only that panel.
  if (controls.length > 0) return !controls.every(namesPanel);
  if (CONTROL_NAME.test(namesOf(before)))
    return isOneOfSeveral || CONTROL_NAME.test(namesOf(panel.parent) + namesOf(panel));
  return (isHeading(before) || before.name === "dt") && isRepeated(before, panel);
}

/** Returns true if another panel of the same kind follows another heading of the same kind. */
function isRepeated(heading: Element, panel: Element): boolean {
  const next = siblingOf(panel, "next");
  const other = siblingOf(heading, "prev") ?? (next?.name === heading.name ? siblingOf(next, "next") : null);
  return other !== null && isSameKind(other, panel);
}

/** Returns true if the element after a panel shows more of the text, or the next panel. */
function holdsMore(after: Element, _: Element, isOneOfSeveral: boolean): boolean {
  const controls = firstElements(after).filter(isControl);
  if (controls.length === 0 || controls.every(namesPanel)) return false;
  return isOneOfSeveral || controls.some((control) => CONTROL_NAME.test(namesOf(control))) || MORE.test(rawText(after));
}

function firstElements(root: Element): Element[] {
  return [root, ...elementsUnder(root).take(MAX_CONTROL_ELEMENTS - 1)];
}

/** Returns true if a person can see the control, because it has text or a label. */
export function isVisibleControl(control: Element, hidden: ReadonlySet<ChildNode>): boolean {
  const { "aria-label": label, "aria-labelledby": labelledBy } = control.attribs;
  return Boolean(label || labelledBy) || hasVisibleText(control, hidden);
}

/** Returns true if a person can see some text in the first nodes of the element. */
function hasVisibleText(node: ChildNode, hidden: ReadonlySet<ChildNode>, budget = new Budget(MAX_TEXT_NODES)): boolean {
  if (hidden.has(node) || !budget.spend(1)) return false;
  if (node instanceof Element) return node.children.some((child) => hasVisibleText(child, hidden, budget));
  return node instanceof Text && node.data.trim() !== "";
}

/** Returns the next sibling element, or the previous one. Returns null if there is text between the two. */
function siblingOf(element: Element, direction: "next" | "prev"): Element | null {
  let node = element[direction];
  while (node instanceof Text && node.data.trim() === "") node = node[direction];
  return node instanceof Element ? node : null;
}

/** Returns true for elements with the same tag that have the same role, the same first class, or a common attribute. */
function isSameKind(one: Element, other: Element): boolean {
  if (one.name !== other.name) return false;
  if (one.attribs.role !== undefined || other.attribs.role !== undefined)
    return one.attribs.role === other.attribs.role;
  const [first] = tokensIn(one.attribs.class);
  if (ALIKE.test(one.name) || (first !== undefined && first === tokensIn(other.attribs.class)[0])) return true;
  return Object.keys(one.attribs).some((name) => PANEL_ATTRIBUTE.test(name) && other.attribs[name] !== undefined);
}

function namesOf(node: ChildNode | ParentNode | null): string {
  return isElement(node) ? `${node.attribs.class ?? ""} ${node.attribs.id ?? ""} ${node.attribs.role ?? ""} ` : "";
}
