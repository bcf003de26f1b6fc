// `npm run account -- find …`: prints what a search of the admin API has found.
import type { AdminClient } from "./client.ts";

interface FoundAccount {
  id: string;
  tag: string;
  name: string;
  plan: string;
}

/** The reply of `POST /admin/v1/find`. */
export type Finding =
  | { kind: "records"; account: FoundAccount; records: { kind: string; mode: string; id: string }[] }
  | { kind: "no_record"; account: FoundAccount }
  | { kind: "no_account" }
  | { kind: "keys"; keys: { id: string; prefix: string; last4: string; mode: string; account: FoundAccount }[] }
  | { kind: "accounts"; accounts: FoundAccount[] };

const PAGES: Readonly<Record<string, string>> = {
  job: "jobs",
  batch: "batches",
  crawl: "batches",
  delivery: "webhooks/deliveries",
};

/** Finds a job, batch, delivery, request, key, account or email address. Returns the lines to print. */
export async function find(admin: AdminClient, query: string): Promise<string[]> {
  return describeFinding(await admin.call<Finding>("POST", "/find", { query }), query);
}

/** Returns one line per match, each with the path of its page in the dashboard. */
export function describeFinding(found: Finding, query: string): string[] {
  switch (found.kind) {
    case "records":
      return [
        describeAccount(found.account),
        ...found.records.map(
          ({ kind, mode, id }) => `${kind} ${id} (${mode})  ${pathOf(found.account)}/${PAGES[kind]}/${id}?mode=${mode}`,
        ),
      ];
    case "no_record":
      return [
        describeAccount(found.account),
        `The account has no job, batch or delivery with this id. If it's a request id, the request created no job. ${toLogHint(query)}`,
      ];
    case "no_account":
      return [`No account has this id. If it's a request id, the request had no valid API key. ${toLogHint(query)}`];
    case "keys":
      if (found.keys.length === 0) return ["No API key matches. Keys are deleted 30 days after their revocation."];
      return found.keys.map(
        ({ id, prefix, last4, mode, account }) =>
          `key ${prefix}…${last4} (${mode}, ${id})  ${describeAccount(account)}/keys`,
      );
    case "accounts":
      return found.accounts.length === 0 ? ["No account matches."] : found.accounts.map(describeAccount);
  }
}

function describeAccount(account: FoundAccount): string {
  return `account ${account.id} (${account.name}, ${account.plan})  ${pathOf(account)}`;
}

function pathOf({ id }: FoundAccount): string {
  return `/dashboard/admin/accounts/${id}`;
}

function toLogHint(id: string): string {
  return `Search the log for request_id = "${id}".`;
}
