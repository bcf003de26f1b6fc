/** The ways to send plain requests to targets: with Cloudflare's `fetch`, or over a TCP socket. */
const FETCH_VIA = ["fetch", "socket"] as const;
export type FetchVia = (typeof FETCH_VIA)[number];

/** Parses the variable FETCH_VIA. Returns `fetch` if it is empty. Throws an Error for an unknown value. */
export function toFetchVia(text: string | undefined): FetchVia {
  const problem = describeInvalidFetchVia(text);
  if (problem !== null) throw new Error(problem);
  return find(text) ?? "fetch";
}

/** Returns a message for an unknown value of FETCH_VIA, or null. */
export function describeInvalidFetchVia(text: string | undefined): string | null {
  const value = text?.trim() ?? "";
  if (value === "" || find(value) !== undefined) return null;
  return `FETCH_VIA is "${value}". It must be "fetch", "socket" or empty.`;
}

function find(text: string | undefined): FetchVia | undefined {
  return FETCH_VIA.find((name) => name === text?.trim());
}
