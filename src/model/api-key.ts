import type { AccountRef } from "./account.ts";
import type { Endpoint } from "./endpoint.ts";
import type { OwnPrices } from "./prices.ts";

/** The scopes of API keys: one for each kind of endpoint, `jobs` for reading jobs, and `keys` for managing keys. */
export const SCOPES = ["scrape", "parse", "serp", "jobs", "keys"] as const;
export type Scope = (typeof SCOPES)[number];
export const ENDPOINT_SCOPES: { readonly [E in Endpoint]: Scope } = {
  scrape: "scrape",
  parse: "parse",
  serp: "serp",
  map: "scrape",
};
export const MODES = ["live", "test"] as const;
export type Mode = (typeof MODES)[number];

/** An API key without its secret. The service stores only a hash of the secret. */
export interface ApiKey {
  id: string;
  account: AccountRef;
  mode: Mode;
  scopes: Scope[];
  /** The CIDR ranges that the key may be used from. If empty, every address is allowed. */
  allowedIps: string[];
  revokedAt: number | null;
  /** The time (Unix ms) at which the key stops working, or null. For a rotated secret, the end of its grace period. */
  expiresAt: number | null;
  /** The credits that the key may spend in each period, or null. */
  creditLimit: number | null;
  /** The account's own prices. Null or undefined if the account has the prices of the service. */
  prices?: OwnPrices | null;
}

/** The id of the dashboard as the caller of its jobs. Other jobs have the id of an API key. */
export const DASHBOARD_CALLER = "dashboard";

export function isExpired({ expiresAt }: Pick<ApiKey, "expiresAt">, now: number): boolean {
  return expiresAt !== null && expiresAt <= now;
}

/** An API key with the data of its account that is needed to verify a request. */
export interface VerifierRecord extends ApiKey {
  suspended: boolean;
  /** The rate limit, in requests per minute. */
  limit: number;
}

/** An API key as lists show it to its owner. Times are Unix ms. */
export interface ListedKey extends Omit<ApiKey, "account"> {
  name: string | null;
  prefix: string;
  last4: string;
  createdAt: number;
  lastUsedAt: number | null;
  /** The time at which the secret before the last rotation stops working. Null if the key was never rotated. */
  previousExpiresAt: number | null;
  /** The host of the connected application to which the key belongs. Null for a key that a person created. */
  receiver: string | null;
}
