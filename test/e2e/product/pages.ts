// Runs the commands of README.md and of all pages in docs/ against a service that `npm start` started, as a reader does:
// the `sh` blocks of a page run in bash, from the first to the last, and share their variables, files and jobs.
import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { LOCAL_EMAIL, readAdminToken } from "../../../scripts/local-state.ts";
import { listFiles } from "../../../scripts/project-files.ts";
import type { ProductWorld } from "../../support/product-world.ts";
import { compareAnswer } from "./answers.ts";

const root = resolve(import.meta.dirname, "../../..");
const PAGES = ["README.md", ...readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" }).map(toPath)]
  .filter((path) => path.endsWith(".md") && !path.startsWith("docs/evidence/"))
  .toSorted();

function toPath(name: string): string {
  return `docs/${name}`;
}

/** A page can have many commands, each of which starts a process. */
const PAGE_TIMEOUT_MS = 900_000;

interface Block {
  /** The line of the opening fence, from 1. */
  line: number;
  language: string;
  /** The name of the file whose content the block is, as in ```` ```ts chunks.ts ````. */
  file: string | undefined;
  text: string;
  /** The JSON block that follows directly, which shows the answer. */
  answer?: string;
}

const FENCE = /^( *)```(\w*)(?: +(\S+))?$/;

/** Returns the fenced blocks of a page. Throws if a block has no end. */
function readBlocks(path: string): Block[] {
  const blocks: Block[] = [];
  const lines = readFileSync(join(root, path), "utf8").split("\n");
  let previousEnd = -1;
  for (let at = 0; at < lines.length; at++) {
    const fence = FENCE.exec(lines[at] ?? "");
    if (fence === null) continue;
    const [, indent = "", language = "", file] = fence;
    const end = lines.indexOf(`${indent}\`\`\``, at + 1);
    if (end === -1) throw new Error(`${path}:${at + 1}: the code block has no end.`);
    const text = lines
      .slice(at + 1, end)
      .map((line) => line.slice(indent.length))
      .join("\n");
    const before = blocks.at(-1);
    const isDirect = lines.slice(previousEnd + 1, at).every((line) => line.trim() === "");
    if (language === "json" && isDirect && before?.language === "sh" && previousEnd !== -1) before.answer = text;
    blocks.push({ line: at + 1, language, file, text });
    previousEnd = end;
    at = end;
  }
  return blocks;
}

/** The tools that a machine can lack. The test skips a block that starts with one of them. */
const OPTIONAL_TOOLS = ["claude", "codex", "docker", "go", "ollama", "php", "ruby"];
const missingTools = OPTIONAL_TOOLS.filter((tool) => spawnSync("which", [tool]).status !== 0);
const missingToolOf = ({ text }: Block) => missingTools.find((tool) => new RegExp(`^${tool} `, "m").test(text));

/**
 * Functions that replace commands of the pages. The suite itself has installed the packages and started the service, and
 * runs the tests and the laboratory. A command that would contact another machine fails, because only loopback is
 * allowed.
 */
const PROLOGUE = `
outside() {
  echo "This command contacts another machine. Mark its block as console, not as sh." >&2
  return 1
}
git() { outside; }
npx() {
  case "$1" in
    web-data-extraction) command npx "$@" ;;
    *) outside ;;
  esac
}
npm() {
  case "$*" in
    "run lab -- simulate") command npm "$@" ;;
    ci | start | "start -- "* | test | "run test:all" | "run lab -- "* | "run eval -- "*) ;;
    "run deploy -- --dry-run"*) command npm "$@" ;;
    "run deploy"*) outside ;;
    "run admin -- "*" --url "*) command npm "$@" ;;
    "run admin -- "* | "run listen -- "*) command npm "$@" --persist-to "$STATE" ;;
    *) command npm "$@" ;;
  esac
}
trap 'FAILED=$?' ERR
`;

/** A bash process that runs the blocks of a page. */
class Shell {
  readonly #child: ChildProcess;
  readonly #folder: string;
  readonly #marks: AsyncIterator<string>;
  #count = 0;

  constructor(cwd: string, folder: string, env: Record<string, string>) {
    this.#folder = folder;
    this.#child = spawn("bash", ["--noprofile", "--norc"], {
      cwd,
      env: { ...process.env, ...env },
      detached: true,
      stdio: ["pipe", "ignore", "ignore", "pipe"],
    });
    this.#marks = createInterface({ input: this.#child.stdio[3] as Readable })[Symbol.asyncIterator]();
    this.#child.stdin?.write(PROLOGUE);
  }

  /** Runs commands. Returns the status of the last command that failed, or 0. A block that exits the shell fails. */
  async run(text: string): Promise<{ status: number; stdout: string; stderr: string }> {
    const file = join(this.#folder, String(++this.#count));
    writeFileSync(file, `${text}\n`);
    writeFileSync(`${file}.err`, "");
    this.#child.stdin?.write(`FAILED=0; . ${file} >${file}.out 2>${file}.err </dev/null; echo $FAILED >&3\n`);
    const { value = "1" } = await this.#marks.next();
    return {
      status: Number(value),
      stdout: readFileSync(`${file}.out`, "utf8"),
      stderr: readFileSync(`${file}.err`, "utf8"),
    };
  }

  /** Ends the shell and the commands that still run in the background. */
  async end(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.pid === undefined) return;
    const ended = once(this.#child, "exit");
    process.kill(-this.#child.pid, "SIGKILL");
    await ended;
  }
}

/** The ids that later commands of a page use, by the name of the variable. */
type Ids = Record<string, string>;

/** Adds the ids of an answer. Returns the commands that set the variables. */
// biome-ignore lint/suspicious/noExplicitAny: answers have many forms, and each member can be missing.
function collectIds(answer: any, ids: Ids): string {
  const found: Record<string, unknown> = {
    BATCH_ID: answer?.batch_id,
    CRAWL_ID: answer?.crawl_id,
    JOB_ID: answer?.job_id,
    CAPTURE_ID: answer?.meta?.capture_id,
    KEY_ID: answer?.data?.key === undefined ? undefined : answer.data.id,
    DELIVERY_ID: answer?.data?.attempts === undefined ? undefined : (ids.DELIVERY_ID ?? answer.data.id),
    ENDPOINT_ID: answer?.data?.events === undefined ? undefined : answer.data.id,
    SECRET: answer?.data?.secret,
  };
  const named = Object.entries(found).filter((entry): entry is [string, string] => typeof entry[1] === "string");
  Object.assign(ids, Object.fromEntries(named));
  return named.map(([name, id]) => `export ${name}=${id}\n`).join("");
}

function parseAnswer(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function describePages(world: ProductWorld): void {
  /** Replaces the documented addresses, keys and ids by those of this service. */
  function localize(text: string, ids: Ids): string {
    const { base, live, test } = world.product;
    return text
      .replaceAll("http://127.0.0.1:8788", base)
      .replaceAll("http://127.0.0.1:8789", `http://127.0.0.1:${world.listenPort}`)
      .replaceAll("http://127.0.0.1:8790", world.product.sample)
      .replace(/--url (?:…|https:\/\/\S+)/g, `--url ${base}`)
      .replace(/https:\/\/(?:extraction\.example\.com|<host>)/g, base)
      .replaceAll("reset you@example.com", `reset ${LOCAL_EMAIL}`)
      .replaceAll("sk_live_…", live)
      .replaceAll("sk_test_…", test)
      .replace(/(\w+)=(?:019|whsec_)…/g, (_, name: string) => `${name}=${ids[name] ?? ""}`)
      .replaceAll("<account>", text.includes("<account>") ? createAccount() : "")
      .replace(/^npm .*$/gm, (command) => command.replace(/<[a-z ]+>/g, "Acme"));
  }

  /** Creates an account and returns its id, for the commands that change or erase one. */
  function createAccount(): string {
    const script = join(root, "scripts/admin.ts");
    const args = [script, "create", "Acme", "--json", "--persist-to", world.state];
    return JSON.parse(execFileSync(process.execPath, args, { encoding: "utf8" })).id;
  }

  let project: string | undefined;
  /** Copies the project. */
  function copyProject(): string {
    if (project !== undefined) return project;
    project = join(world.temporary, "web-data-extraction");
    for (const file of listFiles(root))
      if (!file.startsWith("test/")) cpSync(join(root, file), join(project, file), { recursive: true });
    symlinkSync(join(root, "node_modules"), join(project, "node_modules"));
    return project;
  }

  /** Runs the blocks of a page. Returns a description of each block that failed. */
  async function runPage(path: string): Promise<string[]> {
    const { base, test } = world.product;
    const blocks = readBlocks(path);
    // The pages about the project need its files. The commands of all other pages work in an empty folder, where they
    // install the client.
    const usesProject = blocks.some(({ language, text }) => language === "sh" && /\bnpm (?!i )/.test(text));
    const folder = usesProject ? copyProject() : mkdtempSync(join(world.temporary, "reader-"));
    const scripts = mkdtempSync(join(world.temporary, "blocks-"));
    // npm must not contact its registry.
    const offline = { npm_config_audit: "false", npm_config_fund: "false", npm_config_offline: "true" };
    // The Python package goes into the folder of the test, without its dependencies.
    const pip = { PIP_NO_DEPS: "1", PIP_RETRIES: "0", PIP_TARGET: join(world.temporary, "python") };
    const env = {
      ...offline,
      ...pip,
      BASE: base,
      KEY: test,
      STATE: world.state,
      ADMIN_TOKEN: readAdminToken(world.state),
    };
    const shell = new Shell(folder, scripts, env);
    const problems: string[] = [];
    const ids: Ids = {};
    let setIds = "";
    // With a live key, the answers are those of the page. With a test key, their texts are made up.
    const literal = blocks.some(({ text }) => text.includes("KEY=sk_live_…"));
    try {
      for (const block of blocks) {
        if (block.file !== undefined) {
          mkdirSync(join(folder, block.file, ".."), { recursive: true });
          writeFileSync(join(folder, block.file), `${localize(block.text, ids)}\n`);
        }
        if (block.language !== "sh" || missingToolOf(block) !== undefined) continue;
        const { status, stdout, stderr } = await shell.run(setIds + localize(block.text, ids));
        const fail = (problem: string) => problems.push(`${path}:${block.line}: ${problem}`);
        const output = `\n${stderr}${stdout}`.slice(0, 2_000);
        const answer = parseAnswer(stdout) ?? parseAnswer(stdout.trimEnd().split("\n").at(-1) ?? "");
        if (status !== 0) fail(`a command failed with status ${status}:${output}`);
        else if (block.answer !== undefined)
          for (const difference of compareAnswer(JSON.parse(block.answer), answer, literal)) fail(difference + output);
        else if ((answer as { success?: boolean } | undefined)?.success === false) fail(`an error response:${output}`);
        setIds = collectIds(answer, ids);
      }
    } finally {
      await shell.end();
    }
    return problems;
  }

  describe("the commands of the page", () => {
    for (const path of PAGES) {
      const blocks = readBlocks(path).filter(({ language }) => language === "sh");
      it.runIf(blocks.length > 0)(
        `${path} run, and return what the page shows`,
        async () => {
          expect((await runPage(path)).join("\n")).toBe("");
        },
        PAGE_TIMEOUT_MS,
      );
      for (const block of blocks) {
        const tool = missingToolOf(block);
        if (tool !== undefined) it(`${path}:${block.line} run`, (context) => context.skip(`${tool} isn't installed`));
      }
    }
  });
}
