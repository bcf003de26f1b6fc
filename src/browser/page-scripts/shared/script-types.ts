/** The conditions that an element must meet for an action. */
export interface ElementNeeds {
  /** The element must be visible, not covered by another element, and not disabled. */
  isClickable?: boolean;
  /** The element must accept text. */
  isEditable?: boolean;
}

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
  hideElements: (selectors: string[], blockBanners: boolean) => string | null;
  locateElement: (
    selector: string,
    needs: ElementNeeds,
    maxMs: number,
  ) => Promise<{ x: number; y: number } | { problem: string }>;
  prepareField: (selector: string, text: string, clear: boolean) => string;
  scrollPage: (by: number | "end" | "top") => Promise<number>;
  selectOption: (
    selector: string,
    choice: { value: string | null; label: string | null },
    maxMs: number,
  ) => Promise<true | string>;
  installQuiet: (name: string) => void;
  readVisibility: (maxElements: number, maxMs: number) => string | null;
  showElement: (
    selector: string | null,
    maxMs: number,
  ) => Promise<{ x: number; y: number; width: number; height: number } | string | false | null>;
  readFrame: () => string | null;
  takeSnapshot: (maxChars: number, hasLate?: boolean, ...frames: unknown[]) => string | null;
  waitForSelector: (selector: string) => Promise<string | true>;
}
