import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { gunzipSync } from "node:zlib";

export interface Page {
  id: string;
  bytes: Uint8Array;
  contentType: string;
  url: string;
}

export interface Truth {
  url: string;
  articleBody?: string;
  with?: string[];
  without?: string[];
}

/** The base URL of the pages in the structure sets. */
const STRUCTURE_URL = "http://fakehost/test/page.html";

/** Returns the folder of one of the sets of fixtures, or null if it doesn't exist. */
export function fixturesFolder(
  project: string,
  set: "extract" | "wcxb" | "wcxb-b" | "recipes" = "extract",
): string | null {
  const folder = join(process.env.FIXTURES || resolve(project, "../shared/fixtures"), set);
  return existsSync(folder) ? folder : null;
}

/** Imports `score.mjs` from a folder of fixtures. */
export function importScorer<Scorer>(folder: string): Promise<Scorer> {
  return import(pathToFileURL(join(folder, "score.mjs")).href);
}

/** Reads a stored page of wcxb or recipes. They are stored in UTF-8. Some URLs have no scheme. */
export function readStoredPage(folder: string, { id, url }: { id: string; url: string }): Page {
  const bytes = gunzipSync(readFileSync(join(folder, "html", `${id}.html.gz`)));
  return { id, bytes, contentType: "text/html; charset=utf-8", url: URL.canParse(url) ? url : `https://${url}` };
}

export function readTruth(folder: string, set: string): Record<string, Truth> {
  return JSON.parse(readFileSync(join(folder, set, "ground-truth.json"), "utf8"));
}

/** Reads the pages of a set, as their servers sent them. */
export function readPages(folder: string, set: string): Page[] {
  const truth = readTruth(folder, set);
  const contentType = set === "articles" ? "text/html; charset=utf-8" : "text/html";
  return Object.keys(truth)
    .sort()
    .map((id) => ({
      id,
      bytes: gunzipSync(readFileSync(join(folder, set, "html", `${id}.html.gz`))),
      contentType,
      url: truth[id]?.url ?? STRUCTURE_URL,
    }));
}

/** Reads contents that are already extracted and only need conversion to markdown. */
export function readContents(folder: string, set: string): Page[] {
  return readdirSync(join(folder, set))
    .sort()
    .filter((id) => existsSync(join(folder, set, id, "expected.html")))
    .map((id) => ({
      id,
      bytes: readFileSync(join(folder, set, id, "expected.html")),
      contentType: "text/html; charset=utf-8",
      url: STRUCTURE_URL,
    }));
}
