import type { PageScripts } from "./shared/script-types";

/** Resolves with true once an element matches, or with the SyntaxError's message if the selector is invalid. */
export const waitForSelector: PageScripts["waitForSelector"] = (selector) =>
  new Promise((resolve) => {
    const check = (): boolean | string => {
      try {
        return document.querySelector(selector) !== null;
      } catch (error) {
        return String((error as Error).message);
      }
    };
    const first = check();
    if (first !== false) return resolve(first);
    const observer = new MutationObserver(() => {
      if (check() !== true) return;
      observer.disconnect();
      resolve(true);
    });
    observer.observe(document, { childList: true, subtree: true, attributes: true });
  });
