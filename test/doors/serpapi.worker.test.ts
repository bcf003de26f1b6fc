import { Agent } from "node:http";
import { describe, expect, it, vi } from "vitest";
import { redirectAgent } from "../../clients/typescript/src";
import type { SerpData } from "../../src/contract/serp";
import { toBlocks } from "../../src/doors/serpapi";
import { createClient, ORIGIN, request } from "../support/client";

interface Search {
  search_metadata: { id: string; status: string };
  search_parameters: Record<string, string>;
  search_information: Record<string, unknown>;
  organic_results?: { position: number; link: string; title: string }[];
  serpapi_pagination?: { current: number; next?: string };
  error?: string;
  [block: string]: unknown;
}

/** Returns a function that sends a request with a test key in the query, as SerpApi's clients do. */
async function openDoor(mode: "live" | "test" = "test") {
  const { secret } = await createClient({ mode });
  const get = async (path: string, parameters: Record<string, string> = {}) => {
    const response = await request(`/serpapi${path}?${new URLSearchParams({ ...parameters, api_key: secret })}`);
    return { status: response.status, text: await response.clone().text(), body: await response.json<Search>() };
  };
  return { secret, get };
}

const URL_ = "https://example.com/a";
const ITEM = { position: 1, title: "Tide", url: URL_ };
const LINK = { position: 1, title: "Tide", link: URL_ };

describe("SerpApi's interface", () => {
  it.each<[parameters: Record<string, string>, next: object, current: number]>([
    [{ q: "tides", start: "10", num: "3" }, { start: "13" }, 4],
    [{ engine: "bing", q: "tides", first: "11", count: "5" }, { first: "16" }, 3],
    [{ engine: "yandex", text: "tides", p: "1" }, { p: "2" }, 2],
  ])("returns one page of the search %j, with a link to the next page", async (parameters, next, current) => {
    const { secret, get } = await openDoor();
    const { status, text, body } = await get("/search.json", parameters);
    expect([status, body.search_metadata.status]).toEqual([200, "Success"]);
    const size = Number(parameters.num ?? parameters.count ?? 10);
    expect(body.organic_results?.map(({ position }) => position)).toEqual(
      Array.from({ length: size }, (_, i) => i + 1),
    );
    expect(body.search_parameters).toMatchObject(parameters);
    const link = new URL(body.serpapi_pagination?.next ?? "");
    expect(link.href.startsWith(`${ORIGIN}/serpapi/search.json?`)).toBe(true);
    expect(Object.fromEntries(link.searchParams)).toEqual({ ...body.search_parameters, ...next });
    expect(body.serpapi_pagination?.current).toBe(current);
    expect(text).not.toContain(secret);
    const again = await get(`/searches/${body.search_metadata.id}.json`);
    expect(again.body.organic_results).toEqual(body.organic_results);
  });

  it.each<[block: Partial<SerpData>, theirs: object]>([
    [{ people_also_ask: [{ ...ITEM, question: "When?" }] }, { related_questions: [{ ...LINK, question: "When?" }] }],
    [
      { related_searches: [{ position: 1, query: "ebb", url: URL_ }] },
      { related_searches: [{ position: 1, query: "ebb", link: URL_ }] },
    ],
    [{ images: [ITEM] }, { inline_images: [LINK] }],
    [{ videos: [ITEM] }, { inline_videos: [LINK] }],
    [
      { top_stories: [ITEM], short_videos: [ITEM] },
      { top_stories: [LINK], short_videos: [LINK] },
    ],
    [
      { shopping: [ITEM], perspectives: [ITEM] },
      { shopping_results: [LINK], discussions_and_forums: [LINK] },
    ],
    [
      { ads: [{ ...ITEM, block_position: "top", sitelinks: [{ title: "More", url: URL_ }] }] },
      { ads: [{ ...LINK, block_position: "top", sitelinks: [{ title: "More", link: URL_ }] }] },
    ],
    [
      { answer: { type: "featured_snippet", text: "Twice a day.", title: "Tide", url: URL_ } },
      { answer_box: { type: "organic_result", snippet: "Twice a day.", title: "Tide", link: URL_ } },
    ],
    [{ answer: { type: "currency", text: "2 EUR" } }, { answer_box: { type: "currency", answer: "2 EUR" } }],
    [
      { ai_overview: { text: "Tides.", sources: [{ title: "Tide", url: URL_ }], complete: true } },
      { ai_overview: { text_blocks: [{ snippet: "Tides." }], references: [{ title: "Tide", link: URL_, index: 0 }] } },
    ],
    [
      {
        knowledge_graph: {
          title: "Tide",
          facts: [{ name: "Founded in", value: "1946" }],
          source: { name: "W", url: URL_ },
        },
      },
      { knowledge_graph: { title: "Tide", founded_in: "1946", source: { name: "W", link: URL_ } } },
    ],
    [
      { local: [{ position: 1, title: "Port", website: URL_ }] },
      { local_results: { places: [{ position: 1, title: "Port", links: { website: URL_ } }] } },
    ],
  ])("has the block %j by SerpApi's name", (block, theirs) => {
    const blocks = toBlocks({ organic: [], total_results: 0, search_time_ms: 0, ...block }, "web");
    expect(blocks).toMatchObject(theirs);
    expect(Object.keys(blocks).sort()).toEqual(Object.keys(theirs).sort());
  });

  it("returns the results of another type, and translates filters", async () => {
    const { get } = await openDoor();
    const { body } = await get("/search", { q: "tides", tbm: "nws", tbs: "cdr:1,cd_min:1/5/2026,cd_max:2/28/2026" });
    const [first] = body.news_results as unknown[];
    expect(first).toMatchObject({ position: 1, title: expect.any(String), link: expect.any(String) });
    expect(body.organic_results).toBeUndefined();
  });

  it.each([
    ["google_images", "q", "images_results"],
    ["bing_news", "q", "news_results"],
    ["yandex_videos", "text", "video_results"],
  ])("returns the results of the engine %s", async (engine, query, results) => {
    const { get } = await openDoor();
    const { body } = await get("/search", { engine, [query]: "tides" });
    expect(body[results]).toHaveLength(10);
    expect((await get(`/searches/${body.search_metadata.id}`)).body[results]).toEqual(body[results]);
  });

  it("creates a search without waiting", async () => {
    const { get } = await openDoor();
    const { body } = await get("/search", { q: "tides", async: "true" });
    expect(["Queued", "Processing"]).toContain(body.search_metadata.status);
    const read = async () => (await get(`/searches/${body.search_metadata.id}`)).body;
    await expect.poll(async () => (await read()).search_metadata.status).toBe("Success");
  });

  it.each([
    [{}, 400, /'q'/],
    [{ engine: "walmart", q: "x" }, 400, /engine.*walmart/],
    [{ q: "x", nmu: "3" }, 400, /'nmu'/],
    [{ q: "x", num: "101" }, 400, /'num'/],
    [{ q: "x", gl: "zz" }, 400, /'gl'/],
    [{ q: "x", tbs: "sbd:1" }, 400, /'tbs'/],
    [{ q: "x", uule: "w+CAI" }, 400, /'uule'/],
    [{ engine: "yandex_news", text: "x" }, 400, /'engine'/],
    [{ q: "x", output: "xml" }, 400, /'output'/],
    [{ q: "x", output: "html" }, 501, /'output'/],
    [{ q: "out-of-credits.test" }, 429, /credits/],
    [{ q: "rate-limited.test" }, 429, /./],
    [{ q: "blocked.test" }, 503, /./],
  ])("refuses the search %j with status %i", async (parameters, status, message) => {
    const { secret, get } = await openDoor();
    const reply = await get("/search", parameters);
    expect(reply).toMatchObject({
      status,
      body: { error: expect.stringMatching(message), ...(status === 501 ? {} : { error_code: expect.any(String) }) },
    });
    expect(reply.text).not.toContain(secret);
  });

  it("describes a wrong key, an unknown search and an unknown path as SerpApi does", async () => {
    const { get } = await openDoor();
    const wrong = await (await request("/serpapi/search?q=x&api_key=nope")).json();
    expect(wrong).toMatchObject({ error: expect.stringMatching(/^Invalid API key\./) });
    expect(await get("/searches/nope")).toMatchObject({ status: 404, body: { error: expect.any(String) } });
    expect(await get("/images")).toMatchObject({ status: 404, body: { error: expect.any(String) } });
    const posted = await request("/serpapi/search", { method: "POST" });
    expect([posted.status, await posted.json()]).toMatchObject([405, { error: expect.stringContaining("GET") }]);
  });

  it("has the account's searches and the places", async () => {
    const { secret, get } = await openDoor();
    const { text, body } = await get("/account");
    expect(body).toMatchObject({ total_searches_left: 50_000, account_rate_limit_per_hour: 6_000_000 });
    expect(text).not.toContain(secret);
    const places = await (await request("/serpapi/locations.json?q=istanbul&limit=1")).json();
    expect(places).toMatchObject([{ name: "Istanbul", country_code: "TR", target_type: "City" }]);
  });

  it("logs no key", async () => {
    const lines: string[] = [];
    for (const level of ["log", "info", "warn", "error"] as const)
      vi.spyOn(console, level).mockImplementation((...texts) => void lines.push(texts.map(String).join(" ")));
    const { secret, get } = await openDoor();
    await get("/search", { q: "tides" });
    await get("/search", { q: "tides", nmu: "1" });
    vi.restoreAllMocks();
    expect(lines.join("\n")).toContain("/serpapi/search");
    expect(lines.join("\n")).not.toContain(secret);
  });
});

describe("the agent for SerpApi's clients", () => {
  it("changes the host, the port and the start of the path", () => {
    const sent: unknown[] = [];
    class Base extends Agent {
      addRequest(...given: unknown[]) {
        sent.push(given);
      }
    }
    const agent = redirectAgent(Base, "http://127.0.0.1:8787/serpapi/");
    const headers = new Headers();
    const clientRequest = {
      path: "/search?q=x",
      setHeader: (name: string, value: string) => headers.set(name, value),
    };
    agent.addRequest(clientRequest, { host: "serpapi.com", hostname: "serpapi.com", port: 443 });
    expect([clientRequest.path, headers.get("host")]).toEqual(["/serpapi/search?q=x", "127.0.0.1:8787"]);
    expect(sent).toEqual([
      [clientRequest, expect.objectContaining({ hostname: "127.0.0.1", host: "127.0.0.1", port: 8787 })],
    ]);
  });
});
