import { html } from "hono/html";
import { TITLE } from "./guide";

/**
 * The Content-Security-Policy of the API reference. Its two scripts come from this service and send requests only to
 * this service. They add inline styles and use data URLs for icons.
 */
export const REFERENCE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

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
