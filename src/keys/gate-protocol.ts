import type { ApiKey } from "../model/api-key";
import type { RateDecision } from "./window";

/** Reading a single job counts in a window of its own; who only shows a key counts in none. */
export type Counts = "request" | "poll" | "nothing";

/** What a request shows at the gate. */
export interface Entrance {
  /** The caller's address as the platform tells it. */
  address: string | null;
  counts: Counts;
}

/** The gate's answer: plain values, since class identity is lost over RPC. */
export type Passage =
  | { kind: "passed"; key: ApiKey; rate: RateDecision }
  | {
      kind: "refused";
      reason: "rate_limited" | "account_suspended" | "ip_not_allowed";
      key: ApiKey;
      rate: RateDecision;
    }
  /** No valid key: the window is that of the caller's address. */
  | { kind: "unauthorized"; reason: "invalid_api_key" | "revoked_api_key"; rate: RateDecision }
  /** The key had to be read, and couldn't be. */
  | { kind: "unavailable"; rate: RateDecision };
