import type { ElementNeeds } from "./script-types";

/** An element and a point in it that no other element covers, in CSS pixels of the viewport. */
interface FoundElement {
  element: Element;
  x: number;
  y: number;
}

/** The maximum number of matching elements that are examined. */
const MAX_CANDIDATES = 20;
const MAX_NAME_CHARS = 80;
/** The points of a box that are tried, as shares of its width and height. */
const POINTS = [
  [0.5, 0.5],
  [0.25, 0.5],
  [0.75, 0.5],
  [0.5, 0.2],
  [0.5, 0.8],
] as const;

// The scripts run in an isolated world, whose prototypes a page can't change. An element with the name
// `querySelectorAll` would hide the document's method, so the methods of the prototypes are called.
const { matches, closest, checkVisibility, getClientRects, getAttribute, scrollIntoView } = Element.prototype;

/**
 * Returns the first matching element that is ready for the action, and scrolls it into view. Otherwise returns the
 * reason, which is the second part of a sentence that begins with the element.
 */
export function findElement(selector: string, needs: ElementNeeds): FoundElement | string {
  const found = Document.prototype.querySelectorAll.call(document, selector);
  let problem = "doesn't exist";
  for (const element of [...found].slice(0, MAX_CANDIDATES)) {
    const result = check(element, needs);
    if (typeof result !== "string") return result;
    // A visible element explains the failure better than a hidden one.
    if (problem === "doesn't exist" || problem === "is hidden") problem = result;
  }
  return problem;
}

function check(element: Element, { isClickable = false, isEditable = false }: ElementNeeds): FoundElement | string {
  const [box] = getClientRects.call(element);
  if (box === undefined || !checkVisibility.call(element, { visibilityProperty: true }) || box.width * box.height === 0)
    return "is hidden";
  if (!isClickable) {
    scrollIntoView.call(element, { block: "center", inline: "center", behavior: "instant" });
    return { element, x: 0, y: 0 };
  }
  if (matches.call(element, ":disabled")) return "is disabled";
  if (isEditable && !matches.call(element, TEXT_FIELDS)) return "isn't a text field";
  if (isEditable && matches.call(element, "input:read-only, textarea:read-only") && !matches.call(element, DATA_FIELDS))
    return "is read-only";
  let found = findPoint(element);
  // A fixed header or footer may cover the element at some of these scroll positions.
  for (const block of ["center", "end", "start"] as const) {
    if (typeof found !== "string") return found;
    scrollIntoView.call(element, { block, inline: "center", behavior: "instant" });
    found = findPoint(element);
  }
  if (typeof found !== "string" || getComputedStyle(element).pointerEvents !== "none") return found;
  return "doesn't receive clicks, because its style has 'pointer-events: none'";
}

const TEXT_FIELDS =
  "input:not([type=file],[type=checkbox],[type=radio],[type=submit],[type=button],[type=image],[type=reset]), textarea, [contenteditable]:not([contenteditable='false'])";

/** The inputs whose value is set directly, because users choose the value instead of typing it. */
export const DATA_FIELDS =
  "input:is([type=date],[type=time],[type=datetime-local],[type=month],[type=week],[type=color],[type=range])";

/** Returns a point of the element that receives clicks. Otherwise returns the reason. */
function findPoint(element: Element): FoundElement | string {
  let covering: Element | null = null;
  for (const box of [...getClientRects.call(element)].slice(0, 3)) {
    for (const [shareX, shareY] of POINTS) {
      const x = box.left + box.width * shareX;
      const y = box.top + box.height * shareY;
      const hit = hitTest(x, y);
      if (hit !== null && receives(element, hit)) return { element, x, y };
      covering ??= hit;
    }
  }
  return covering === null ? "is outside the visible part of the page" : `is covered by ${describe(covering)}`;
}

/** Returns the topmost element at a point, including elements in open shadow trees. */
function hitTest(x: number, y: number): Element | null {
  let hit = Document.prototype.elementFromPoint.call(document, x, y);
  for (let inner = hit; inner !== null; ) {
    hit = inner;
    const next: Element | null = inner.shadowRoot?.elementFromPoint(x, y) ?? null;
    inner = next === inner ? null : next;
  }
  return hit;
}

/** Returns true if a click on `hit` is a click on the element, its descendant or its label. */
function receives(element: Element, hit: Element): boolean {
  for (let at: Node | null = hit; at !== null; ) {
    if (at === element) return true;
    at = at instanceof ShadowRoot ? at.host : at.parentNode;
  }
  const label = closest.call(hit, "label");
  return label instanceof HTMLLabelElement && label.control === element;
}

/** Returns a short description of an element, such as `<div id="banner">`. */
function describe(element: Element): string {
  const attribute = (name: string) => {
    const value = getAttribute.call(element, name);
    return value ? ` ${name}="${value}"` : "";
  };
  const text = `<${element.localName}${attribute("id")}${attribute("class")}>`;
  return text.length > MAX_NAME_CHARS ? `${text.slice(0, MAX_NAME_CHARS)}…` : text;
}
