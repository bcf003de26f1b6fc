import { html } from "hono/html";
import { ERROR_REFERENCE_PATH } from "../../contract/error-codes";
import { toText } from "../../lib/env";
import type { OperatorVariables } from "../../model/operator";
import { SUMMARY, TITLE } from "./guide";

/** The links of the front page. */
export const LINKS = [
  { name: "dashboard", path: "/dashboard", text: "Dashboard: API keys, jobs, usage, webhooks and a playground" },
  { name: "docs", path: "/docs", text: "API reference: all operations, with examples" },
  { name: "errors", path: ERROR_REFERENCE_PATH, text: "Errors: the meaning of each code, and what to do" },
  { name: "status", path: "/status", text: "Status: the state of each part in the last 90 days, and incidents" },
  { name: "openapi", path: "/openapi.json", text: "The OpenAPI 3.1 document" },
  { name: "llms", path: "/llms.txt", text: "llms.txt: a short version for language models" },
] as const;

const COMMON_DIRECTIVES = "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The Content-Security-Policy of pages that have a style sheet and an icon but no scripts. */
export const STATIC_POLICY = `default-src 'none'; style-src 'self'; img-src 'self'; ${COMMON_DIRECTIVES}`;

/**
 * The Content-Security-Policy of the API reference. Its two scripts come from this service and send requests only to
 * this service. They add inline styles and use data URLs for icons.
 */
export const REFERENCE_POLICY = `default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; ${COMMON_DIRECTIVES}`;

/** Returns the head of a page without scripts. */
export function pageHead(title: string) {
  return html`<head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${title}</title>
    <meta name="description" content="${SUMMARY}">
    <link rel="icon" href="/favicon.svg" type="image/svg+xml">
    <link rel="stylesheet" href="/docs/page.css">
  </head>`;
}

export function frontPage(variables: OperatorVariables) {
  return html`<!doctype html>
<html lang="en">
  ${pageHead(TITLE)}
  <body>
    <main>
      <h1>${TITLE}</h1>
      <p>${SUMMARY}</p>
      <ul>
        ${LINKS.map(({ path, text }) => html`<li><a href="${path}">${text}</a></li>`)}
        ${toOperatorLinks(variables).map(({ url, text }) => html`<li><a href="${url}">${text}</a></li>`)}
      </ul>
    </main>
  </body>
</html>`;
}

/** Returns the links to the operator's support page and terms of use. Omits links that aren't set. */
function toOperatorLinks({ SUPPORT_URL, TERMS_URL }: OperatorVariables) {
  const links = [
    { url: toText(SUPPORT_URL), text: "Support: contact the operator of this service" },
    { url: toText(TERMS_URL), text: "Terms of use" },
  ];
  return links.filter((link): link is { url: string; text: string } => link.url !== null);
}

/** Returns the page of the API reference. scripts/assets.ts copies its scripts to the assets folder. */
export function referencePage() {
  return html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>API reference · ${TITLE}</title>
    <link rel="icon" href="/favicon.svg" type="image/svg+xml">
  </head>
  <body>
    <div id="reference"></div>
    <noscript>The API reference requires JavaScript. <a href="/llms.txt">Read the short text version</a> instead.</noscript>
    <script src="/docs/scalar.js"></script>
    <script src="/docs/start.js"></script>
  </body>
</html>`;
}
