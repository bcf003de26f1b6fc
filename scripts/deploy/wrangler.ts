import { spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import type { Wanted } from "./wanted.ts";

export interface Result {
  ok: boolean;
  stdout: string;
  /** All that it said, for a person. */
  words: string;
}

/** Runs wrangler as a program of its own, as a person would: its command line is what it promises to keep. */
export interface Wrangler {
  /** By wrangler.toml. */
  run: (args: string[], env?: Record<string, string>) => Promise<Result>;
  /**
   * By a configuration that has nothing but the account: a command that creates or asks by name would otherwise take an
   * id from wrangler.toml, or want to write one into it.
   */
  ask: (args: string[]) => Promise<Result>;
}

interface Options {
  project: string;
  /** The program and what always stands before its arguments. */
  command: [string, ...string[]];
  wanted: Wanted;
}

/** No colours, no look for a newer version: what it says is read. */
const QUIET = { NO_COLOR: "1", FORCE_COLOR: "0", WRANGLER_HIDE_BANNER: "true", WRANGLER_SEND_METRICS: "false" };

export function toWrangler({ project, command: [program, ...before], wanted }: Options): Wrangler {
  const config = join(project, ".cache", "deploy.json");

  function run(args: string[], env: Record<string, string> = {}): Promise<Result> {
    return new Promise((done, failed) => {
      // Nobody is asked in the middle: what will be done has been said before.
      const child = spawn(program, [...before, ...args], {
        cwd: project,
        env: { ...process.env, ...QUIET, ...env },
        stdio: ["ignore", "pipe", "pipe"],
      });
      const [out, all]: [Buffer[], Buffer[]] = [[], []];
      child.stdout.on("data", (data) => out.push(data));
      for (const stream of [child.stdout, child.stderr]) stream.on("data", (data) => all.push(data));
      child.once("error", failed);
      child.once("close", (code) => done({ ok: code === 0, stdout: toText(out), words: toText(all).trim() }));
    });
  }

  return {
    run,
    ask: (args) => {
      const { worker: name, accountId: account_id, compatibilityDate: compatibility_date } = wanted;
      mkdirSync(join(project, ".cache"), { recursive: true });
      writeFileSync(
        config,
        JSON.stringify({ name, compatibility_date, ...(account_id === null ? {} : { account_id }) }),
      );
      return run([...args, "--config", config]);
    },
  };
}

function toText(pieces: Buffer[]): string {
  return stripVTControlCharacters(Buffer.concat(pieces).toString("utf8"));
}

/** What a command printed as JSON, whatever stands before it. Throws with its words when it failed or printed none. */
export function readJson<T>({ ok, stdout, words }: Result): T {
  const start = stdout.search(/^[[{]/m);
  if (!ok || start < 0) throw new Error(words);
  return JSON.parse(stdout.slice(start)) as T;
}
