import type { Context } from "hono";
import { accepts } from "hono/accepts";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { suggest } from "../lib/suggest";
import type { AppEnv } from "../model/env";
import type { AppError } from "../model/errors";
import { nameOperator } from "../model/operator";
import { respondWithPage } from "./layout";

/** Matches the paths that only programs use. Their errors are always JSON. */
const FOR_PROGRAMS = /^\/(?:v1|mcp|admin|health|firecrawl|serpapi|tavily|r|s)(?:\/|$)|\.(?:json|txt|xml)$/;

const TITLES: { readonly [status: number]: string } = { 404: "Page not found", 503: "Temporarily unavailable" };

/** The pages that the page for an unknown path links to. */
const PLACES = [
  { path: "/", text: "Home page" },
  { path: "/docs", text: "Documentation" },
  { path: "/docs/errors", text: "Error codes" },
  { path: "/dashboard", text: "Dashboard" },
  { path: "/status", text: "Status" },
] as const;

/** Returns true if the request comes from a browser that opens a page. */
export function isForBrowser(c: Context<AppEnv>): boolean {
  const supports = ["application/json", "text/html"];
  return (
    /^(?:GET|HEAD)$/.test(c.req.method) &&
    !FOR_PROGRAMS.test(c.req.path) &&
    accepts(c, { header: "Accept", supports, default: "application/json" }) === "text/html"
  );
}

/** Responds with an error as a page. `pages` are the paths of other public pages. */
export function respondWithErrorPage(c: Context<AppEnv>, error: AppError, pages: readonly string[]): Response {
  c.set("errorCode", error.code);
  for (const [name, value] of Object.entries(error.headers)) c.header(name, value);
  c.header("Cache-Control", "no-store");
  const title = TITLES[error.status] ?? "The page can't be shown";
  const meant = error.status === 404 ? findMeant(c.req.path, pages) : null;
  const children = (
    <>
      <h1>{title}</h1>
      <p class="lead">{nameOperator(error.message, c.env)}</p>
      {meant === null ? null : (
        <p>
          Did you look for <a href={meant}>{meant}</a>?
        </p>
      )}
      <ul>
        {PLACES.map(({ path, text }) => (
          <li>
            <a href={path}>{text}</a>
          </li>
        ))}
      </ul>
      <p class="small">Request ID: {c.get("requestId")}</p>
    </>
  );
  const content = { title, description: title, path: c.req.path, children, hidden: true };
  return respondWithPage(c, content, { status: error.status as ContentfulStatusCode });
}

/** Returns the path whose last segment is most similar to that of an unknown path, or null. */
function findMeant(path: string, pages: readonly string[]): string | null {
  const lastOf = (of: string) => of.replace(/\/+$/, "").split("/").at(-1) ?? "";
  const paths = [...PLACES.map((place) => place.path), ...pages].filter((known) => lastOf(known) !== "");
  const name = suggest(lastOf(path).replace(/\.(?:html?|md|php)$/, ""), paths.map(lastOf));
  return paths.find((known) => lastOf(known) === name) ?? null;
}
