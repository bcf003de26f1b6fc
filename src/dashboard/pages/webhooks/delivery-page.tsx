import { countAttempts } from "../../../account/deliveries/delivery-rules";
import { DeliveryStatus as DeliveryStatusSchema } from "../../../contract/webhooks";
import type { Attempt, Delivery, DeliveryDelay, DeliveryStatus } from "../../../model/delivery";
import { WEBHOOK_ATTEMPTS } from "../../../model/limits";
import { AutoRefresh, Card, CodeBlock, Facts, LinkButton, StatusBadge, SubmitButton, Time } from "../../ui/components";
import { type FormErrors, ReceiverField, SelectField, TextField } from "../../ui/form";
import { toRecordPath } from "../../ui/format";
import { Permitted, PostButton, PostForm } from "../../ui/post-form";
import { Table } from "../../ui/table";

/** The number of characters of a payload that the page shows. */
const MAX_PAYLOAD_CHARS = 4_000;

interface DeliveryView {
  delivery: Delivery;
  /** The body of the event's requests. Null if the job's result was deleted. */
  payload: string | null;
  /** True if the viewer may not see the payload, which contains the job's result. */
  hidesPayload: boolean;
}

interface DeliveryPageProps extends DeliveryView {
  /** The URL that the user submitted, if the form has an error. */
  draft?: string;
  errors?: FormErrors;
}

export function DeliveryPage({ draft, errors, ...view }: DeliveryPageProps) {
  const { delivery } = view;
  const href = `/dashboard/webhooks/deliveries/${delivery.id}`;
  const { status, attempts, earlierAttempts } = delivery;
  return (
    <AutoRefresh id="delivery" src={href} busy={status === "pending"}>
      <div class="stack">
        <Card>
          <DeliveryFacts of={delivery} />
          <p>{describeNextStep(delivery)}</p>
          <Permitted action={`${href}/redeliver`}>
            <div>
              <PostButton action={`${href}/redeliver`} label="Redeliver event" small={false} />
            </div>
            <details open={errors !== undefined}>
              <summary>Redeliver to another URL</summary>
              <PostForm
                action={`${href}/redeliver`}
                class="fields disclosed"
                errors={errors}
                tone="plain"
                submit="Redeliver"
              >
                <ReceiverField
                  label="URL"
                  hint="This round of attempts is sent to this URL. The settings stay the same."
                  value={draft ?? ""}
                />
              </PostForm>
            </details>
          </Permitted>
        </Card>
        <RequestCard {...view} />
        <Card title={earlierAttempts.length === 0 ? "Attempts" : "Attempts in this round"}>
          {attempts.length === 0 ? (
            <p class="muted">No attempt has ended yet.</p>
          ) : (
            <Attempts of={attempts} url={delivery.url} numbered />
          )}
        </Card>
        {earlierAttempts.length === 0 ? null : (
          <Card title="Attempts in earlier rounds">
            <Attempts of={earlierAttempts} url={delivery.url} />
          </Card>
        )}
      </div>
    </AutoRefresh>
  );
}

const RECORD_LABELS = { job: "Job", batch: "Batch", crawl: "Crawl" };

const DELAY_LABELS: { readonly [D in DeliveryDelay]: string } = {
  hourly_limit: "the limit of events per hour",
  failing_receiver: "ten failures of the receiver in a row",
};

function DeliveryFacts({ of: delivery }: { of: Delivery }) {
  const { id, status, event, url, createdAt, nextAttemptAt, delayedBy } = delivery;
  const record = findRecord(delivery);
  return (
    <Facts
      of={[
        ["Status", <StatusBadge is={status} />],
        ["Event", event],
        [RECORD_LABELS[record?.kind ?? "job"], <RecordLink of={delivery} />],
        ["Receiver", <span class="mono breakable">{url}</span>],
        ["X-Webhook-ID", <span class="mono breakable">{id}</span>],
        ["Created", <Time at={createdAt} />],
        nextAttemptAt === null ? null : ["Next attempt", <Time at={nextAttemptAt} />],
        delayedBy === null ? null : ["Delayed by", DELAY_LABELS[delayedBy]],
      ]}
    />
  );
}

/** Returns a sentence with the next step of the delivery or of the user. */
function describeNextStep({ status, event, attempts }: Delivery): string {
  if (status === "succeeded") return "The receiver accepted the event.";
  if (status === "pending") {
    return event === "webhook.test"
      ? "The event is being sent. A test event has only one attempt."
      : `The event is sent up to ${WEBHOOK_ATTEMPTS} times, with increasing delays, until the receiver responds with a 2xx status.`;
  }
  if (attempts.at(-1)?.status_code === 410)
    return "The receiver responded with 410 Gone, so there are no further attempts.";
  if (event === "webhook.test")
    return "The receiver didn't accept the event. Fix the receiver and send a new test event.";
  if (attempts.at(-1)?.interrupted)
    return "The service has stopped sending the event. The last attempt shows the reason.";
  return "All attempts failed. Fix the receiver and redeliver the event. The event is sent to the current URL of its endpoint with the same X-Webhook-ID.";
}

/**
 * The list of attempts. `numbered` shows the numbers in `X-Webhook-Attempt`. Attempts before the last redelivery can't
 * be numbered, because not all of them are stored. `url` is the delivery's URL. If an attempt has another URL, the list
 * shows it.
 */
function Attempts({ of: attempts, url, numbered = false }: { of: Attempt[]; url: string; numbered?: boolean }) {
  return (
    <ol class="attempts">
      {attempts.map((attempt, index) => (
        <li>
          <p class="row">
            {numbered ? <strong>Attempt {countAttempts(attempts.slice(0, index)) + 1}</strong> : null}
            <span class={`status ${attempt.error === null ? "good" : "bad"}`}>{toResponseText(attempt)}</span>
            <Time at={attempt.at} />
            {attempt.duration_ms === null ? null : (
              <span class="muted">{attempt.duration_ms.toLocaleString("en")} ms</span>
            )}
          </p>
          {(attempt.url ?? url) === url ? null : <p class="mono breakable">{attempt.url}</p>}
          {attempt.error === null ? null : <p>{attempt.error}</p>}
          {attempt.response === null ? null : (
            <details open={numbered && attempt.error !== null && index === attempts.length - 1}>
              <summary>Response (first kilobyte)</summary>
              <div class="code-block wrap">
                <pre>{attempt.response}</pre>
              </div>
            </details>
          )}
        </li>
      ))}
    </ol>
  );
}

/** The request of the last attempt: its URL, headers and payload. */
function RequestCard({ delivery, payload, hidesPayload }: DeliveryView) {
  const attempts = [...delivery.earlierAttempts, ...delivery.attempts];
  const last = attempts.findLast(({ request_headers }) => request_headers !== undefined);
  const headers = last?.request_headers;
  const url = last?.url ?? delivery.url;
  return (
    <Card title="Request">
      {headers === undefined ? (
        <p class="muted">No attempt with recorded headers has ended yet.</p>
      ) : (
        <>
          <p>The headers of the last attempt, with its signatures:</p>
          <CodeBlock id="sent-headers" label="Request headers">
            {[`POST ${url}`, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)].join("\n")}
          </CodeBlock>
        </>
      )}
      {hidesPayload ? (
        <p class="muted">The payload is hidden, because it contains the job's result.</p>
      ) : (
        <Payload id={delivery.id} payload={payload} />
      )}
    </Card>
  );
}

function Payload({ id, payload }: { id: string; payload: string | null }) {
  if (payload === null) {
    return <p class="muted">The payload isn't available, because the job's result was deleted.</p>;
  }
  const isLong = payload.length > MAX_PAYLOAD_CHARS;
  return (
    <details>
      <summary>Payload ({payload.length.toLocaleString("en")} characters)</summary>
      <div class="disclosed">
        <CodeBlock id="sent-payload" label="Payload" wrap>
          {isLong ? `${payload.slice(0, MAX_PAYLOAD_CHARS)}…` : payload}
        </CodeBlock>
        <p>
          <a href={`/dashboard/webhooks/deliveries/${id}/payload`}>Download the payload</a>
        </p>
      </div>
    </details>
  );
}

/** The filter of the list, from the page's query string. */
export interface DeliveryListFilter {
  status: DeliveryStatus | undefined;
  jobId: string | undefined;
}

const STATUS_OPTIONS: [string, string][] = [
  ["", "All statuses"],
  ...DeliveryStatusSchema.options.map((is): [string, string] => [is, is]),
];

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
  ["1", "Last hour"],
  ["24", "Last 24 hours"],
  ["168", "Last 7 days"],
  ["720", "Last 30 days"],
];

/** The form that redelivers all failed events of a period. */
export function RedeliveryForm() {
  return (
    <PostForm
      action="/dashboard/webhooks/deliveries/redeliver"
      class="delivery-filters"
      label="Redeliver failed events"
    >
      <SelectField name="hours" label="Failed events" options={REDELIVERY_PERIODS} value="24" />
      <div class="row">
        <SubmitButton tone="plain" label="Redeliver failed events" />
      </div>
    </PostForm>
  );
}

export function hasDeliveryFilter({ status, jobId }: DeliveryListFilter): boolean {
  return status !== undefined || jobId !== undefined;
}

export function DeliveryTable({ deliveries }: { deliveries: Delivery[] }) {
  return (
    <Table
      caption="Deliveries, newest first"
      empty="No matching deliveries."
      rows={deliveries}
      columns={[
        { label: "Event", cell: ({ id, event }) => <a href={`/dashboard/webhooks/deliveries/${id}`}>{event}</a> },
        { label: "Status", cell: ({ status }) => <StatusBadge is={status} /> },
        { label: "Receiver", cell: ({ url }) => URL.parse(url)?.host ?? url },
        { label: "Attempts", cell: ({ attempts }) => attempts.length },
        { label: "Last response", cell: (delivery) => <LastResponse of={delivery} /> },
        { label: "Job or batch", cell: (delivery) => <RecordLink of={delivery} isShort /> },
        { label: "Created", cell: ({ createdAt }) => <Time at={createdAt} /> },
      ]}
    />
  );
}

function LastResponse({ of: { attempts, nextAttemptAt } }: { of: Delivery }) {
  const last = attempts.at(-1);
  return (
    <>
      {last === undefined ? "none yet" : toResponseText(last)}
      {nextAttemptAt === null ? null : (
        <span class="block small muted">
          next attempt <Time at={nextAttemptAt} />
        </span>
      )}
    </>
  );
}

/** The link to the record of the event. The beginning of an id, which contains the time, differs from that of others. */
function RecordLink({ of: delivery, isShort = false }: { of: Delivery; isShort?: boolean }) {
  const record = findRecord(delivery);
  if (record === null) return <span class="muted">{delivery.event === "webhook.test" ? "none (test)" : "none"}</span>;
  return isShort ? (
    <a href={toRecordPath(record)} class="mono nowrap">
      {record.id.slice(0, 13)}…
    </a>
  ) : (
    <a href={toRecordPath(record)}>{record.id}</a>
  );
}

/** Returns the job, batch or crawl that the event is about. Null for a test and for an alert about usage. */
function findRecord({ jobId, payload }: Delivery): { kind: "job" | "batch" | "crawl"; id: string } | null {
  if (jobId !== null) return { kind: "job", id: jobId };
  const { batch_id, crawl_id }: { batch_id?: string; crawl_id?: string } = JSON.parse(payload ?? "{}");
  if (batch_id !== undefined) return { kind: "batch", id: batch_id };
  return crawl_id === undefined ? null : { kind: "crawl", id: crawl_id };
}

function toResponseText({ status_code }: Attempt): string {
  return status_code === null ? "no response" : `status ${status_code}`;
}
