import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fixturesFolder, readPages, readStoredPage } from "./fixtures.ts";
import { loadSource } from "./source.ts";
import { readWcxbTruth } from "./wcxb.ts";

interface PageResponse {
  url: string;
  status: number;
  rendered: boolean;
}

/** The service's classification, bundled from src. */
export interface Classifier {
  OUTCOMES: readonly string[];
  decodeHtml(bytes: Uint8Array, contentType: string | null): string;
  openPage(html: string): { hidden: unknown };
  detectBlockPage(page: { status: number; headers: Map<string, string>; html: string }): string | null;
  detectOutcome(page: object, response: PageResponse): { outcome: string; reason: string | null };
  convertHtml(html: string, options: object): object;
}

export interface EvaluatedPage {
  id: string;
  html: string;
  url: string;
}

export interface LabeledPage extends EvaluatedPage {
  label: string;
}

/** The pages of the ordinary sets that really have another outcome, and why. */
export const JUDGED: Readonly<Record<string, string>> = {
  "0221": "paywall: the article ends with “This article is exclusive to STAT+ subscribers”",
  "0557": "needs_rendering: the text is only in <noscript>, and the output is “Skip to content”",
  "4147": "empty: the saved page has no text, because its scripts were removed",
  "4607": "empty: the saved page has no text, because its scripts were removed",
  "000-0a12df42d1764095989ab078ee0f940b": "paywall: the first paragraph is followed by an offer of subscriptions",
  "082-aoc.media.archaisme": "paywall: two paragraphs are followed by “Pour lire la suite […], créez votre compte”",
  "042bb7b5fedab6eac7db576522b89b93904c237d344bcbe14a6a5ab7f7335856":
    "paywall: two paragraphs are followed by “To Read the Full Story, Subscribe”",
};

export const ORDINARY_SETS = ["wcxb", "snippets", "articles"] as const;
type OrdinarySet = (typeof ORDINARY_SETS)[number];

const DEFAULT_URL = "https://page.example/";
/** The comment in a fixture that gives the address of the page. */
const URL_COMMENT = /<!--\s*(?:url|source|from)\s*[:=]\s*(https?:\/\/[^\s>]+)/i;
/** The comment in a fixture of a page that was rendered. */
const RENDERED_COMMENT = /<!--[^>]*\brendered\s*[:=]\s*true\b/i;

let decode: Classifier["decodeHtml"] | null = null;

/** Bundles and loads the service's classification. */
export async function loadClassifier(project: string): Promise<Classifier> {
  const files = [
    "html/encoding/decode",
    "html/visible-page",
    "html/outcome/outcome",
    "html/block-pages/detect",
    "html/convert",
    "model/job",
  ];
  const modules = files.map((file) => `export * from "./src/${file}";`);
  const classifier = await loadSource<Classifier>(project, modules.join("\n"));
  decode = classifier.decodeHtml;
  return classifier;
}

/** The label of block pages, which are an error of the request and not an outcome. */
export const BLOCKED = "blocked_by_target";

/** Classifies a page. A comment in the page can say that it was rendered. */
export function classify(
  { detectBlockPage, openPage, detectOutcome }: Classifier,
  { html, url }: EvaluatedPage,
): { outcome: string; reason: string | null } {
  const vendor = detectBlockPage({ status: 200, headers: new Map(), html });
  if (vendor !== null) return { outcome: BLOCKED, reason: vendor };
  return detectOutcome(openPage(html), { url, status: 200, rendered: RENDERED_COMMENT.test(html) });
}

/** Reads the pages in test/fixtures/outcomes/{part}/{label}/. */
export function readLabeledPages(project: string, part: "dev" | "held" | "served"): LabeledPage[] {
  const folder = join(project, "test/fixtures/outcomes", part);
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".html"))
    .sort()
    .map((file) => {
      const html = readFileSync(join(folder, file), "utf8");
      return { id: file, label: file.split("/")[0] ?? "", html, url: URL_COMMENT.exec(html)?.[1] ?? DEFAULT_URL };
    });
}

/** Reads a set of ordinary pages. Returns null if its fixtures don't exist. */
export function readOrdinaryPages(set: OrdinarySet, project: string): EvaluatedPage[] | null {
  const folder = fixturesFolder(project, set === "wcxb" ? "wcxb" : "extract");
  if (folder === null) return null;
  const pages =
    set === "wcxb"
      ? Object.entries(readWcxbTruth(folder)).map(([id, { url }]) => readStoredPage(folder, { id, url }))
      : readPages(folder, set);
  return pages.map(({ id, bytes, contentType, url }) => ({ id, url, html: decode?.(bytes, contentType) ?? "" }));
}
