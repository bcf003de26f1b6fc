import type { Visit } from "./visit.ts";

/** The markup of one resource at the URL `at`, by kind. `head` and `body` are the places of the markup. */
const RESOURCES: Record<string, { head?: (at: string) => string; body?: (at: string) => string }> = {
  "async script": { head: (at) => `<script async src="${at}"></script>` },
  "blocking script": { head: (at) => `<script src="${at}"></script>` },
  "deferred script": { head: (at) => `<script defer src="${at}"></script>` },
  stylesheet: { head: (at) => `<link rel="stylesheet" href="${at}">` },
  "stylesheet of a page without scripts": { head: (at) => `<link rel="stylesheet" href="${at}">` },
  fetch: { head: (at) => `<script>fetch("${at}", { mode: "no-cors" })</script>` },
  iframe: { body: (at) => `<iframe src="${at}"></iframe>` },
  image: { body: (at) => `<img src="${at}">` },
};

export const RESOURCE_KINDS: readonly string[] = Object.keys(RESOURCES);

/**
 * Sends an article with resources. Each `kind` has the kind of a resource, and each `at` its URL. A script adds a line
 * to the article, unless the kind is a page without scripts. `script` is the code of another script.
 */
export function sendPage({ query, response }: Visit): void {
  const urls = query.getAll("at");
  const kinds = query.getAll("kind");
  const head = kinds.map((kind, i) => RESOURCES[kind]?.head?.(urls[i] ?? "") ?? "").join("");
  const body = kinds.map((kind, i) => RESOURCES[kind]?.body?.(urls[i] ?? "") ?? "").join("");
  const hasScripts = !kinds.some((kind) => kind.endsWith("without scripts"));
  // The windows-1251 bytes of "Прилив", each written as the character with the same code.
  const word = "\u00cf\u00f0\u00e8\u00eb\u00e8\u00e2";
  const line = "<p>A script added this line.</p>";
  const scripted = `<script>document.querySelector("article").insertAdjacentHTML("beforeend", ${JSON.stringify(line)})</script>`;
  response.writeHead(200, { "content-type": "text/html" });
  // The page is in windows-1251, and only a meta element says so.
  response.end(
    Buffer.from(
      `<!doctype html><html><head><meta charset="windows-1251"><title>Tides</title>${head}</head>
<body>${body}<article><h1>Tides</h1><p>The tide comes in twice a day. ${word}.</p></article>
${hasScripts ? scripted : line}${query.has("script") ? `<script>${query.get("script")}</script>` : ""}
<p>The page ends here.</p></body></html>`,
      "latin1",
    ),
  );
}

/** Sends an application shell with an async script at the URL `at`. `script` is the code of another script. */
export function sendShell({ query, response }: Visit): void {
  response.writeHead(200, { "content-type": "text/html" });
  response.end(
    `<!doctype html><body><div id="root"></div><script async src="${query.get("at")}"></script><script>${query.get("script") ?? ""}</script>`,
  );
}

/** Sends a script that adds a line to the page. Sends one byte every 100 ms before it, or nothing if `silent` is set. */
export function sendSlowScript({ query, response }: Visit): void {
  response.setHeader("content-type", "text/javascript");
  const endsAt = Date.now() + Number(query.get("ms"));
  const timer = setInterval(() => {
    if (Date.now() >= endsAt) {
      clearInterval(timer);
      response.end(
        `document.querySelector("#root, article").insertAdjacentHTML("beforeend", "<p>The slow script added this line.</p>")`,
      );
    } else if (!query.has("silent")) response.write(" ");
  }, 100);
}
