const MAX_CHARS = 4_000;

/**
 * Redacts an error message for the log. Removes the paths of URLs, API keys and webhook secrets. Also removes quoted
 * text, which may come from a page or a request, as in `Unexpected token 'S', "Secret…" is not valid JSON`. Returns at
 * most 4,000 characters.
 */
export function redact(message: string): string {
  return redactSecrets(
    message
      .slice(0, MAX_CHARS)
      // Removes the text from the first quotation mark to the last, because the quoted text may contain quotation
      // marks.
      .replace(/["`](?:[\s\S]*["`]|[\s\S]*$)/, '"…"')
      .replace(/\b(https?|wss?|data):(?:\/\/(?:[^\s/@]*@)?([^\s/?#@]*))?[^\s)]*/gi, (_, scheme, host) =>
        host === undefined ? `${scheme}:…` : `${scheme}://${host}/…`,
      )
      .replace(/\bBearer\s+\S+/gi, "Bearer …"),
  );
}

/**
 * Redacts API keys and webhook secrets. Callers sometimes put them into paths and parameters by mistake. In a URL or in
 * JSON, a secret can follow a percent-encoded character or an escape sequence.
 */
export function redactSecrets(text: string): string {
  return text.replace(
    /(?:\b|(?<=%[0-9A-Fa-f]{2}|\\[bfnrt]|\\u[0-9A-Fa-f]{4}))(sk_(?:live|test)|whsec)_[0-9A-Za-z+/=_-]+/g,
    "$1_…",
  );
}

/** The endings of names of query parameters that contain secrets, in lower case and without `_` and `-`. */
const SECRET_NAME = /(?:token|secret|password|passwd|signature|apikey|accesskey|credential|jwt)$|^(?:sig|auth|pwd)$/;
/** Tokens for pagination aren't secrets. */
const PAGE_TOKEN = /page|next|cursor|continu|sync/;

/** Redacts the values of query parameters that usually contain secrets, such as `access_token` and `X-Amz-Signature`. */
export function redactQuery(url: string): string {
  // The value is optional, so that the search continues after a name without a value, and reads no name twice.
  return url.replace(/([?&;])([^=&;#]+)(=[^&#]+)?/g, (all, before: string, name: string, value?: string) => {
    const folded = name.replace(/%5B|%5D|[_\-.[\]]/gi, "").toLowerCase();
    return value !== undefined && SECRET_NAME.test(folded) && !PAGE_TOKEN.test(folded) ? `${before}${name}=…` : all;
  });
}

/** Redacts the secrets in a URL that the API or the dashboard shows. */
export function redactUrl(url: string): string {
  return redactQuery(redactSecrets(url));
}
