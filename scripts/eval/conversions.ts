import { rmSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Readability } from "@mozilla/readability";
import { build } from "esbuild";
import { parseHTML } from "linkedom/worker";
import TurndownService from "turndown";

export interface Options {
  url: string;
  markdown: boolean;
  text: boolean;
  onlyMainContent: boolean;
}

export interface Conversion {
  decodeHtml(bytes: Uint8Array, contentType: string | null): string;
  convertHtml(html: string, options: Options): { markdown?: string };
  wallOf(answer: { status: number; headers: Map<string, string>; html: string }): string | null;
}

/** The project's own conversion, bundled as the Worker's build does it. */
export async function loadConversion(project: string): Promise<Conversion> {
  const outfile = join(project, ".cache", `eval-extract-${process.pid}.mjs`);
  await build({
    stdin: {
      contents: ["charset", "convert", "walls"].map((file) => `export * from "./src/html/${file}";`).join("\n"),
      resolveDir: project,
    },
    bundle: true,
    format: "esm",
    logLevel: "error",
    outfile,
  });
  try {
    return await import(pathToFileURL(outfile).href);
  } finally {
    rmSync(outfile);
  }
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

export function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
