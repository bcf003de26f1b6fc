import type { SerpData, SerpRequest } from "../../contract/serp";
import { LARGE_CHARS, toFiller } from "../shared/filler";

const TOTAL_RESULTS = 1_240_000;
const SEARCH_TIME_MS = 420;
const MAX_SLUG_CHARS = 60;

const DOMAINS = ["example.com", "example.org", "example.net"];

/** The titles and texts of the mock results. `{query}` stands for the query. */
const SUBJECTS: readonly (readonly [title: string, text: string])[] = [
  ["{query}: the complete guide", "Everything about {query} on one page, from the first steps to the details."],
  ["What is {query}?", "A short answer, and a long one: what {query} means and where the term comes from."],
  ["{query} compared", "Twelve kinds of {query} in comparison, with prices, sizes and what buyers say."],
  [
    "Frequently asked questions about {query}",
    "Readers ask, experts answer: the questions on {query} that come up most.",
  ],
  ["{query} in the news", "The latest reports, interviews and figures on {query}, collected every morning."],
  ["A history of {query}", "How {query} came about, who shaped it and what remains of the early days."],
  [
    "{query}: prices and offers",
    "Today's offers for {query}, with delivery times and the shops that have them in stock.",
  ],
];

/** Returns exactly `num_results` results that mention the query and the engine. */
export function mockSerp(request: SerpRequest, { large }: { large: boolean }): SerpData {
  const filler = large ? ` ${toFiller(LARGE_CHARS / 2 / request.num_results)}` : "";
  return {
    organic: Array.from({ length: request.num_results }, (_, index) => toResult(request, index, filler)),
    total_results: TOTAL_RESULTS,
    search_time_ms: SEARCH_TIME_MS,
  };
}

function toResult({ query, engine }: SerpRequest, index: number, filler: string): SerpData["organic"][number] {
  const position = index + 1;
  const [title, text] = SUBJECTS[index % SUBJECTS.length] ?? ["{query}", "{query}"];
  const insert = (template: string) => template.replace("{query}", () => query);
  const description = insert(text) + filler;
  // Some snippets of real engines begin with the date of the page.
  const day = index % 3 === 0 ? `${(position % 28) + 1} Mar 2026 — ` : "";
  return {
    position,
    title: insert(title),
    url: `https://${DOMAINS[index % DOMAINS.length]}/${engine}/${toSlug(query)}/${position}`,
    description,
    snippet: day + description,
  };
}

function toSlug(query: string): string {
  const words = query.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? ["search"];
  return encodeURI(words.join("-").slice(0, MAX_SLUG_CHARS).toWellFormed());
}
