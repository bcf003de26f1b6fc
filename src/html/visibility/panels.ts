import { type ChildNode, Element, Text } from "domhandler";
import { Budget } from "../../lib/budget";
import { elementsUnder, hasMoreText } from "../parse/dom";

/** The attributes with which scripts name the panel of a control. The value is an id or a selector of an id. */
const TARGETS = [
  "aria-controls",
  "data-bs-target",
  "data-target",
  "data-tab",
  "data-tab-target",
  "data-accordion-target",
  "data-controls",
];
const TARGET_NAMES: ReadonlySet<string> = new Set(TARGETS);
const NO_IDS: readonly string[] = [];
/** Controls with these values open a menu, a dialog or a tooltip, and not content. */
const OTHER_TOGGLE = /^(?:dropdown|modal|offcanvas|tooltip|popover|lightbox|button|buttons|menu)$/i;
const POPUP = /^(?:true|menu|dialog|listbox|grid|tree)$/i;
/** The names of controls and their lists. */
const TAB_NAME = /tab|accordion|collaps|toggle|pill|faq/i;
const SLIDE_NAME = /slide|carousel|swiper|gallery|tab-?pane|tab-?content|step/i;
const CONTROL_NAME = /accordion|collaps|expand|toggle|faq|question|disclosure|trigger|spoiler|read-?more|show-?more/i;
/** The texts of a control, and of an element around one, are at most this long. */
const MAX_CONTROL_CHARS = 300;
/** The number of elements that are searched for a control. */
const MAX_CONTROL_ELEMENTS = 60;
/** The number of nodes that are searched for visible text, because many panels can have the same control. */
const MAX_TEXT_NODES = 1_000;
/** The maximum number of panels that follow one control. */
const MAX_NEIGHBORS = 20;

/**
 * Returns true for a button without text whose label is another element. Such a button often lies over the heading of a
 * section that it opens.
 */
export function isLabeled(element: Element): boolean {
  const { attribs, name } = element;
  return name === "button" && attribs["aria-expanded"] !== undefined && labelsOf(element).length > 0;
}

/**
 * Returns the ids of the panels that a click on the element opens. The list is empty if the element has no text and no
 * label.
 */
export function panelIdsOf(element: Element): readonly string[] {
  const { attribs } = element;
  const isTab = attribs.href?.startsWith("#") === true && isTabLink(element);
  if (!isTab && !namesPanel(element)) return NO_IDS;
  if (OTHER_TOGGLE.test(attribs["data-bs-toggle"] ?? attribs["data-toggle"] ?? "")) return [];
  if (POPUP.test(attribs["aria-haspopup"] ?? "")) return [];
  const isOpen = attribs["aria-expanded"] === "true";
  const ids = isOpen ? [] : (attribs["aria-controls"] ?? "").split(/\s+/).filter(Boolean);
  for (const name of TARGETS.slice(1)) ids.push(...toId(attribs[name]));
  if (isTab) ids.push(...toId(attribs.href));
  return ids.length > 0 && (isLabeled(element) || hasMoreText(element, 0)) ? ids : [];
}

/** Returns true if the element names the panel that it opens. */
function namesPanel({ attribs }: Element): boolean {
  for (const name in attribs) if (TARGET_NAMES.has(name)) return true;
  return false;
}

/** Returns the ids of the elements that label the panel. If such an element is a control, it opens the panel. */
export function labelsOf({ attribs }: Element): string[] {
  return (attribs["aria-labelledby"] ?? "").split(/\s+/).filter(Boolean);
}

/** Returns true if the element itself is a control that shows or hides something. */
export function isControl(element: Element): boolean {
  const { name, attribs } = element;
  const role = attribs.role?.toLowerCase();
  if (POPUP.test(attribs["aria-haspopup"] ?? "")) return false;
  if (role === "tab" || name === "summary" || attribs["aria-expanded"] !== undefined) return true;
  if (name === "button") return !/^(?:submit|reset)$/i.test(attribs.type ?? "");
  return role === "button" || (name === "label" && attribs.for !== undefined);
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
 * Returns true if a visible control directly before a hidden element opens it. Other panels of the same kind can be
 * between the two.
 */
export function followsControl(panel: Element, hidden: ReadonlySet<ChildNode>): boolean {
  let before = siblingOf(panel, "prev");
  for (let count = 0; before && isSameKind(before, panel) && count < MAX_NEIGHBORS; count++)
    before = siblingOf(before, "prev");
  if (before && hasVisibleText(before, hidden) && holdsControl(before, panel)) return true;
  if (precedesControl(panel, hidden)) return true;
  // Tab panels usually have an element around them, next to the list of tabs.
  const isTabPanel = panel.attribs.role?.toLowerCase() === "tabpanel";
  return isTabPanel && panel.parent instanceof Element && followsTabs(panel.parent, hidden);
}

/** Returns true if the element directly after a panel is the control that shows the remaining text, by its name. */
function precedesControl(panel: Element, hidden: ReadonlySet<ChildNode>): boolean {
  const after = siblingOf(panel, "next");
  if (!after || !CONTROL_NAME.test(namesOf(panel)) || !CONTROL_NAME.test(namesOf(after))) return false;
  return !hasMoreText(after, MAX_CONTROL_CHARS) && hasVisibleText(after, hidden);
}

/** Returns true for one of several slides, and for a tab panel next to a visible one. A click shows the next one. */
export function isSlide(panel: Element, hidden: ReadonlySet<ChildNode>): boolean {
  const isTabPanel = panel.attribs.role?.toLowerCase() === "tabpanel";
  if (!isTabPanel && !SLIDE_NAME.test(panel.attribs.class ?? "")) return false;
  // Each slide may have a separate element around it.
  const { parent } = panel;
  const isAlone =
    parent instanceof Element && !parent.children.some((child) => child !== panel && child instanceof Element);
  // A list item may contain an image next to the slide's text.
  const isItem = isAlone || (parent instanceof Element && parent.name === "li");
  const isOther = (node: ChildNode) => {
    const others = isItem && node instanceof Element ? node.children : [node];
    return others.some(
      (other) => other instanceof Element && isSameKind(other, panel) && !(isTabPanel && hidden.has(other)),
    );
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

function followsTabs(around: Element, hidden: ReadonlySet<ChildNode>): boolean {
  const before = siblingOf(around, "prev");
  if (!before || !hasVisibleText(before, hidden)) return false;
  return firstElements(before).some(
    ({ attribs }) => attribs.role?.toLowerCase() === "tab" && !attribs["aria-controls"],
  );
}

/** Returns true if the element before a panel is a control, or is short and contains one. */
function holdsControl(before: Element, panel: Element): boolean {
  if (hasMoreText(before, MAX_CONTROL_CHARS)) return false;
  const controls = firstElements(before).filter(isControl);
  // Controls that name their panels open only those.
  if (controls.length > 0) return !controls.every(namesPanel);
  return CONTROL_NAME.test(namesOf(before)) && CONTROL_NAME.test(namesOf(panel.parent) + namesOf(panel));
}

function firstElements(root: Element): Element[] {
  const found = [root];
  for (const element of elementsUnder(root)) {
    if (found.length >= MAX_CONTROL_ELEMENTS) break;
    found.push(element);
  }
  return found;
}

/** Returns true if a person can see some text in the first nodes of the element. */
export function hasVisibleText(
  node: ChildNode,
  hidden: ReadonlySet<ChildNode>,
  budget = new Budget(MAX_TEXT_NODES),
): boolean {
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

function isSameKind(one: Element, other: Element): boolean {
  if (one.name !== other.name) return false;
  if (one.attribs.role !== undefined || other.attribs.role !== undefined)
    return one.attribs.role === other.attribs.role;
  const [first] = (one.attribs.class ?? "").split(/\s+/);
  return first !== "" && first === (other.attribs.class ?? "").split(/\s+/)[0];
}

function toId(target: string | undefined): string[] {
  const id = /^#?([^\s.#[\]>,]+)$/.exec(target ?? "")?.[1];
  return id === undefined ? [] : [id];
}

function isTabLink({ attribs, parent }: Element): boolean {
  if (attribs.role?.toLowerCase() === "tab" || attribs["data-toggle"] || attribs["data-bs-toggle"]) return true;
  const around = parent instanceof Element ? parent.parent : null;
  return TAB_NAME.test(`${attribs.class ?? ""} ${namesOf(parent)} ${namesOf(around)}`);
}

function namesOf(node: unknown): string {
  return node instanceof Element
    ? `${node.attribs.class ?? ""} ${node.attribs.id ?? ""} ${node.attribs.role ?? ""} `
    : "";
}
