/** A payload up to this length is part of the command. A longer one is read from a file. */
export const MAX_INLINE_PAYLOAD_CHARS = 4_000;
/** The name of the file with the payload. */
export const PAYLOAD_FILE = "payload.json";

/** Returns a curl command that repeats a delivery. It has the signatures, but not the secret. */
export function toCurl({
  url,
  headers,
  payload,
}: {
  url: string;
  headers: Readonly<Record<string, string>>;
  payload: string;
}): string {
  const data =
    payload.length <= MAX_INLINE_PAYLOAD_CHARS
      ? `--data-raw ${quoteForShell(payload)}`
      : `--data-binary @${PAYLOAD_FILE}`;
  const lines = Object.entries(headers).map(([name, value]) => `-H ${quoteForShell(`${name}: ${value}`)}`);
  // Without -g, curl would expand brackets and braces in the URL.
  return [`curl -g -X POST ${quoteForShell(url)}`, ...lines, data].join(" \\\n  ");
}

/** Quotes text for a POSIX shell. */
export function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
