import { DeliveryStatus as DeliveryStatusSchema } from "../../../contract/webhooks";
import type { Mode } from "../../../model/api-key";
import type { Attempt, Delivery, DeliveryStatus } from "../../../model/delivery";
import { MINUTE_MS, SECOND_MS } from "../../../model/limits";
import { RelativeTime, StatusBadge, TableCell, TimeUntil } from "../../ui/components";
import { SelectField, TextField } from "../../ui/form";
import { toRecordPath } from "../../ui/format";
import { PostForm } from "../../ui/post-form";

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
        <button class="button" type="submit">
          Filter
        </button>
        {hasDeliveryFilter(filter) ? (
          <a class="button quiet" href="/dashboard/webhooks">
            Show all deliveries
          </a>
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
        <button class="button" type="submit">
          Redeliver failed events
        </button>
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
    <div class="table-scroll">
      <table class="stacking">
        <caption class="visually-hidden">Deliveries, newest first</caption>
        <thead>
          <tr>
            <th scope="col">Event</th>
            <th scope="col">Status</th>
            <th scope="col">Receiver</th>
            <th scope="col">Attempts</th>
            <th scope="col">Last response</th>
            <th scope="col">Job or batch</th>
            <th scope="col">Created</th>
          </tr>
        </thead>
        <tbody>
          {deliveries.map((delivery) => (
            <DeliveryRow of={delivery} now={now} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function DeliveryRow({ of: delivery, now }: { of: Delivery; now: number }) {
  const last = delivery.attempts.at(-1);
  const record = toRecord(delivery);
  return (
    <tr>
      <TableCell of="Event">
        <a href={`/dashboard/webhooks/deliveries/${delivery.id}`}>{delivery.event}</a>
      </TableCell>
      <TableCell of="Status">
        <StatusBadge is={delivery.status} />
      </TableCell>
      <TableCell of="Receiver">{URL.parse(delivery.url)?.host ?? delivery.url}</TableCell>
      <TableCell of="Attempts">{delivery.attempts.length}</TableCell>
      <TableCell of="Last response">
        {last === undefined ? "none yet" : toResponseText(last)}
        {delivery.nextAttemptAt === null ? null : (
          <span class="block small muted">
            next attempt <TimeUntil at={delivery.nextAttemptAt} now={now} />
          </span>
        )}
      </TableCell>
      <TableCell of="Job or batch">
        {record === null ? (
          <span class="muted">{delivery.event === "webhook.test" ? "none (test)" : "none"}</span>
        ) : (
          <a href={toRecordPath(record)} class="mono nowrap">
            {toShortId(record.id)}
          </a>
        )}
      </TableCell>
      <TableCell of="Created">
        <RelativeTime at={delivery.createdAt} now={now} />
      </TableCell>
    </tr>
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
