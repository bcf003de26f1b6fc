// Pages that record the headers of their requests. The path of each request contains the id of a test.
import type { IncomingHttpHeaders } from "node:http";
import { sendHtml } from "../responses.ts";
import type { Visit } from "./visit.ts";

/** A request that one of these pages has received. */
export interface RecordedRequest {
  /** The host with its port. The site has two host names, which count as two different sites. */
  host: string;
  method: string;
  /** The path after the id, with the query. */
  path: string;
  headers: IncomingHttpHeaders;
}

const records = new Map<string, RecordedRequest[]>();

/** Returns the requests whose path has the same id as `path`. */
export function recordedRequests(path: string): RecordedRequest[] {
  return records.get(path.split("/")[1] ?? "") ?? [];
}

function record({ request, url }: Visit): void {
  const [, id = "", ...rest] = url.pathname.split("/");
  const { host = "", ...headers } = request.headers;
  const entry = { host, method: request.method ?? "", path: rest.join("/") + url.search, headers };
  records.set(id, [...(records.get(id) ?? []), entry]);
}

/** Adds a record of the requests to a behavior. */
export function recorded(behave: (visit: Visit) => void): (visit: Visit) => void {
  return (visit) => {
    record(visit);
    behave(visit);
  };
}

const FILLER = "This sentence is the visible content of the page behind the session. ".repeat(4);

export const session: Record<string, (visit: Visit) => void> = {
  /**
   * Returns a page, JSON, a script or a style sheet. The query parameter `as` selects the type. Other origins may read
   * the response.
   */
  "session-leaf": recorded(({ query, response }) => {
    response.setHeader("access-control-allow-origin", "*");
    const type = query.get("as");
    if (type === null) return sendHtml(response, `<h1>Leaf</h1><p>${FILLER}</p>`);
    response.writeHead(200, { "content-type": type });
    response.end(type === "application/json" ? "{}" : "");
  }),
  /** Redirects to the URL in the query parameter `to` with the status in `status`. Sets each cookie in `cookie`. */
  "session-redirect": recorded(({ query, response }) => {
    response.setHeader("access-control-allow-origin", "*");
    response.setHeader("set-cookie", query.getAll("cookie"));
    response.writeHead(Number(query.get("status") ?? 302), { location: query.get("to") ?? "/" });
    response.end();
  }),
  /** Sets a cookie and redirects to itself until it gets the cookie. */
  "session-login": recorded(({ url, request, response }) => {
    if (request.headers.cookie?.includes("visited=1")) return sendHtml(response, `<h1>Signed in</h1><p>${FILLER}</p>`);
    response.writeHead(302, { location: url.pathname, "set-cookie": "visited=1; Path=/" });
    response.end();
  }),
  /** Shows a form that submits itself to the query's `to`. */
  "session-form": recorded(({ query, response }) => {
    const form = `<form method="post" action="${query.get("to")}"><input name="a" value="1"></form>`;
    sendHtml(response, `${form}<script>document.forms[0].submit()</script>`);
  }),
  /** Shows a frame with the query's `src`. */
  "session-frame": recorded(({ query, response }) => {
    sendHtml(response, `<h1>Frame</h1><p>${FILLER}</p><iframe src="${query.get("src")}"></iframe>`);
  }),
  /** Requests the query's `to` in all ways that need no permission of its site. */
  "session-embed": recorded(({ query, response }) => {
    const to = (name: string, as = "text/html") => `${query.get("to")}?${name}&as=${as}`;
    sendHtml(
      response,
      `<link rel="stylesheet" href="${to("embedded-style", "text/css")}"><script src="${to("embedded-script", "text/javascript")}"></script>
<img src="${to("embedded-image", "image/png")}"><iframe src="${to("embedded-frame")}"></iframe>
<iframe name="target"></iframe><form id="form" target="target" action="${query.get("to")}"><input name="embedded-form"></form>
<script>document.getElementById("form").submit(); fetch("${to("embedded-fetch", "application/json")}", { mode: "no-cors" });</script>`,
    );
  }),
  /** Opens the query's `to` by script. */
  "session-jump": recorded(({ query, response }) => {
    sendHtml(response, `<h1>Jump</h1><script>location = ${JSON.stringify(query.get("to"))}</script>`);
  }),
  /** Responds without a document, so that the browser stays on the page that requested it. */
  "session-empty": recorded(({ query, response }) => {
    if (query.has("download")) response.writeHead(200, { "content-disposition": "attachment" }).end("data");
    else if (query.has("slow")) setTimeout(() => response.writeHead(204).end(), 2_000);
    else response.writeHead(204).end();
  }),
  /** Opens the query's `to`, which shows no document, and then requests the query's `then` as a script. */
  "session-stay": recorded(({ query, response }) => {
    sendHtml(
      response,
      `<h1>Stay</h1><p>${FILLER}</p><script>
location = ${JSON.stringify(query.get("to"))};
setTimeout(() => {
  const script = document.createElement("script");
  script.src = ${JSON.stringify(query.get("then"))};
  script.onload = () => { document.querySelector("h1").id = "done"; };
  document.head.append(script);
}, 500);
</script>`,
    );
  }),
  /** Requires HTTP Basic authentication. */
  "session-password": recorded(({ request, response }) => {
    if (request.headers.authorization !== undefined) return sendHtml(response, `<h1>Inside</h1><p>${FILLER}</p>`);
    response.writeHead(401, { "content-type": "text/html", "www-authenticate": 'Basic realm="test"' });
    response.end("<h1>Sign in</h1>");
  }),
  /** Shows the browser's user agent, and requests all kinds of resources from this site and from the other site. */
  "session-page": recorded(({ url, query, response }) => {
    const base = url.pathname.replace("session-page", "");
    const other = query.get("other") ?? "";
    const own = (name: string, as = "") => `${base}session-leaf?${name}${as === "" ? "" : `&as=${as}`}`;
    const away = (name: string, as = "") => `${other}${own(name, as)}`;
    const redirect = (to: string, name: string) =>
      `${base}session-redirect?${new URLSearchParams({ to, [name]: "", status: "307" })}`;
    const script = "text/javascript";
    sendHtml(
      response,
      `<!doctype html><title>Session</title>
<link rel="stylesheet" href="${own("own-style", "text/css")}"><link rel="stylesheet" href="${away("other-style", "text/css")}">
<link rel="preload" as="fetch" crossorigin href="${away("other-preload", "application/json")}">
<h1>Session</h1><p>${FILLER}</p><p id="agent"></p>
<img src="${own("own-image", "image/png")}"><img src="${away("other-image", "image/png")}">
<img src="${redirect(away("redirected-image", "image/png"), "image")}">
<script src="${own("own-script", script)}"></script><script src="${away("other-script", script)}"></script>
<script src="${redirect(away("redirected-script", script), "script")}"></script>
<iframe src="${own("own-frame")}"></iframe><iframe src="${away("other-frame")}"></iframe>
<iframe src="${redirect(away("redirected-frame"), "frame")}"></iframe>
<iframe name="posted"></iframe><form id="form" method="post" target="posted" action="${away("other-form")}"><input name="a" value="1"></form>
<script>
document.getElementById("agent").textContent = navigator.userAgent;
const calls = [
  fetch(${JSON.stringify(own("own-fetch", "application/json"))}),
  fetch(${JSON.stringify(away("other-fetch", "application/json"))}),
  fetch(${JSON.stringify(redirect(away("redirected-fetch", "application/json"), "fetch"))}),
  fetch(${JSON.stringify(own("own-post", "application/json"))}, { method: "POST", body: "x" }),
];
const xhr = new XMLHttpRequest();
xhr.open("GET", ${JSON.stringify(away("other-xhr", "application/json"))});
xhr.send();
new Worker(URL.createObjectURL(new Blob([\`fetch(${JSON.stringify(away("other-worker", "application/json"))})\`])));
navigator.sendBeacon(${JSON.stringify(away("other-beacon"))}, "x");
window.open(${JSON.stringify(away("other-window"))});
try { new WebSocket(${JSON.stringify(away("other-socket").replace("http", "ws"))}); } catch {}
navigator.serviceWorker?.register(${JSON.stringify(own("own-service-worker", script))}).catch(() => {});
document.getElementById("form").submit();
Promise.allSettled(calls).then((all) => {
  const done = document.createElement("p");
  done.id = "done";
  done.textContent = all.map(({ status }) => status).join();
  document.body.append(done);
});
</script>`,
    );
  }),
};
