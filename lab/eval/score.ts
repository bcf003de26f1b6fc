import { execFileSync } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { sum } from "../figures.ts";
import type { Truth } from "./fixtures.ts";

const PROJECT = resolve(import.meta.dirname, "../..");

/** The outputs of a set. The keys are the ids of the pages. */
export type Outputs = Record<string, { markdown?: string; text?: string }>;

export interface ArticlePage {
  id: string;
  f1: number;
  precision: number;
  recall: number;
  url: string;
}

export interface SnippetPage {
  id: string;
  url: string;
  missing: string[];
  extra: string[];
}

export interface F1 {
  f1: number;
  precision: number;
  recall: number;
}

/** Runs `score.mjs` from the fixtures folder on the outputs. Returns the script's report. */
export function score<T>(
  folder: string,
  kind: "articles" | "snippets" | "structure",
  set: string,
  outputs: Outputs,
): T {
  const temporary = mkdtempSync(join(tmpdir(), "eval-extract-"));
  try {
    const file = join(temporary, "outputs.json");
    writeFileSync(file, JSON.stringify(outputs));
    // The scorer runs only if it is called by its real path. It loads its renderer from the current directory, which
    // must be the project.
    const scorer = realpathSync(join(folder, "score.mjs"));
    const args = [scorer, kind, join(folder, set), file, "--json", "--bootstrap", "1"];
    return JSON.parse(execFileSync(process.execPath, args, { cwd: PROJECT, encoding: "utf8", maxBuffer: 1 << 28 }));
  } finally {
    rmSync(temporary, { recursive: true });
  }
}

/** Returns every second page in the order of the ids, starting with the first (0) or the second (1). */
export function half<T extends { id: string }>(pages: readonly T[], first: 0 | 1): T[] {
  return pages.toSorted((a, b) => (a.id < b.id ? -1 : 1)).filter((_, index) => index % 2 === first);
}

/** Returns the mean precision, the mean recall and their harmonic mean. The scorer calculates them in the same way. */
export function articlesFigures(pages: readonly ArticlePage[]): F1 {
  const precision = mean(pages.map((page) => page.precision));
  const recall = mean(pages.map((page) => page.recall));
  return { precision, recall, f1: harmonic(precision, recall) };
}

/** Returns precision, recall and F1 over the snippets of all pages. The scorer calculates them in the same way. */
export function snippetsFigures(pages: readonly SnippetPage[], truth: Record<string, Truth>): F1 {
  const wanted = sum(pages.map(({ id }) => truth[id]?.with?.length ?? 0));
  const hits = wanted - sum(pages.map(({ missing }) => missing.length));
  const extra = sum(pages.map((page) => page.extra.length));
  const precision = hits / (hits + extra);
  const recall = hits / wanted;
  return { precision, recall, f1: harmonic(precision, recall) };
}

function harmonic(a: number, b: number): number {
  return a + b > 0 ? (2 * a * b) / (a + b) : 0;
}

function mean(values: number[]): number {
  return sum(values) / Math.max(1, values.length);
}
