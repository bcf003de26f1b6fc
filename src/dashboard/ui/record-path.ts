import type { Located } from "../../account/locate";

const PAGES = { job: "jobs", batch: "batches", crawl: "batches", delivery: "webhooks/deliveries" } as const;

/** Returns the path of the page that shows a record. */
export function toRecordPath({ kind, id }: Pick<Located, "kind" | "id">): string {
  return `/dashboard/${PAGES[kind]}/${id}`;
}
