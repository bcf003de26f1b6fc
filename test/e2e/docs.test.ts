// What the documents say of the project, held against it: links, commands, variables and secrets.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { unstable_readConfig } from "wrangler";

const root = resolve(import.meta.dirname, "../..");
const read = (path: string) => readFileSync(join(root, path), "utf8");
const names = [
  ...readdirSync(root).filter((name) => name.endsWith(".md")),
  ...readdirSync(join(root, "docs")).flatMap((name) => (name.endsWith(".md") ? [`docs/${name}`] : [])),
];

/** The text without its blocks of code, in which nothing is a link, a heading or a row. */
const prose = (path: string) => read(path).replace(/^```[\s\S]*?^```/gm, "");

/** As GitHub makes a heading's anchor. */
function toAnchors(path: string): string[] {
  const headings = [...prose(path).matchAll(/^#+ (.+)$/gm)].map(([, text = ""]) => text);
  return headings.map((text) =>
    text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .replace(/\s/g, "-"),
  );
}

describe.each(names)("%s", (name) => {
  it("links to what is there", () => {
    const targets = [...prose(name).matchAll(/\]\(([^)\s]+)\)|^\[[^\]]+\]: (\S+)$/gm)].map(([, a, b]) => a ?? b ?? "");
    const broken = targets
      .filter((target) => !/^https?:/.test(target))
      .filter((target) => {
        const [file = "", anchor] = target.split("#");
        const path = file === "" ? name : join(dirname(name), file);
        return !existsSync(join(root, path)) || (anchor !== undefined && !toAnchors(path).includes(anchor));
      });
    expect(broken).toEqual([]);
  });

  it("names scripts and files that there are", () => {
    const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
    const commands = [...read(name).matchAll(/npm run ([\w:-]+)/g)].map(([, script = ""]) => script);
    expect(commands.filter((script) => !(script in scripts))).toEqual([]);
    const files = [...prose(name).matchAll(/`((?:src|test|scripts)\/[\w/.-]+)`/g)].map(([, path = ""]) => path);
    expect(files.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });
});

/** The rows of the README's table with this first heading: a name in code, and the next cell without its code marks. */
function rowsOf(heading: string): [string, string][] {
  const [, table = ""] =
    new RegExp(`^\\| ${heading} \\|.*\\n\\|[-|]+\\n((?:\\|.*\\n)+)`, "m").exec(prose("README.md")) ?? [];
  return table
    .trim()
    .split("\n")
    .map((row) => row.split(" |").map((cell) => cell.replace(/^\|?\s*|`/g, "")))
    .map(([name = "", value = ""]) => [name.trim(), value.trim()]);
}

describe("the README's tables", () => {
  const config = unstable_readConfig({ config: join(root, "wrangler.toml") }, { hideWarnings: true });

  it("have every variable of wrangler.toml with its default, and no other", () => {
    expect(rowsOf("variable")).toEqual(Object.entries(config.vars));
  });

  it("have every secret, and no other", () => {
    const optional = [...read("src/secrets.d.ts").matchAll(/^ {2}(\w+)\?: string;$/gm)].map(([, name]) => name);
    expect(optional.length).toBeGreaterThan(0);
    expect(
      rowsOf("secret")
        .map(([name]) => name)
        .sort(),
    ).toEqual([...(config.secrets?.required ?? []), ...optional].sort());
  });
});
