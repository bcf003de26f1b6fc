import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { fixturesFolder, importScorer, type Page, readStoredPage } from "./fixtures.ts";
import type { F1 } from "./score.ts";

/** The kinds of pages in WCXB, in the order of their numbers of pages. */
export const WCXB_KINDS = ["article", "service", "forum", "collection", "listing", "product", "documentation"] as const;
export type WcxbKind = (typeof WCXB_KINDS)[number];

/** The expected content of a page. */
export interface WcxbTruth {
  url: string;
  page_type: WcxbKind;
  title: string;
  author: string;
  date: string;
  main_content: string;
  with: string[];
  without: string[];
}

export interface WcxbPage extends F1 {
  id: string;
  url: string;
  kind: WcxbKind;
}

/** The means over the pages of a kind. `empty` is the number of pages that have no word of the expected content. */
export interface WcxbFigures extends F1 {
  pages: number;
  empty: number;
  /** The share of the wanted snippets that are in the outputs. */
  with: number;
  /** The share of the unwanted snippets that aren't in the outputs. */
  without: number;
}

export interface WcxbScore {
  perPage: WcxbPage[];
  /** The figures of each kind that has pages, and of all pages. */
  figures: { all: WcxbFigures } & { [K in WcxbKind]?: WcxbFigures };
}

/** The part of wcxb/score.mjs that this module uses. */
interface Scorer {
  score(truth: Pick<WcxbTruth, "main_content" | "with" | "without">, text: string): F1 & { type: WcxbKind };
  figures(rows: readonly object[]): WcxbScore["figures"];
}

/** The data set. Create it with `loadWcxb`. */
export interface Wcxb {
  folder: string;
  truth: ReadonlyMap<string, WcxbTruth>;
  scorer: Scorer;
}

/** Reads the expected contents. The keys are the ids of the pages. */
export function readWcxbTruth(folder: string): Record<string, WcxbTruth> {
  return JSON.parse(gunzipSync(readFileSync(join(folder, "ground-truth.json.gz"))).toString());
}

/** Loads one half of the data set from the fixtures. Returns null if they don't exist. */
export async function loadWcxb(project: string, half: "wcxb" | "wcxb-b" = "wcxb"): Promise<Wcxb | null> {
  const folder = fixturesFolder(project, half);
  const first = fixturesFolder(project, "wcxb");
  if (folder === null || first === null) return null;
  const truth = new Map(Object.entries(readWcxbTruth(folder)));
  return { folder, truth, scorer: await importScorer<Scorer>(first) };
}

/** Reads the pages with these ids. The default is all pages. */
export function readWcxbPages({ folder, truth }: Wcxb, ids: Iterable<string> = truth.keys()): Page[] {
  return Array.from(ids, (id) => readStoredPage(folder, { id, url: truthOf(truth, id).url }));
}

/** Scores the texts of pages. The keys are ids. Pages that aren't in `outputs` don't count. */
export function scoreWcxb({ truth, scorer }: Wcxb, outputs: ReadonlyMap<string, string>): WcxbScore {
  const rows = Array.from(outputs, ([id, text]) => ({ id, ...scorer.score(truthOf(truth, id), text) }));
  const perPage = rows.map(({ id, type, f1, precision, recall }) => ({
    id,
    url: truthOf(truth, id).url,
    kind: type,
    f1,
    precision,
    recall,
  }));
  return { perPage, figures: scorer.figures(rows) };
}

function truthOf(truth: ReadonlyMap<string, WcxbTruth>, id: string): WcxbTruth {
  const expected = truth.get(id);
  if (expected === undefined) throw new Error(`WCXB has no page '${id}'.`);
  return expected;
}
