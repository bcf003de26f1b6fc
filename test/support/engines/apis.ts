// Stand-ins for the search APIs: Yandex's Search API, Serper and SerpApi, with their documented responses and errors.
import type { IncomingMessage, ServerResponse } from "node:http";
import { brokenRule } from "./api-shapes.ts";
import type { ApiCall, LoggedRequest } from "./exchange.ts";
import {
  behaviorOf,
  escaped,
  hasNext,
  idOf,
  RESULTS_PER_PAGE,
  resultsOf,
  type StubResult,
  type StubSearch,
} from "./search.ts";

/** An API key that the APIs reject. */
const WRONG_KEY = "a wrong key";
const APIS: Record<string, ApiCall["api"]> = {
  "/v2/web/search": "yandex_api",
  ...{ "/search": "serper", "/news": "serper", "/images": "serper", "/videos": "serper" },
  "/search.json": "serpapi",
};

/** Serves a request to a search API. */
export async function serveApi(
  request: IncomingMessage,
  response: ServerResponse,
  write: (id: string, logged: LoggedRequest) => LoggedRequest[],
): Promise<void> {
  const url = new URL(request.url ?? "/", "http://api");
  const api = APIS[url.pathname];
  if (api === undefined) return void response.writeHead(404).end();
  const method = request.method ?? "";
  const headers = request.headers as Record<string, string>;
  const sent = api === "serpapi" ? Object.fromEntries(url.searchParams) : parse(await readText(request));
  const body = (sent ?? {}) as Record<string, unknown>;
  const broken = brokenRule({ api, method, headers, body });
  const { text, page, size } = readSearch(api, body);
  const before = write(idOf(text), { server: api, method, url: request.url ?? "", headers, body: sent, broken });
  const behavior = behaviorOf(text, page, before.length);
  const search: StubSearch = { text, page, behavior, id: idOf(text), isMobile: false, isBrowser: false };
  const type = api === "serper" ? url.pathname.slice(1) : String(body.tbm ?? "");
  const call: ApiCall = { api, method, headers, body, type, search, size, response };
  if (keyOf(call) === "" || keyOf(call) === WRONG_KEY) fail(call, api === "serper" ? 403 : 401, KEY_REFUSED[api]);
  else if (broken !== null) fail(call, 400, broken);
  else serveBehavior(call);
}

const KEY_REFUSED: Record<ApiCall["api"], string> = {
  yandex_api: `Unknown api key '${WRONG_KEY}'`,
  serper: "Unauthorized.",
  serpapi: "Invalid API key. Your API key should be here: https://serpapi.com/manage-api-key",
};

function keyOf({ api, headers, body }: ApiCall): string {
  if (api === "serper") return headers["x-api-key"] ?? "";
  if (api === "serpapi") return String(body.api_key ?? "");
  return /^Api-Key (.+)$/.exec(headers.authorization ?? "")?.[1] ?? "";
}

function readSearch(api: ApiCall["api"], body: Record<string, unknown>) {
  if (api === "yandex_api") {
    const query = (body.query ?? {}) as Record<string, unknown>;
    const spec = (body.groupSpec ?? {}) as Record<string, unknown>;
    return {
      text: String(query.queryText ?? ""),
      page: Number(query.page ?? 0),
      size: Number(spec.groupsOnPage ?? 20),
    };
  }
  const text = String((api === "serpapi" && body.engine === "yandex" ? body.text : body.q) ?? "");
  if (api === "serper") return { text, page: Number(body.page ?? 1) - 1, size: RESULTS_PER_PAGE };
  const offset = Number(body.start ?? Number(body.first ?? 1) - 1);
  return { text, page: Number(body.p ?? Math.floor(offset / RESULTS_PER_PAGE)), size: RESULTS_PER_PAGE };
}

function serveBehavior(call: ApiCall): void {
  const { behavior } = call.search;
  const [, status] = /^error-(\d{3})$/.exec(behavior) ?? [];
  const [, code] = /^code-(\d+)$/.exec(behavior) ?? [];
  if (status !== undefined) fail(call, Number(status), "The request was: (quoted request, including the key)");
  else if (code !== undefined) xml(call, errorXml(code));
  else (BEHAVIORS[behavior] ?? ((usual) => json(usual, 200, normalBody(usual))))(call);
}

/**
 * The behaviors that a mark in the query can select (see search.ts). For any other behavior, the API sends a normal
 * response.
 */
const BEHAVIORS: Record<string, (call: ApiCall) => void> = {
  busy: (call) => fail(call, 429, "Slow down.", { "retry-after": "1" }),
  "busy-long": (call) => fail(call, 429, "Slow down.", { "retry-after": "60" }),
  "busy-date": (call) => fail(call, 429, "Slow down.", { "retry-after": new Date(Date.now() + 60_000).toUTCString() }),
  quota: serveUsedUp,
  hang: () => {},
  "hang-middle": (call) => {
    call.response.writeHead(200, { "content-type": "application/json" });
    call.response.write(JSON.stringify(normalBody(call)).slice(0, 100));
  },
  "hang-error": (call) => {
    call.response.writeHead(500, { "content-type": "application/json" });
    call.response.write('{"message": "');
  },
  reset: ({ response }) => response.socket?.destroy(),
  redirect: ({ response }) => response.writeHead(302, { location: "/elsewhere" }).end(),
  page: ({ response }) => response.writeHead(200, { "content-type": "text/html" }).end("<h1>Gateway</h1>"),
  large: ({ response }) => response.writeHead(200).end(`{"organic": "${"x".repeat(6 * 1024 * 1024)}"}`),
  list: (call) => json(call, 200, []),
  empty: (call) => json(call, 200, {}),
  // SerpApi sends these errors with status 200.
  "error-in-200": (call) =>
    json(call, 200, { search_metadata: { status: "Error" }, error: "We couldn't get results." }),
  "quota-in-200": (call) => json(call, 200, { error: "Your searches for the month are exhausted." }),
  "no-list": (call) => json(call, 200, { search_metadata: { status: "Success" }, organic_results: [] }),
  odd: (call) => json(call, 200, oddBody(call)),
  "bad-base64": (call) => json(call, 200, { rawData: "%%%" }),
  "cut-xml": (call) => xml(call, goodXml(call).slice(0, -200)),
  "other-xml": (call) => xml(call, "<html><body>Hello</body></html>"),
};

/** Responds that the plan is used up. Each API has its own error message. */
function serveUsedUp(call: ApiCall): void {
  if (call.api === "yandex_api") xml(call, errorXml("32"));
  else if (call.api === "serper") fail(call, 400, "Not enough credits");
  else fail(call, 429, "Your account has run out of searches.");
}

function normalBody(call: ApiCall): unknown {
  if (call.api === "yandex_api") return { rawData: Buffer.from(goodXml(call)).toString("base64") };
  return call.api === "serper" ? serperBody(call) : serpapiBody(call);
}

function serperBody({ search, size, body, type }: ApiCall): unknown {
  return {
    searchParameters: { ...body, type: "search", engine: "google" },
    [type === "search" ? "organic" : type]: resultsOf(search, size).map(toItem),
    peopleAlsoAsk: [{ question: "Why?", snippet: "Because.", title: "Why", link: "https://answers.example.net/" }],
    credits: 1,
  };
}

function serpapiBody({ search, size, body, type }: ApiCall): unknown {
  const results = resultsOf(search, size);
  const common = {
    search_metadata: { id: "1", status: "Success" },
    search_parameters: { ...body, api_key: undefined },
  };
  if (results.length === 0) {
    const name = { google: "Google", bing: "Bing", yandex: "Yandex" }[String(body.engine)];
    return {
      ...common,
      search_information: { organic_results_state: "Fully empty" },
      error: `${name} hasn't returned any results for this query.`,
    };
  }
  return {
    ...common,
    search_information: { total_results: 12_400, organic_results_state: "Results for exact spelling" },
    [SERPAPI_MEMBERS[type] ?? "organic_results"]: results.map(toItem),
    ...(hasNext(search, size) && { serpapi_pagination: { current: search.page + 1, next: "https://serpapi.com/…" } }),
  };
}

const SERPAPI_MEMBERS: Record<string, string> = { nws: "news_results", isch: "images_results", vid: "video_results" };

function toItem({ number, title, url, snippet, date }: StubResult) {
  const media = { source: "The Port", duration: "3:21", thumbnail: "https://pictures.example.com/1.jpg" };
  return { position: number, title, link: url, snippet, ...media, ...(date !== "" && { date }) };
}

/**
 * Returns a response with incomplete results: some lack a snippet, a title or a link, and others link back to the
 * engine.
 */
function oddBody(call: ApiCall): unknown {
  const items = [
    { position: 1, title: "Without a snippet", link: "https://bare.example.com/" },
    { position: 2, title: "Without a link" },
    { position: 3, link: "https://untitled.example.com/", snippet: "Without a title." },
    {
      position: 4,
      title: "A search",
      link: "https://www.google.com/search?q=x",
      snippet: "A link back to the engine.",
    },
    {
      position: 5,
      title: "Wrapped",
      link: "https://www.google.com/url?q=https://wrapped.example.com/&sa=U",
      snippet: 7,
    },
    {
      position: 6,
      title: "Token",
      link: "https://www.google.com/goto?url=CAESabc",
      snippet: "A token that only Google resolves.",
    },
    { position: 7, title: "Script", link: "javascript:alert(1)", snippet: "No address." },
    null,
    "text",
  ];
  if (call.api === "serper") return { organic: items };
  return { search_metadata: { status: "Success" }, organic_results: items };
}

function xml(call: ApiCall, text: string): void {
  json(call, 200, { rawData: Buffer.from(text).toString("base64") });
}

function errorXml(code: string): string {
  const words = code === "15" ? "Sorry, there are no results for this search" : "An error of the search";
  return `<?xml version="1.0" encoding="utf-8"?>\n<yandexsearch version="1.0"><response date="20261121T120000"><error code="${code}">${words}</error><reqid>1</reqid></response></yandexsearch>\n`;
}

function goodXml({ search, size }: ApiCall): string {
  const results = resultsOf(search, size);
  if (results.length === 0) return errorXml("15");
  const groups = results.map(
    ({
      number,
      title,
      url,
      snippet,
    }) => `<group><categ attr="" name="Ungroup${number}"/><doccount>1</doccount><relevance priority="all"/><doc id="Z${number}"><relevance priority="all"/>
<url>${escaped(url)}</url><domain>site-${number}.example.com</domain><title>${marked(title)}</title>${number % 2 ? "" : `<headline>${escaped(`About ${number}.`)}</headline>`}
<modtime>20251031T080000</modtime><size>26938</size><charset>utf-8</charset><passages>${number % 10 === 0 ? "" : `<passage>${marked(snippet)}</passage><passage>A second passage.</passage>`}</passages>
<properties><_PassagesType>0</_PassagesType><lang>en</lang></properties><mime-type>text/html</mime-type><saved-copy-url>https://yandexwebcache.example/?a=1&amp;b=2</saved-copy-url></doc></group>`,
  );
  return `<?xml version="1.0" encoding="utf-8"?>
<yandexsearch version="1.0"><request><query>${escaped(search.text)}</query><page>${search.page}</page></request>
<response date="20261121T120000"><reqid>1</reqid><found priority="phrase">11</found><found priority="strict">12</found><found priority="all">20100</found><found-human>20 thousand results found</found-human>
<results><grouping attr="" mode="flat" groups-on-page="${size}" docs-in-group="1" curcateg="-1"><found priority="all">45094</found><found-docs priority="phrase">11</found-docs><found-docs priority="all">20045</found-docs><found-docs-human>20 thousand results found</found-docs-human><page first="1" last="${size}">${search.page}</page>
${groups.join("\n")}</grouping></results></response></yandexsearch>
`;
}

/** Escapes text and highlights the word "harbour". The real API highlights the words of the query. */
function marked(text: string): string {
  return escaped(text).replace(/\bharbour\b/, "<hlword>harbour</hlword>");
}

function fail({ api, response }: ApiCall, status: number, message: string, headers = {}): void {
  const bodies = {
    yandex_api: { code: status === 401 ? 16 : 3, message, details: [] },
    serper: { message, statusCode: status },
    serpapi: { error: message },
  };
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify(bodies[api]));
}

function json({ response }: ApiCall, status: number, value: unknown): void {
  response.writeHead(status, { "content-type": "application/json; charset=utf-8" });
  response.end(JSON.stringify(value));
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
