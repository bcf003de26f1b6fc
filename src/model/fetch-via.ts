/** The ways to send plain requests to targets: with Cloudflare's `fetch`, or over a TCP socket. */
const FETCH_VIA = ["fetch", "socket"] as const;
export type FetchVia = (typeof FETCH_VIA)[number];

/** Parses the variable FETCH_VIA. Returns `fetch` if it is empty. Throws an Error for an unknown value. */
export function toFetchVia(text: string | undefined): FetchVia {
  const value = text?.trim() || "fetch";
  const found = FETCH_VIA.find((name) => name === value);
  if (found === undefined) throw new Error(`FETCH_VIA is "${value}". It must be "fetch", "socket" or empty.`);
  return found;
}
