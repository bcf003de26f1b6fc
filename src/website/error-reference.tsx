import { ERROR_HELP } from "../contract/error-codes";
import { ERROR_HINTS } from "../model/error-hints";
import { ERRORS, type ErrorCode } from "../model/errors";

/** The error reference: one section per code, whose id is the code. `doc_url` of an error points to it. */
export function ErrorReference() {
  const codes = (Object.keys(ERRORS) as ErrorCode[]).sort((a, b) => ERRORS[a].status - ERRORS[b].status);
  return (
    <>
      <h1>Errors</h1>
      <p>
        Every error response has a <code>code</code>, a <code>message</code>, and a <code>hint</code> with the next
        step. If <code>retryable</code> is true, the same request may succeed later. Failed requests are free.
      </p>
      <nav class="codes" aria-label="Codes">
        {codes.map((code) => (
          <a href={`#${code}`}>{code}</a>
        ))}
      </nav>
      {codes.map((code) => (
        <CodeSection code={code} />
      ))}
    </>
  );
}

function CodeSection({ code }: { code: ErrorCode }) {
  const { status, ...entry } = ERRORS[code];
  const { meaning, message } = ERROR_HELP[code];
  return (
    <section id={code}>
      <h2>
        <code>{code}</code>
      </h2>
      <p class="muted">
        Status {status} · {"retryable" in entry ? "retryable" : "not retryable"}
      </p>
      <p>{toCode(meaning)}</p>
      <p>
        <b>Next step:</b> {ERROR_HINTS[code]}
      </p>
      <p>
        Example: <q>{message}</q>
      </p>
    </section>
  );
}

/** Returns the text with the parts between backticks as code. */
function toCode(text: string) {
  return text.split("`").map((part, i) => (i % 2 === 1 ? <code>{part}</code> : part));
}
