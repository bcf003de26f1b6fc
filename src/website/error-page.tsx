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

/** The pages whose address doesn't end with the name under which readers look for them. */
const NAMES: { readonly [name: string]: string } = {
  dashboard: "/dashboard",
  login: "/dashboard/sign-in",
  pricing: "/#prices",
  search: "/docs/api/serp",
  signin: "/dashboard/sign-in",
  signup: "/dashboard/sign-up",
};

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
      <p class="small">Request ID: {c.get("requestId")}</p>
    </>
  );
  const content = { title, description: title, path: c.req.path, children, hidden: true };
  return respondWithPage(c, content, { status: error.status as ContentfulStatusCode });
}

/** Returns the page whose name is most similar to the last segment of an unknown path, or null. */
function findMeant(path: string, pages: readonly string[]): string | null {
  const lastOf = (of: string) => of.split("/").findLast((segment) => segment !== "") ?? "";
  const named = pages.filter((page) => page !== "/").map((page) => [lastOf(page), page] as const);
  const byName = new Map([...named.toReversed(), ...Object.entries(NAMES)]);
  const name = suggest(lastOf(path).replace(/\.(?:html?|md|php)$/, ""), [...byName.keys()]);
  return name === null ? null : (byName.get(name) ?? null);
}
