import { html } from "hono/html";
import { SUMMARY, TITLE } from "./guide";

/** The links of the front page. */
export const LINKS = [
  { name: "dashboard", path: "/dashboard", text: "Dashboard: keys, jobs, usage, webhooks, and a place to try it" },
  { name: "docs", path: "/docs", text: "Reference: every operation, with examples" },
  { name: "openapi", path: "/openapi.json", text: "The same as OpenAPI 3.1" },
  { name: "llms", path: "/llms.txt", text: "The same in short, for language models" },
] as const;

const NOTHING_ELSE = "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The content security policy of the front page, which has a style sheet and an icon but no scripts. */
export const FRONT_POLICY = `default-src 'none'; style-src 'self'; img-src 'self'; ${NOTHING_ELSE}`;

/**
 * The content security policy of the reference, which runs two own scripts and requests only this service. It writes its styles
 * into the page and has icons as data URLs.
 */
export const REFERENCE_POLICY = `default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; ${NOTHING_ELSE}`;

export function frontPage() {
  return html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${TITLE}</title>
    <meta name="description" content="${SUMMARY}">
    <link rel="icon" href="/favicon.svg" type="image/svg+xml">
    <link rel="stylesheet" href="/docs/page.css">
  </head>
  <body>
    <main>
      <h1>${TITLE}</h1>
      <p>${SUMMARY}</p>
      <ul>
        ${LINKS.map(({ path, text }) => html`<li><a href="${path}">${text}</a></li>`)}
      </ul>
    </main>
  </body>
</html>`;
}

/** Returns the page of the reference. scripts/assets.ts provides its files. */
export function referencePage() {
  return html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${TITLE}: reference</title>
    <link rel="icon" href="/favicon.svg" type="image/svg+xml">
  </head>
  <body>
    <div id="reference"></div>
    <noscript>The reference needs scripts. <a href="/llms.txt">Here</a> is the short form without.</noscript>
    <script src="/docs/scalar.js"></script>
    <script src="/docs/start.js"></script>
  </body>
</html>`;
}
