import { html } from "hono/html";
import { ERROR_HELP } from "../../contract/error-codes";
import { ERROR_HINTS } from "../../model/error-hints";
import { ERRORS, type ErrorCode } from "../../model/errors";
import { TITLE } from "./guide";
import { pageHead } from "./pages";

/** Returns the error reference: one section per code, whose id is the code. `doc_url` of an error points to it. */
export function errorReferencePage() {
  const codes = (Object.keys(ERRORS) as ErrorCode[]).sort((a, b) => ERRORS[a].status - ERRORS[b].status);
  return html`<!doctype html>
<html lang="en">
  ${pageHead(`Errors · ${TITLE}`)}
  <body>
    <main>
      <h1>Errors</h1>
      <p>
        Every error response has a <code>code</code>, a <code>message</code>, and a <code>hint</code> with the next
        step. If <code>retryable</code> is true, the same request may succeed later. Failed requests are free.
        <a href="/docs">API reference</a>
      </p>
      <nav aria-label="Codes">${codes.map((code) => html`<a href="#${code}">${code}</a> `)}</nav>
      ${codes.map(toSection)}
    </main>
  </body>
</html>`;
}

function toSection(code: ErrorCode) {
  const { status, ...entry } = ERRORS[code];
  const { meaning, message } = ERROR_HELP[code];
  return html`<section id="${code}">
<h2>${code}</h2>
<p>Status ${status} · ${"retryable" in entry ? "retryable" : "not retryable"}
<p>${withCode(meaning)}
<p><b>Next step:</b> ${ERROR_HINTS[code]}
<p>Example: <q>${message}</q>
</section>`;
}

/** Returns the text as HTML. Text between backticks becomes code. */
function withCode(text: string) {
  return text.split("`").map((part, i) => (i % 2 === 1 ? html`<code>${part}</code>` : part));
}
