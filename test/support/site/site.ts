// A web site of many behaviours, in Node, at `/{anything that tells tests apart}/{behaviour}`.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { html, json } from "../answers.ts";
import type { Forbidden } from "../forbidden.ts";
import { listen } from "../loopback.ts";
import { pages } from "../pages.ts";
import { answer } from "./behaviours.ts";

/** What the tests may ask at `/__{question}`: of a path, an id or an address, as the question takes it. */
type Questions = Record<string, (path: string, query: URLSearchParams) => unknown>;

export async function startSite(
  forbidden: Forbidden,
  questions: Questions,
): Promise<{ origin: string; close: () => void }> {
  const hits: string[] = [];
  const held = new Map<string, ServerResponse[]>();
  const own: Questions = {
    hits: (path) => hits.filter((hit) => hit === path).length,
    release: (path) => {
      for (const waiting of held.get(path) ?? []) {
        if (waiting.headersSent) waiting.end("<p>The end.</p>");
        else html(waiting, pages.article ?? "");
      }
      held.delete(path);
      return true;
    },
  };
  const all = { ...questions, ...own };

  function control(url: URL, response: ServerResponse): void {
    const question = all[url.pathname.slice("/__".length)];
    if (question === undefined) return void response.writeHead(404).end();
    json(response, question(url.searchParams.get("path") ?? "", url.searchParams));
  }

  function visit(url: URL, request: IncomingMessage, response: ServerResponse): void {
    const path = url.pathname;
    hits.push(path);
    answer({
      url,
      query: url.searchParams,
      request,
      response,
      forbidden,
      count: () => hits.filter((hit) => hit === path).length,
      hold: () => void held.set(path, [...(held.get(path) ?? []), response]),
    });
  }

  // A connection that is kept for the next request, and that we end just then, would fail what isn't meant to fail.
  const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    const url = new URL(request.url ?? "/", "http://site");
    if (url.pathname.startsWith("/__")) control(url, response);
    else visit(url, request, response);
  });
  return await listen(server);
}
