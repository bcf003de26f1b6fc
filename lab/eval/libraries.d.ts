declare module "turndown" {
  export default class TurndownService {
    constructor(options?: { headingStyle?: "setext" | "atx"; codeBlockStyle?: "indented" | "fenced" });
    turndown(html: string): string;
  }
}

declare module "html-to-text" {
  interface Selector {
    selector: string;
    format?: string;
    options?: Record<string, unknown>;
  }
  export function compile(options: { wordwrap: number | null; selectors: Selector[] }): (html: string) => string;
}
