/**
 * The functions that run inside pages, by name. Each is in a file of its own in this folder, in kebab case. scripts/page-scripts.ts
 * writes their source text to ../page-scripts.generated.mjs.
 *
 * Only their text reaches the page. Therefore they import nothing but modules of this folder, and they pass JSON values.
 */
export interface PageScripts {
  disarm: () => void;
  installQuiet: (name: string) => void;
  takeSnapshot: (maxChars: number) => string | null;
  waitForSelector: (selector: string) => Promise<string | true>;
}
