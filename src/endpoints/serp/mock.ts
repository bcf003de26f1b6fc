import type { SerpData, SerpRequest } from "../../contract/serp";
import type { SerpBlocks } from "../../contract/serp-blocks";
import { now } from "../../lib/clock";
import { selectBlocks } from "../../search/results/blocks";
import type { MockContext } from "../shared/definition";
import { LARGE_CHARS, toFiller } from "../shared/mocks";
import mocks from "./mock-results.json";
import { loadPages, toTyped } from "./run-serp";

const MOCK_RESULTS_PER_PAGE = 10;
const TOTAL_RESULTS = 1_240_000;
const SEARCH_TIME_MS = 420;
const { domains, subjects } = mocks;
const MAX_SLUG_CHARS = 60;

/** Runs the job of a test key. */
export async function runMock(request: SerpRequest, { large, run: { loadFoundPages } }: MockContext) {
  const data = mockSerp(request, { large });
  const results = request.type === "web" ? data.organic : (data[request.type] ?? []);
  const loaded = await loadPages(request, results, { loadFoundPages, startedAt: now() });
  return {
    data: { ...data, ...loaded.data },
    extras: {
      ...loaded.extras,
      pages_fetched: Math.ceil(request.num_results / MOCK_RESULTS_PER_PAGE),
      total_results_known: true,
    },
  };
}

/** Returns exactly `num_results` results that mention the query and the engine. In the texts, `{query}` stands for it. */
export function mockSerp(request: SerpRequest, { large }: { large: boolean }): SerpData {
  const filler = large ? ` ${toFiller(LARGE_CHARS / 2 / request.num_results)}` : "";
  const organic = Array.from({ length: request.num_results }, (_, index) => toResult(request, index, filler));
  return {
    ...(request.type === "web"
      ? { organic, ...selectBlocks(mockBlocks(request), request.blocks) }
      : toTyped(request.type, organic)),
    total_results: TOTAL_RESULTS,
    search_time_ms: SEARCH_TIME_MS,
  };
}

function mockBlocks({ query, engine }: SerpRequest): SerpBlocks {
  const related = ["guide", "prices", "history"].map((word) => `${query} ${word}`);
  return {
    people_also_ask: [{ position: 1, question: `What is ${query}?` }],
    related_searches: related.map((text, index) => ({
      position: index + 1,
      query: text,
      url: `https://example.com/${engine}/${toSlug(text)}`,
    })),
    block_positions: { people_also_ask: 1, related_searches: MOCK_RESULTS_PER_PAGE },
  };
}

function toResult({ query, engine }: SerpRequest, index: number, filler: string): SerpData["organic"][number] {
  const position = index + 1;
  const { title = "", text = "" } = subjects[index % subjects.length] ?? {};
  const insert = (template: string) => template.replace("{query}", () => query);
  const description = insert(text) + filler;
  // Some snippets of real engines begin with the date of the page.
  const day = index % 3 === 0 ? `${(position % 28) + 1} Mar 2026 — ` : "";
  return {
    position,
    title: insert(title),
    url: `https://${domains[index % domains.length]}/${engine}/${toSlug(query)}/${position}`,
    description,
    snippet: day + description,
  };
}

function toSlug(query: string): string {
  const words = query.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? ["search"];
  return encodeURI(words.join("-").slice(0, MAX_SLUG_CHARS).toWellFormed());
}
