import { maskSecrets } from "./mask";

const MAX_CHARS = 4_000;

/**
 * A runtime's or a library's words, fit for the log: what they quote of a page or a request is left out ("Unexpected token
 * 'S', "Secret…" is not valid JSON"), and so are the paths of addresses, and keys.
 */
export function withoutContent(words: string): string {
  return maskSecrets(
    words
      .slice(0, MAX_CHARS)
      // From the first mark to the last: what is quoted may hold marks of its own.
      .replace(/["`](?:[\s\S]*["`]|[\s\S]*$)/, '"…"')
      .replace(/\b(https?|wss?|data):(?:\/\/(?:[^\s/@]*@)?([^\s/?#@]*))?[^\s)]*/gi, (_, scheme, host) =>
        host === undefined ? `${scheme}:…` : `${scheme}://${host}/…`,
      )
      .replace(/\bBearer\s+\S+/gi, "Bearer …"),
  );
}
