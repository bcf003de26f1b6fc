// Compares the documents with the project: links, commands, files, variables and secrets.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { unstable_readConfig } from "wrangler";
import { PROGRAMS } from "../../lab/programs.ts";
import { SECRETS } from "../../scripts/known-variables.ts";

const root = resolve(import.meta.dirname, "../..");
const read = (path: string) => readFileSync(join(root, path), "utf8");
const names = [
  ...readdirSync(root).filter((name) => name.endsWith(".md")),
  "lab/README.md",
  ...readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" }).flatMap((name) =>
    name.endsWith(".md") ? [`docs/${name}`] : [],
  ),
];

/** Returns the text without its code blocks, which have no links, headings or tables. */
const prose = (path: string) => read(path).replace(/^```[\s\S]*?^```/gm, "");

/** Returns the anchors of a page's headings, in GitHub's format. */
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
  it("has no broken links", () => {
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

  it("names only npm scripts and files that exist", () => {
    const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
    const commands = [...read(name).matchAll(/npm run ([\w:-]+)/g)].map(([, script = ""]) => script);
    expect(commands.filter((script) => !(script in scripts))).toEqual([]);
    const programs = [...read(name).matchAll(/npm run (lab|eval) -- (\w[\w-]*)/g)];
    const known = (script: string, program: string) => program in PROGRAMS[script === "eval" ? "eval" : "lab"];
    expect(programs.filter(([, script = "", program = ""]) => !known(script, program))).toEqual([]);
    const files = [...prose(name).matchAll(/`((?:src|clients|test|scripts|lab)\/[\w/.-]+)`/g)].map(
      ([, path = ""]) => path,
    );
    expect(files.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });
});

/**
 * Reads all tables whose first column has this heading. Returns the text of the first two cells of each row, without
 * backticks.
 */
function rowsOf(path: string, heading: string): [string, string][] {
  const tables = prose(path).matchAll(new RegExp(`^\\| ${heading} \\|.*\\n\\|[-|]+\\n((?:\\|.*\\n)+)`, "gm"));
  return [...tables]
    .flatMap(([, table = ""]) => table.trim().split("\n"))
    .map((row) => row.split(" |").map((cell) => cell.replace(/^\|?\s*|`/g, "")))
    .map(([name = "", value = ""]) => [name.trim(), value.trim()]);
}

it("has one version in the packages, the lock file, the User-Agent and the changelog", () => {
  const { version } = JSON.parse(read("package.json")) as { version: string };
  const lock = JSON.parse(read("package-lock.json")) as { version: string; packages: { "": { version: string } } };
  const [, changelog] = /^## ([\d.]+) \(\d{4}-\d\d-\d\d\)$/m.exec(read("CHANGELOG.md")) ?? [];
  const client = JSON.parse(read("clients/typescript/package.json")) as { version: string };
  const others = [lock.version, lock.packages[""].version, client.version, changelog];
  expect(new Set(others)).toEqual(new Set([version]));
  const { vars } = unstable_readConfig({ config: join(root, "wrangler.toml") }, { hideWarnings: true });
  expect(vars.USER_AGENT).toContain(`WebDataExtraction/${version.replace(/\.\d+$/, "")})`);
});

it.each(names.filter((name) => /^docs\/api\/(?!from-)/.test(name)))(
  "%s begins with a sentence, a request and its answer",
  (name) => {
    expect(read(name)).toMatch(/^# .+\n\n[^\n|#-].+\n\n```sh\ncurl [^`]+\n```\n\n```json\n/);
  },
);

it("README.md has at most 1,500 words", () => {
  expect(read("README.md").trim().split(/\s+/).length).toBeLessThanOrEqual(1_500);
});

it("names every npm script in a document", () => {
  const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
  const text = names.map(read).join("\n");
  const named = new Set([...text.matchAll(/npm (?:run )?([\w:-]+)/g)].map(([, script]) => script));
  expect(Object.keys(scripts).filter((script) => !named.has(script))).toEqual([]);
});

it("describes every program of the laboratory in lab/README.md", () => {
  const text = read("lab/README.md");
  const names = Object.entries(PROGRAMS).flatMap(([script, programs]) =>
    Object.keys(programs).map((program) => `npm run ${script} -- ${program}`),
  );
  expect(names.filter((name) => !text.includes(`\`${name}\``))).toEqual([]);
});

describe("docs/configuration.md", () => {
  const config = unstable_readConfig({ config: join(root, "wrangler.toml") }, { hideWarnings: true });

  it("lists exactly the variables of wrangler.toml, in the same order and with their defaults", () => {
    expect(rowsOf("docs/configuration.md", "variable")).toEqual(Object.entries(config.vars));
  });

  it("lists exactly the secrets", () => {
    const secrets = [...read("src/secrets.d.ts").matchAll(/^ {2}(\w+)\??: string;$/gm)].map(([, name]) => name);
    expect(secrets.toSorted()).toEqual(SECRETS.toSorted());
    expect(
      rowsOf("docs/configuration.md", "secret")
        .map(([name]) => name)
        .sort(),
    ).toEqual(secrets.sort());
  });
});
