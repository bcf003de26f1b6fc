// A website with many behaviors at `/{id}/{behavior}`. The id is unique to a test.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { ForbiddenHost } from "../forbidden.ts";
import { listen } from "../loopback.ts";
import { pages } from "../pages.ts";
import { sendHtml, sendJson } from "../responses.ts";
import { respond } from "./behaviors.ts";
import { recordedRequests } from "./session.ts";

/** The actions at `/__{action}`. The value of `path` is a URL's path, an id or an email address. */
type Actions = Record<string, (path: string, query: URLSearchParams) => unknown>;

export async function startSite(
  forbidden: ForbiddenHost,
  actions: Actions,
): Promise<{ origin: string; otherOrigin: string; close: () => void }> {
  const hits: string[] = [];
  const held = new Map<string, ServerResponse[]>();
  const siteActions: Actions = {
    hits: (path) => hits.filter((hit) => hit === path).length,
    recorded: recordedRequests,
    release: (path) => {
      for (const waiting of held.get(path) ?? []) {
        if (waiting.headersSent) waiting.end("<p>The end.</p>");
        else sendHtml(waiting, pages.article ?? "");
      }
      held.delete(path);
      return true;
    },
  };
  const all = { ...actions, ...siteActions };

  function control(url: URL, response: ServerResponse): void {
    const action = all[url.pathname.slice("/__".length)];
    if (action === undefined) return void response.writeHead(404).end();
    sendJson(response, action(url.searchParams.get("path") ?? "", url.searchParams));
  }

  function visit(url: URL, request: IncomingMessage, response: ServerResponse): void {
    const path = url.pathname;
    hits.push(path);
    respond({
      url,
      query: url.searchParams,
      request,
      response,
      forbidden,
      count: () => hits.filter((hit) => hit === path).length,
      hold: () => void held.set(path, [...(held.get(path) ?? []), response]),
    });
  }

  // Turns keep-alive off. A server may close an idle connection at the moment when the next request arrives, and that
  // request would fail.
  const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    const url = new URL(request.url ?? "/", "http://site");
    if (url.pathname.startsWith("/__")) control(url, response);
    else visit(url, request, response);
  });
  const loopback = await listen(server);
  return { ...loopback, otherOrigin: `http://localhost:${loopback.port}` };
}
