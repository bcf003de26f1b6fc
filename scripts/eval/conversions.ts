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
  convertHtml(html: string, options: Options): { markdown?: string };
  detectBlockPage(page: { status: number; headers: Map<string, string>; html: string }): string | null;
}

/** Bundles and loads the service's conversion. */
export function loadConversion(project: string): Promise<Conversion> {
  const files = ["encoding/decode", "convert", "block-pages/detect"];
  const modules = files.map((file) => `export * from "./src/html/${file}";`);
  return loadSource(project, modules.join("\n"));
}

const turndown = new TurndownService({ headingStyle: "atx", codeBlockStyle: "fenced" });

/** Converts with Readability, linkedom and turndown, which the service used earlier. It is the best alternative. */
export function convertByPeer(html: string): string {
  const { document } = parseHTML(html);
  return turndown.turndown(new Readability(document).parse()?.content ?? "");
}

/** Returns the CPU time (ms) of one call, including garbage collection. */
export function cpuMs(run: () => void): number {
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
