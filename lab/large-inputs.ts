// `npm run lab -- large-inputs [name]`: converts hostile pages of 1 to 5 MB to all formats, and prints the CPU time.
import { resolve } from "node:path";
import { LARGE_PAGES } from "../test/support/hostile/large-pages.ts";
import { cpuMs } from "./eval/conversions.ts";
import { loadSource } from "./eval/source.ts";

interface Conversion {
  convertHtml(html: string, options: object): { text?: string };
}

const FORMATS = { markdown: true, text: true, cleanHtml: true, metadata: true, links: true, images: true };
const BYTES_PER_MB = 1_000_000;

const part = process.argv[2] ?? "";
const { convertHtml } = await loadSource<Conversion>(
  resolve(import.meta.dirname, ".."),
  'export * from "./src/html/convert";',
);

console.log("| page | MB | main content, ms of CPU | whole page, ms of CPU | answer |\n|---|---|---|---|---|");
for (const [name, makePage] of Object.entries(LARGE_PAGES)) {
  if (!name.includes(part)) continue;
  const html = makePage();
  let answer = "";
  const [main, whole] = [true, false].map((onlyMainContent) =>
    cpuMs(() => {
      answer = convert(html, onlyMainContent);
    }),
  );
  const figures = [(html.length / BYTES_PER_MB).toFixed(1), main?.toFixed(0), whole?.toFixed(0)];
  console.log(`| ${name.replaceAll("|", "\\|")} | ${figures.join(" | ")} | ${answer} |`);
}

function convert(html: string, onlyMainContent: boolean): string {
  try {
    convertHtml(html, { url: "https://coast.example/", ...FORMATS, onlyMainContent });
    return "converted";
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
