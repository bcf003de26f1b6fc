import { Readability } from "@mozilla/readability";
import { Defuddle } from "defuddle/node";
import { parseHTML } from "linkedom/worker";
import { readWcxbPages, WCXB_KINDS, type Wcxb, type WcxbKind } from "./wcxb.ts";

export const METADATA_FIELDS = ["title", "author", "date"] as const;
export type MetadataField = (typeof METADATA_FIELDS)[number];
export type MetadataValues = { [F in MetadataField]?: string | null | undefined };

/** A page with its expected metadata. A value that the page doesn't have is an empty string. */
export interface MetadataPage {
  id: string;
  url: string;
  kind: WcxbKind;
  html: string;
  truth: Record<MetadataField, string>;
}

/**
 * The result of a comparison. If only some names of the authors are right, it is `partial`. If the page has no value,
 * it is `extra` or `none`.
 */
export type Verdict = "equal" | "partial" | "wrong" | "missing" | "extra" | "none";

/** The shares of verdicts. A share is null if no page counts. */
export interface MetadataShares {
  /** The number of pages that have a value. */
  pages: number;
  equal: number | null;
  partial: number | null;
  wrong: number | null;
  missing: number | null;
  /** The share of missing values among the values that the markup or the text of the page contains literally. */
  missingInPage: number | null;
  /** The share of given values among the pages without a value. */
  extra: number | null;
}

/** The packages that the service is compared with. */
export const METADATA_PEERS: Record<string, (page: MetadataPage) => Promise<MetadataValues> | MetadataValues> = {
  readability({ html }) {
    const { document } = parseHTML(html);
    const article = new Readability(document).parse();
    return { title: article?.title, author: article?.byline, date: article?.publishedTime };
  },
  async defuddle({ html, url }) {
    const { error } = console;
    // Defuddle prints each JSON-LD block that it can't parse.
    console.error = () => {};
    try {
      const { title, author, published } = await Defuddle(html, url, { useAsync: false });
      return { title, author, date: published };
    } finally {
      console.error = error;
    }
  },
};

const HOUR_MS = 3_600_000;
/** The first and the last hour of a day in any time zone, in hours after its begin in UTC. */
const [FIRST_HOUR, LAST_HOUR] = [-14, 36];
const ISO_DAY_CHARS = 10;
const MONTHS = "january february march april may june july august september october november december".split(" ");
const TITLES = /^(?:by|dr|prof|mr|mrs|ms)\b\.?\s*|\s*\([^()]*\)$/gi;
/** Degrees and roles that some of the expected authors have after the name. */
const NOT_A_NAME = /^(?:[a-z]{2,4}|m d.*|e ryt.*)$|\b(?:expert|ceo|representative|editor|writer|team)\b/;

export function readMetadataPages(wcxb: Wcxb, decode: (bytes: Uint8Array) => string): MetadataPage[] {
  return readWcxbPages(wcxb).map(({ id, url, bytes }) => {
    const { page_type: kind, title = "", author = "", date = "" } = wcxb.truth.get(id) ?? {};
    if (kind === undefined) throw new Error(`WCXB has no page '${id}'.`);
    return { id, url, kind, html: decode(bytes), truth: { title, author, date } };
  });
}

/** Compares a value with the expected one. Ignores case and punctuation, and the time of the day. */
export function judge(field: MetadataField, value: string | null | undefined, truth: string): Verdict {
  if (truth === "") return value ? "extra" : "none";
  if (!value) return "missing";
  if (plain(value) === plain(truth)) return "equal";
  if (field === "title") return "wrong";
  if (field === "date") return isOnDay(value, truth) ? "equal" : "wrong";
  const [names, expected] = [namesIn(value), namesIn(truth)];
  const shared = names.intersection(expected).size;
  if (shared === expected.size && shared === names.size) return "equal";
  if (wordsIn(value) === wordsIn(truth)) return "equal";
  return shared > 0 || isPart(value, truth) || isPart(truth, value) ? "partial" : "wrong";
}

/** Returns the shares of each verdict. The keys of `values` are the ids of the pages. */
export function metadataShares(
  field: MetadataField,
  pages: readonly MetadataPage[],
  values: ReadonlyMap<string, MetadataValues>,
): MetadataShares {
  const rows = pages.map((page) => ({ page, verdict: judge(field, values.get(page.id)?.[field], page.truth[field]) }));
  const count = (verdict: Verdict) => rows.filter((row) => row.verdict === verdict).length;
  const without = count("extra") + count("none");
  const having = rows.length - without;
  const inPage = rows.filter(({ page }) => isInPage(field, page));
  const missing = inPage.filter(({ verdict }) => verdict === "missing").length;
  return {
    pages: having,
    equal: share(count("equal"), having),
    partial: share(count("partial"), having),
    wrong: share(count("wrong"), having),
    missing: share(count("missing"), having),
    missingInPage: share(missing, inPage.length),
    extra: share(count("extra"), without),
  };
}

/** Returns the groups of pages for which shares are printed. The two halves have no domain in common. */
export function metadataGroups(pages: readonly MetadataPage[]): [name: string, pages: MetadataPage[]][] {
  const hosts = [...new Set(pages.map(({ url }) => new URL(url).host))].sort();
  const isEven = ({ url }: MetadataPage) => hosts.indexOf(new URL(url).host) % 2 === 0;
  return [
    ["all", [...pages]],
    ["even domains", pages.filter(isEven)],
    ["odd domains", pages.filter((page) => !isEven(page))],
    ...WCXB_KINDS.map((kind): [string, MetadataPage[]] => [kind, pages.filter((page) => page.kind === kind)]),
  ];
}

/** Returns true if the page contains the expected value, for days in one of the usual forms. */
export function isInPage(field: MetadataField, { html, truth }: MetadataPage): boolean {
  const value = truth[field].toLowerCase();
  if (value === "") return false;
  const page = html.replaceAll("&#039;", "'").toLowerCase();
  return (field === "date" ? formsOf(value) : [value]).some((form) => page.includes(form));
}

function formsOf(day: string): string[] {
  const [year = "", month = "", date = ""] = day.split("-");
  const name = MONTHS[Number(month) - 1] ?? "";
  const [shortMonth, shortDate] = [String(Number(month)), String(Number(date))];
  const names = [name, name.slice(0, 3), `${name.slice(0, 3)}.`, name.slice(0, 4)];
  const words = names.flatMap((one) =>
    [date, shortDate].flatMap((number) => [
      `${one} ${number}, ${year}`,
      `${one} ${number} ${year}`,
      `${number} ${one} ${year}`,
      `${number} ${one}, ${year}`,
    ]),
  );
  const numbers = ["/", "."].flatMap((separator) =>
    [
      [year, month, date],
      [date, month, year],
      [month, date, year],
      [shortMonth, shortDate, year],
    ].map((parts) => parts.join(separator)),
  );
  return [day, ...words, ...numbers];
}

function plain(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[\p{P}\p{S}\s]+/gu, " ")
    .trim();
}

function namesIn(author: string): Set<string> {
  const names = author.split(/\s*(?:[,;|]|&|\band\b)\s*/i).map((name) => plain(name.replace(TITLES, "")));
  return new Set(names.filter((name, index) => name !== "" && (index === 0 || !NOT_A_NAME.test(name))));
}

function wordsIn(text: string): string {
  return plain(text).split(" ").sort().join(" ");
}

function isPart(value: string, whole: string): boolean {
  return ` ${plain(whole)} `.includes(` ${plain(value)} `);
}

/** Returns true if the time is on the day in any time zone. */
function isOnDay(value: string, day: string): boolean {
  if (value.slice(0, ISO_DAY_CHARS) === day) return true;
  const hours = (Date.parse(value) - Date.parse(`${day}T00:00:00Z`)) / HOUR_MS;
  return /T.*(?:Z|[+-]\d\d:?\d\d)$/.test(value) && hours > FIRST_HOUR && hours < LAST_HOUR;
}

function share(part: number, all: number): number | null {
  return all === 0 ? null : part / all;
}
