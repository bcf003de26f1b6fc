import { expect, it } from "vitest";
import { checkProse } from "../../scripts/prose.ts";

const toLines = (findings: { line: number }[]) => findings.map(({ line }) => line);

it.each([
  ["docs/api.md", "# Jobs\n\nNobody reads the result.", [3]],
  ["docs/api.md", "| a | b |\n| - | - |\n| fine | sent at once |", [3]],
  ["src/a.ts", "const a = 1;\n// Runs at once.\n", [2]],
  ["src/a.ts", "/**\n * Runs the job. It ends at\n * once.\n */\nexport const a = 1;", [2]],
  ["src/a.ts", 'throw new Error("Somebody changed the key.");', [1]],
  ["src/a.ts", "throw new Error(`$" + "{key} was changed by somebody.`);", [1]],
  ["src/a.tsx", "export const A = () => (\n  <p>\n    Sent at once\n  </p>\n);", [3]],
  ["src/a.tsx", 'export const A = () => <p title="Sent at once" />;', [1]],
  ["test/a.test.ts", 'it("sends it at once", () => {});', [1]],
  ["test/a.test.ts", 'it.each([1])("sends %s at once", () => {});', [1]],
  ["test/a.test.ts", 'describe.concurrent("at once: webhooks", () => {});', [1]],
  ["schema.sql", "CREATE TABLE a (\n  b TEXT -- read at once\n);", [2]],
  ["assets/a.css", "/* Shown at once. */\na {}", [1]],
  ["wrangler.toml", 'a = 1 # read at once\nb = "2"', [1]],
  [".ci/run", "#!/bin/sh\n# Ends at once.\nexit 0", [2]],
  [".ci/run", "exit 0 # ends at once", [1]],
  ["redocly.yaml", "a: 1 # read at once", [1]],
  ["src/error-help.json", '{\n  "a": { "hint": "Send it at once." }\n}', [2]],
  ["src/a.tsx", 'export const A = () => <Cell of="Took" />;', [1]],
  ["docs/a.md", "Whoever waited for the run is gone with it, after a hand-over.", [1, 1, 1]],
])("finds a refused phrase in %s: %j", async (file, source, lines) => {
  expect(toLines(await checkProse(file, source))).toEqual(lines);
});

it.each([
  ["docs/api.md", "The phrase `at once` is code.\n\n```\nat once\n```"],
  ["src/a.ts", 'const sql = "SELECT a FROM b WHERE c = 1 -- at once";'],
  ["src/a.ts", "// biome-ignore lint/a: at once\nconst a = 1;"],
  ["test/a.test.ts", 'const page = "Nobody reads this at once.";'],
  ["wrangler.toml", 'a = "at once"'],
])("finds nothing in %s: %j", async (file, source) => {
  expect(await checkProse(file, source)).toEqual([]);
});

it("says what to write instead", async () => {
  expect(await checkProse("docs/a.md", "It runs at once.")).toEqual([
    { line: 1, reason: "at once => immediately or in one call" },
  ]);
});

it.each(["What", "Whether", "Who", "Whose", "How", "Where", "Of", "Tells"])(
  "refuses a docstring that starts with %s",
  async (word) => {
    const [finding, ...others] = await checkProse("src/a.ts", `\n/** ${word} a job needs. */\nexport const a = 1;`);
    expect(finding).toMatchObject({ line: 2, reason: expect.stringContaining(`'${word}'`) });
    expect(others).toEqual([]);
  },
);

it.each([
  ["export function sendAway() {}", "Use detachCaller."],
  ["export class KeyGate {}", "Use KeyVerifier."],
  ["const wallOf = 1;", "Use detectBlockPage."],
  ["class A {\n  #putBack() {}\n}", "Use requeue."],
  ["export type Admission = string;", "Use CreateJobInput."],
  ["export const run = { putBack() {} };", "Use requeue."],
  ["interface A { sendAway(): void }", "Use detachCaller."],
  ["const run = (unseen: boolean) => !unseen;", "Use isHidden."],
  ["const { wallOf } = { wallOf: 1 };", "Use detectBlockPage."],
  ['import { a as putBack } from "./b";', "Use requeue."],
  ["export const admitJob = 1;", "Use create."],
  ["type Awaited = string;", "hides a type of the platform"],
  ["interface Response {}", "hides a type of the platform"],
])("refuses the name in %s", async (source, reason) => {
  expect(await checkProse("src/a.ts", source)).toEqual([
    { line: expect.any(Number), reason: expect.stringContaining(reason) },
  ]);
});

it("accepts a replaced name that a package declares", async () => {
  expect(await checkProse("src/a.ts", 'import { chrome } from "a";\nchrome.sweep();')).toEqual([]);
});

it("throws for a file that it can't parse", async () => {
  await expect(checkProse("src/a.ts", "const = ;")).rejects.toThrow(SyntaxError);
});
