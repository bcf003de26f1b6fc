import { findElement } from "./shared/find-element";
import type { PageScripts } from "./shared/script-types";

const POLL_MS = 50;

/**
 * Waits for an option of a `<select>` and selects it by its value or its label. Resolves with true, or with the reason
 * if that takes longer than `maxMs`.
 */
export const selectOption: PageScripts["selectOption"] = async (selector, { value, label }, maxMs) => {
  const end = performance.now() + maxMs;
  const trySelect = (): true | string => {
    const found = findElement(selector, {});
    if (typeof found === "string") return found;
    const { element } = found;
    if (!(element instanceof HTMLSelectElement)) return "isn't a <select>";
    if (element.matches(":disabled")) return "is disabled";
    const option = [...element.options].find((each) =>
      value === null ? each.label.trim() === label : each.value === value,
    );
    if (option === undefined)
      return value === null ? `has no option '${label}'` : `has no option with the value '${value}'`;
    if (option.matches(":disabled")) return "has this option, but the option is disabled";
    option.selected = true;
    for (const type of ["input", "change"]) element.dispatchEvent(new Event(type, { bubbles: true }));
    return true;
  };
  for (;;) {
    const result = trySelect();
    if (result === true || performance.now() >= end) return result;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
};
