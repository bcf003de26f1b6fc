/** The regions that Durable Objects can be restricted to. */
export const JURISDICTIONS = ["eu", "us", "fedramp"] as const;
export type Jurisdiction = (typeof JURISDICTIONS)[number];

/** The location hints for a new Durable Object. Cloudflare uses a hint only in the first call to an object. */
export const LOCATIONS = [
  "wnam",
  "enam",
  "sam",
  "weur",
  "eeur",
  "apac",
  "apac-ne",
  "apac-se",
  "oc",
  "afr",
  "me",
] as const;
export type LocationHint = (typeof LOCATIONS)[number];

/** Identifies an account and its Durable Object. Key records and messages include it, to save a lookup. */
export interface AccountRef {
  id: string;
  /** 10 unique hex digits, with which the account's job ids end. R2 keys have them after the kind of object. */
  tag: string;
  /** The name of the account's Durable Object. It changes when the account is erased and restored. */
  object: string;
  jurisdiction: Jurisdiction | null;
}

export const ACCOUNT_SUSPENDED_MESSAGE = "This account is suspended. Contact the operator of this service.";
