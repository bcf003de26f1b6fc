/** The regions that Durable Objects can be restricted to. */
export const JURISDICTIONS = ["eu", "fedramp"] as const;
export type Jurisdiction = (typeof JURISDICTIONS)[number];

/** Hints for where an object is created. They count only when it is first called. */
export const LOCATIONS = ["wnam", "enam", "sam", "weur", "eeur", "apac", "oc", "afr", "me"] as const;
export type Location = (typeof LOCATIONS)[number];

/** An account, and how its Durable Object is reached. Key records and queue messages carry it, so that no lookup is needed. */
export interface AccountRef {
  id: string;
  /** 10 hex digits, unique in the directory. The ids of the account's jobs end with it, and its R2 keys begin with it. */
  tag: string;
  /** The name of the account's object. It changes when the account is moved. */
  object: string;
  jurisdiction: Jurisdiction | null;
}
