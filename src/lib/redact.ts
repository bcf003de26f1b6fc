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

/** Redacts API keys and webhook secrets. Callers sometimes put them into paths and parameters by mistake. */
export function redactSecrets(text: string): string {
  return text.replace(/\b(sk_(?:live|test)|whsec)_[0-9A-Za-z+/=_-]+/g, "$1_…");
}
