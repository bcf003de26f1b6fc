import type { Context } from "hono";
import { accepts } from "hono/accepts";
import { etag } from "hono/etag";
import { raw } from "hono/html";
import { createRouter, originOf } from "../http/router";
import type { AppEnv } from "../model/env";
import { ErrorReference } from "./error-reference";
import { CACHE_CONTROL, respondWithPage } from "./layout";

/** The documentation, the API reference and the changelog. scripts/docs-site.ts builds the pages in assets/pages/. */
export const docs = createRouter();

/** The file of a page in assets/pages/. */
interface BuiltPage {
  title: string;
  description: string;
  html: string;
}

/** A page of the documentation, as assets/pages/index.json lists it. */
export interface ListedPage {
  path: string;
  title: string;
  description: string;
}

/** scripts/docs-code.ts writes this origin instead of the origin of the service. */
const ORIGIN_IN_PAGES = "https://origin.invalid";

/** scripts/docs-site.ts writes this comment in the place of the error reference. */
const ERROR_REFERENCE = "<!-- error reference -->";

/** Matches the files of pages. With other characters, such as backslashes, a path could lead to another folder. */
const PAGE_FILE = /^(?:\/[\w-]+)+\.(?:json|md)$/;

docs.get("/docs/reference", (c) =>
  respondWithPage(
    c,
    {
      title: "API reference",
      description: "All operations of the API, with their parameters, responses and errors.",
      path: "/docs/reference",
      width: "wide",
      hasMain: true,
      head: (
        <>
          <link rel="stylesheet" href="/website/docs.css" />
          <script src="/docs/scalar.js" defer />
          <script src="/website/reference.js" defer />
        </>
      ),
      children: (
        <>
          <div id="reference" />
          <noscript>
            The API reference requires JavaScript. <a href="/llms.txt">Read the short text version</a> instead.
          </noscript>
        </>
      ),
    },
    // The scripts of the reference add styles to the page.
    { scripts: true, inlineStyles: true },
  ),
);

for (const path of ["/docs", "/docs.md", "/docs/*", "/changelog", "/changelog/", "/changelog.md", "/status/"])
  docs.get(path, etag(), servePage);

/** Responds with a page as HTML, or as Markdown if its path ends with `.md` or the caller prefers it. */
async function servePage(c: Context<AppEnv>): Promise<Response> {
  const { path } = c.req;
  if (path.endsWith("/")) return c.redirect(path.slice(0, -1), 301);
  c.header("Vary", "Accept");
  const type = accepts(c, { header: "Accept", supports: ["text/html", "text/markdown"], default: "" });
  const name = path.replace(/\.md$/, "");
  if (name !== path || type === "text/markdown") {
    const file = await readFile(c.env, `${name}.md`);
    if (file === null) return await c.notFound();
    const headers = { "Content-Type": "text/markdown; charset=utf-8", "Access-Control-Allow-Origin": "*" };
    return c.body((await file.text()).replaceAll(/\$BASE|http:\/\/127\.0\.0\.1:8788/g, originOf(c)), 200, {
      ...headers,
      "Cache-Control": CACHE_CONTROL,
    });
  }
  const file = await readFile(c.env, `${name}.json`);
  if (file !== null) return respondWithBuiltPage(c, await file.json(), 200);
  const notFound = type === "text/html" ? await readFile(c.env, "/404.json") : null;
  return notFound === null ? await c.notFound() : respondWithBuiltPage(c, await notFound.json(), 404);
}

function respondWithBuiltPage(
  c: Context<AppEnv>,
  { title, description, html }: BuiltPage,
  status: 200 | 404,
): Response {
  const isMissing = status === 404;
  if (isMissing) c.header("Cache-Control", "no-store");
  return respondWithPage(
    c,
    {
      ...{ title, description, path: c.req.path, width: "wide", hidden: isMissing },
      head: (
        <>
          <link rel="stylesheet" href="/website/docs.css" />
          {isMissing || html.includes(ERROR_REFERENCE) ? null : (
            <link rel="alternate" type="text/markdown" href={`${c.req.path}.md`} />
          )}
          <script src="/website/docs.js" defer />
        </>
      ),
      children: raw(
        html.replaceAll(ORIGIN_IN_PAGES, originOf(c)).replace(ERROR_REFERENCE, () => String(ErrorReference())),
      ),
    },
    { status, scripts: true },
  );
}

/** Returns the pages of the documentation in the order of the navigation. */
export async function listPages(env: Env): Promise<ListedPage[]> {
  return (await (await readFile(env, "/index.json"))?.json()) ?? [];
}

/** Returns a file of assets/pages/, or null if it doesn't exist. Static files don't depend on other services. */
async function readFile(env: Env, path: string): Promise<Response | null> {
  if (!PAGE_FILE.test(path)) return null;
  const response = await env.ASSETS.fetch(new URL(`/pages${path}`, ORIGIN_IN_PAGES));
  return response.ok ? response : null;
}
