import { DeliveryStatus as DeliveryStatusSchema } from "../../../contract/webhooks";
import type { Mode } from "../../../model/api-key";
import type { Attempt, Delivery, DeliveryStatus } from "../../../model/delivery";
import { MINUTE_MS, SECOND_MS } from "../../../model/limits";
import { LinkButton, RelativeTime, StatusBadge, SubmitButton, TimeUntil } from "../../ui/components";
import { SelectField, TextField } from "../../ui/form";
import { toRecordPath } from "../../ui/format";
import { PostForm } from "../../ui/post-form";
import { Table } from "../../ui/table";

/** The filter of the list, from the page's query string. */
export interface DeliveryListFilter {
  status: DeliveryStatus | undefined;
  jobId: string | undefined;
}

const STATUS_OPTIONS: [string, string][] = [
  ["", "All statuses"],
  ...DeliveryStatusSchema.options.map((is): [string, string] => [is, is]),
];

/** The filter form. */
export function DeliveryFilterForm({ filter }: { filter: DeliveryListFilter }) {
  return (
    <form method="get" action="/dashboard/webhooks" class="delivery-filters" aria-label="Filter deliveries">
      <SelectField name="status" label="Status" options={STATUS_OPTIONS} value={filter.status ?? ""} />
      <TextField name="job_id" label="Job ID" value={filter.jobId ?? ""} autocomplete="off" />
      <div class="row">
        <SubmitButton tone="plain" label="Filter" />
        {hasDeliveryFilter(filter) ? (
          <LinkButton href="/dashboard/webhooks" tone="quiet" label="Show all deliveries" />
        ) : null}
      </div>
    </form>
  );
}

/** The periods of a bulk redelivery: the duration in hours, and its label. */
export const REDELIVERY_PERIODS: [hours: string, label: string][] = [
  ["1", "last hour"],
  ["24", "last 24 hours"],
  ["168", "last 7 days"],
  ["720", "last 30 days"],
];

/** The form that redelivers all failed events of a period. */
export function RedeliveryForm({ mode }: { mode: Mode }) {
  return (
    <PostForm
      action="/dashboard/webhooks/deliveries/redeliver"
      class="delivery-filters"
      label="Redeliver failed events"
    >
      <input type="hidden" name="mode" value={mode} />
      <SelectField name="hours" label="Failed events of the" options={REDELIVERY_PERIODS} value="24" />
      <div class="row">
        <SubmitButton tone="plain" label="Redeliver failed events" />
      </div>
    </PostForm>
  );
}

/** Returns true if the filter has a condition. */
export function hasDeliveryFilter({ status, jobId }: DeliveryListFilter): boolean {
  return status !== undefined || jobId !== undefined;
}

/** The table of deliveries. */
export function DeliveryTable({ deliveries, now }: { deliveries: Delivery[]; now: number }) {
  return (
    <Table
      caption="Deliveries, newest first"
      rows={deliveries}
      columns={[
        { label: "Event", cell: ({ id, event }) => <a href={`/dashboard/webhooks/deliveries/${id}`}>{event}</a> },
        { label: "Status", cell: ({ status }) => <StatusBadge is={status} /> },
        { label: "Receiver", cell: ({ url }) => URL.parse(url)?.host ?? url },
        { label: "Attempts", cell: ({ attempts }) => attempts.length },
        { label: "Last response", cell: (delivery) => <LastResponse of={delivery} now={now} /> },
        { label: "Job or batch", cell: (delivery) => <RecordLink of={delivery} /> },
        { label: "Created", cell: ({ createdAt }) => <RelativeTime at={createdAt} now={now} /> },
      ]}
    />
  );
}

function LastResponse({ of: { attempts, nextAttemptAt }, now }: { of: Delivery; now: number }) {
  const last = attempts.at(-1);
  return (
    <>
      {last === undefined ? "none yet" : toResponseText(last)}
      {nextAttemptAt === null ? null : (
        <span class="block small muted">
          next attempt <TimeUntil at={nextAttemptAt} now={now} />
        </span>
      )}
    </>
  );
}

function RecordLink({ of: delivery }: { of: Delivery }) {
  const record = toRecord(delivery);
  if (record === null) return <span class="muted">{delivery.event === "webhook.test" ? "none (test)" : "none"}</span>;
  return (
    <a href={toRecordPath(record)} class="mono nowrap">
      {toShortId(record.id)}
    </a>
  );
}

/** Returns the job, batch or crawl that the event is about. Null for a test and for an alert about usage. */
export function toRecord({ jobId, payload }: Delivery): { kind: "job" | "batch" | "crawl"; id: string } | null {
  if (jobId !== null) return { kind: "job", id: jobId };
  const { batch_id, crawl_id }: { batch_id?: string; crawl_id?: string } = JSON.parse(payload ?? "{}");
  if (batch_id !== undefined) return { kind: "batch", id: batch_id };
  return crawl_id === undefined ? null : { kind: "crawl", id: crawl_id };
}

/**
 * Returns the beginning of an id, which contains the time. The ids of all records of an account have the same end.
 */
function toShortId(id: string): string {
  return `${id.slice(0, 13)}…`;
}

/** Returns a short description of the response to an attempt. */
export function toResponseText({ status_code }: Attempt): string {
  return status_code === null ? "no response" : `status ${status_code}`;
}

/** Returns a longer refresh interval if no attempt is due within a minute. */
export function toRefreshInterval(deliveries: Delivery[], now: number): { every?: number } {
  const isSoon = deliveries.some(
    ({ status, nextAttemptAt }) => status === "pending" && (nextAttemptAt ?? now) < now + MINUTE_MS,
  );
  return isSoon ? {} : { every: 15 * SECOND_MS };
}
