// Checks the language of comments, docs, messages, UI texts and test names, and the names of declarations.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { TextlintKernel, type TextlintKernelPlugin, type TextlintKernelRule } from "@textlint/kernel";
import { parseOptions } from "./options.ts";
import { listFiles } from "./project-files.ts";
import { extractProse, type Finding } from "./prose/extract.ts";

const TERMS = join(import.meta.dirname, "prose/terms.yml");
/** These files aren't checked, because they list the forbidden phrases and names. */
const EXCLUDED = new Set([
  "scripts/prose/terms.yml",
  "scripts/prose/names.ts",
  "scripts/prose/extract.ts",
  "test/e2e/prose.test.ts",
]);
/** The texts of the API reference and of the dashboard are JSON. Other JSON is data. */
const CHECKED = /\.(?:md|tsx?|m?js|sql|css|toml|ya?ml)$|(?:help|texts|operations|examples)\.json$|^\.ci\//;
const GENERATED = /\.d\.ts$|^test\/fixtures\//;

// Uses `require`, because Node and Vite wrap the default exports of these CommonJS modules differently.
const require = createRequire(import.meta.url);
const markdown: TextlintKernelPlugin["plugin"] = require("@textlint/textlint-plugin-markdown").default;
const prh: TextlintKernelRule["rule"] = require("textlint-rule-prh").default;

const kernel = new TextlintKernel();

/**
 * Checks the language of one file and returns the findings in the order of its lines. `file` is relative to the
 * project.
 */
export async function checkProse(file: string, source: string): Promise<Finding[]> {
  const { markdown: text, findings } = file.endsWith(".md")
    ? { markdown: source, findings: [] }
    : extractProse(file, source);
  const { messages } = await kernel.lintText(text, {
    filePath: `${file}.md`,
    ext: ".md",
    plugins: [{ pluginId: "markdown", plugin: markdown }],
    rules: [
      {
        ruleId: "prh",
        rule: prh,
        options: { rulePaths: [TERMS], checkLink: true, checkBlockQuote: true, checkEmphasis: true },
      },
    ],
  });
  const phrases = messages.map(({ line, message }) => ({ line, reason: message.replace(/\s*\n\s*/g, ". ") }));
  return [...findings, ...phrases].toSorted((a, b) => a.line - b.line);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const { positionals } = parseOptions(
    `node scripts/prose.ts [FILE…]

Checks the language of comments, texts and names in the files (default: all
files that Git doesn't ignore). npm run check runs this script.`,
    { allowPositionals: true },
  );
  const files = positionals.length > 0 ? positionals : listFiles(process.cwd());
  let count = 0;
  for (const file of files) {
    if (!CHECKED.test(file) || GENERATED.test(file) || EXCLUDED.has(file)) continue;
    for (const { line, reason } of await checkProse(file, readFileSync(file, "utf8"))) {
      console.error(`${file}:${line}: ${reason}`);
      count++;
    }
  }
  if (count > 0) process.exitCode = 1;
}
