import { toChoice } from "../lib/env.ts";

/** The ways to send plain requests to targets: with Cloudflare's `fetch`, or over a TCP socket. */
export const FETCH_VIA = ["fetch", "socket"] as const;
export type FetchVia = (typeof FETCH_VIA)[number];

/** Parses the variable FETCH_VIA. Returns `fetch` if it is empty. Throws an Error for an unknown value. */
export function toFetchVia(text: string | undefined): FetchVia {
  return toChoice("FETCH_VIA", FETCH_VIA, text) ?? "fetch";
}
