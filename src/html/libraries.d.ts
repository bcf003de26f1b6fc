// The parts we use of libraries that ship no types, or types that are not a module.

declare module "@mixmark-io/domino" {
  import type { DomDocument } from "./dom";

  const domino: { createDocument(html: string, force?: boolean): DomDocument };
  export default domino;
}

declare module "turndown" {
  import type { DomElement } from "./dom";

  export interface Options {
    headingStyle?: "setext" | "atx";
    hr?: string;
    bulletListMarker?: "-" | "+" | "*";
    codeBlockStyle?: "indented" | "fenced";
    emDelimiter?: "_" | "*";
    br?: string;
  }

  export interface Rule {
    filter: string | string[] | ((node: DomElement) => boolean);
    replacement(content: string, node: DomElement): string;
  }

  export default class TurndownService {
    constructor(options?: Options);
    addRule(key: string, rule: Rule): this;
    /** Called with each text outside of code; made to be replaced. */
    escape: (text: string) => string;
    turndown(root: DomElement): string;
  }
}
