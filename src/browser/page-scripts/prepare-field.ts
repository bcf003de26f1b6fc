import { DATA_FIELDS, findElement } from "./shared/find-element";
import type { PageScripts } from "./shared/script-types";

/**
 * Focuses a field after a click on it, and selects its text if `clear` is true. Returns `done` if the value was set
 * directly, for example the value of a date field. Returns `ready` if the text can be typed. Otherwise, returns the
 * reason why it can't.
 */
export const prepareField: PageScripts["prepareField"] = (selector, text, clear) => {
  const { activeElement } = document;
  const isFocused = activeElement !== null && Element.prototype.matches.call(activeElement, selector);
  const found = isFocused ? activeElement : findElement(selector, { isClickable: true, isEditable: true });
  if (typeof found === "string") return found;
  const element = found instanceof Element ? found : found.element;
  if (!(element instanceof HTMLElement)) return "isn't a text field";
  if (element instanceof HTMLInputElement && Element.prototype.matches.call(element, DATA_FIELDS)) {
    element.value = text;
    if (element.value === "" && text !== "") return `doesn't accept this text as a ${element.type}`;
    for (const type of ["input", "change"]) element.dispatchEvent(new Event(type, { bubbles: true }));
    return "done";
  }
  if (document.activeElement !== element) HTMLElement.prototype.focus.call(element, { preventScroll: true });
  if (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement) {
    // Chromium ignores other characters, so that `1,5` would become 15.
    if (element.type === "number" && !/^[-+.e\d]*$/i.test(text)) return "doesn't accept this text as a number";
    if (clear) element.select();
  } else if (clear) getSelection()?.selectAllChildren(element);
  return "ready";
};
