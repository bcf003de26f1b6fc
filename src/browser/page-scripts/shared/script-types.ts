/**
 * The functions that run inside pages, by name. Each function has its own file in this folder, in kebab case.
 * scripts/page-scripts.ts writes their source text to ../page-scripts.generated.mjs.
 *
 * Only the source text reaches the page. Therefore the functions only import modules of this folder, and exchange JSON
 * values.
 */
export interface PageScripts {
  disarm: () => void;
  installQuiet: (name: string) => void;
  takeSnapshot: (maxChars: number) => string | null;
  waitForSelector: (selector: string) => Promise<string | true>;
}
