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

/** The project's own conversion, bundled as the Worker's build does it. */
export function loadConversion(project: string): Promise<Conversion> {
  const files = ["encoding/decode", "convert", "block-pages/detect"];
  const modules = files.map((file) => `export * from "./src/html/${file}";`);
  return loadSource(project, modules.join("\n"));
}

const turndown = new TurndownService({ headingStyle: "atx", codeBlockStyle: "fenced" });

/** Readability on linkedom, written by turndown: what ran here before, and the strongest of the peers. */
export function convertByPeer(html: string): string {
  const { document } = parseHTML(html);
  return turndown.turndown(new Readability(document).parse()?.content ?? "");
}

/** CPU time of one call, in milliseconds, garbage collection included. */
export function cpuMs(run: () => void): number {
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
