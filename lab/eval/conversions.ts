import { Readability } from "@mozilla/readability";
import { parseHTML } from "linkedom/worker";
import TurndownService from "turndown";
import { loadSource } from "./source.ts";

export interface Options {
  url: string;
  markdown: boolean;
  text: boolean;
  onlyMainContent: boolean;
}

export interface Conversion {
  decodeHtml(bytes: Uint8Array, contentType: string | null): string;
  convertHtml(html: string, options: Options): { markdown?: string; text?: string };
  detectBlockPage(page: { status: number; headers: Map<string, string>; html: string }): string | null;
}

/** Bundles and loads the service's conversion. */
export function loadConversion(project: string): Promise<Conversion> {
  const files = ["encoding/decode", "convert", "block-pages/detect"];
  const modules = files.map((file) => `export * from "./src/html/${file}";`);
  return loadSource(project, modules.join("\n"));
}

const turndown = new TurndownService({ headingStyle: "atx", codeBlockStyle: "fenced" });

/** Returns the HTML of the main content that Readability finds with linkedom. */
export function readContent(html: string): string {
  const { document } = parseHTML(html);
  return new Readability(document).parse()?.content ?? "";
}

/** Converts HTML to markdown with turndown. */
export function toMarkdown(html: string): string {
  return turndown.turndown(html);
}

/** Converts with Readability, linkedom and turndown, which the service used earlier. It is the best alternative. */
export function convertByPeer(html: string): string {
  return toMarkdown(readContent(html));
}

/** Returns the CPU time (ms) of one call, including garbage collection. */
export function cpuMs(run: () => void): number {
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
