/**
 * The functions that run inside pages, by name. Each function has its own file in this folder, in kebab case.
 * scripts/page-scripts.ts writes their source text to ../page-scripts.generated.mjs.
 *
 * Only the source text reaches the page, bundled with the modules that the functions import. Therefore the functions
 * only import pure modules, and exchange JSON values.
 */
export interface PageScripts {
  disarm: () => void;
  hideSkippedImages: () => void;
  installQuiet: (name: string) => void;
  readVisibility: (maxElements: number, maxMs: number) => string | null;
  takeSnapshot: (maxChars: number) => string | null;
  /** `readVisibility` is given as code, because functions aren't JSON values. */
  writeReport: (id: string, readVisibility: (() => string | null) | null) => void;
  waitForSelector: (selector: string) => Promise<string | true>;
}
