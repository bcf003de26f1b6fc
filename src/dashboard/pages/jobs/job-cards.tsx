import type { Child } from "hono/jsx";
import { toMetadataParameter } from "../../../contract/metadata-filter";
import type { Delivery } from "../../../model/delivery";
import type { Job } from "../../../model/job";
import type { Labels } from "../../../model/labels";
import { MAX_PREVIEW_BYTES } from "../../../model/limits";
import { type KeyName, listKeyNames } from "../../../store/keys";
import { openRequest, readSmall } from "../../../store/objects";
import { findDelivery } from "../../../webhooks/deliveries";
import { AutoRefresh, Card, CodeBlock, type Fact, Facts, Stats, StatusBadge, Time } from "../../ui/components";
import { toDuration, toKeyLabel, toProcessingTime, toSize, toWords } from "../../ui/format";
import { FailureNotice, JobStatus, OutcomeNotice, ReceiptLines } from "../../ui/job-parts";
import { toJobsHref } from "./job-filter";

/** The fields of `meta` that other parts of the page show. */
const SHOWN_ELSEWHERE = ["evidence", "unverified", "outcome_reason", "source_by_field"];

/** The parts of a job that its page reads in addition to the job itself. */
export interface JobParts {
  keys: readonly KeyName[];
  request: RequestPreview | "too large" | null;
  delivery: Delivery | null;
}

export async function readJobParts(env: Env, job: Job): Promise<JobParts> {
  const { account, mode, id } = job;
  const [keys, request, delivery] = await Promise.all([
    listKeyNames(env.DB, { accountId: account.id, mode }),
    readRequestPreview(env, job),
    findDelivery(env, { account, mode }, id),
  ]);
  return { keys, request, delivery };
}

/** The page of a job. `result` is the card with its result. Updates automatically until the job has ended. */
export function JobView({ job, result, ...parts }: JobParts & { job: Job; result: Child }) {
  const { keys, request, delivery } = parts;
  const { error } = job;
  const isBusy = job.endedAt === null;
  return (
    <AutoRefresh id="job" src={`/dashboard/jobs/${job.id}`} busy={isBusy}>
      <div class="stack">
        {error === null ? null : (
          <FailureNotice {...error}>
            <p class="small">
              {error.retryable ? "The same request may succeed later." : "The same request would fail again."} Failed
              jobs are free.
            </p>
          </FailureNotice>
        )}
        <OutcomeNotice job={job} />
        {isBusy ? <ProgressNotice job={job} /> : null}
        <JobStats job={job} />
        {job.status === "completed" ? result : null}
        <div class="grid two">
          <RequestCard path={job.endpoint} preview={request} />
          <div class="stack">
            {job.receipt === null ? null : (
              <Card title="Receipt">
                <ReceiptLines job={job} />
              </Card>
            )}
            <DetailsCard job={job} keys={keys} delivery={delivery} />
          </div>
        </div>
      </div>
    </AutoRefresh>
  );
}

function JobStats({ job }: { job: Job }) {
  const { endedAt, createdAt, credits, creditsUsed } = job;
  const wait = endedAt === null ? undefined : `${toDuration(endedAt - createdAt)} including time in the queue`;
  return (
    <Card>
      <Stats
        of={[
          ["Status", <JobStatus status={job.status} outcome={job.outcome} />],
          ["Duration", toProcessingTime(job.processingTimeMs), wait],
          ["Credits", endedAt === null ? credits : creditsUsed, endedAt === null ? "reserved" : toPriceNote(job)],
        ]}
      />
    </Card>
  );
}

function toPriceNote({ status, credits, creditsUsed }: Job): string {
  if (status === "failed") return "failed jobs are free";
  return creditsUsed === 0 && credits > 0 ? "this outcome is free" : "used";
}

function ProgressNotice({ job }: { job: Job }) {
  return (
    <p class="notice busy" role="status">
      {job.status === "queued" ? "The job is queued." : "The job is being processed."} This page updates automatically.
      If JavaScript is disabled, reload the page.
    </p>
  );
}

interface RequestCardProps {
  /** The last part of the API's path. */
  path: string;
  preview: RequestPreview | "too large" | null;
}

/** The request of a job, batch or crawl as JSON. */
export function RequestCard({ path, preview }: RequestCardProps) {
  return (
    <Card title="Request">
      <p class="mono small">POST /v1/{path}</p>
      {preview === null ? (
        <p class="muted">The request has expired.</p>
      ) : preview === "too large" ? (
        <p class="muted">The request is larger than {toSize(MAX_PREVIEW_BYTES)}, so it can't be shown here.</p>
      ) : (
        <>
          <CodeBlock id="request" label="Request as JSON">
            {JSON.stringify(preview.request, null, 2)}
          </CodeBlock>
          {preview.shortened.length === 0 ? null : (
            <p class="muted small">These fields are shortened: {preview.shortened.join(", ")}.</p>
          )}
        </>
      )}
    </Card>
  );
}

function DetailsCard({ job, keys, delivery }: Omit<JobParts, "request"> & { job: Job }) {
  const facts: Fact[] = [
    ["Job ID", <code>{job.id}</code>],
    ["Mode", job.mode],
    ["Key", <a href={toJobsHref({ key_id: job.keyId })}>{toKeyLabel(job.keyId, keys)}</a>],
    ["Created", <Time at={job.createdAt} />],
  ];
  if (job.endedAt !== null) facts.push(["Ended", <Time at={job.endedAt} />]);
  if (job.batchId !== null)
    facts.push(["Batch", <a href={`/dashboard/batches/${job.batchId}`}>Page {job.page?.toLocaleString("en")}</a>]);
  if (job.requestId !== null) facts.push(["Request ID", <code>{job.requestId}</code>]);
  if (job.run > 1) facts.push(["Runs", job.run]);
  for (const [name, value] of toFacts(job.extras ?? {})) facts.push([name, value]);
  if (job.labels !== null) facts.push(...toLabelFacts(job.labels));
  facts.push(["Webhook", <Webhook job={job} delivery={delivery} />]);
  return (
    <Card title="Details">
      <Facts of={facts} />
    </Card>
  );
}

/** The tags and the metadata of the job. Each one links to a list of all jobs with the same label. */
function toLabelFacts({ tags, metadata }: Labels): Fact[] {
  const links = tags.map((tag) => (
    <>
      <a href={toJobsHref({ tag })}>{tag}</a>{" "}
    </>
  ));
  const entries = Object.entries(metadata).map(([key, value]): [string, Child] => [
    key,
    <a href={toJobsHref({ [toMetadataParameter(key)]: String(value) })}>{String(value)}</a>,
  ]);
  return links.length === 0 ? entries : [["Tags", links], ...entries];
}

function Webhook({ job, delivery }: { job: Job; delivery: Delivery | null }) {
  if (delivery !== null) {
    return (
      <>
        <StatusBadge is={delivery.status} /> <a href={`/dashboard/webhooks/deliveries/${delivery.id}`}>Show delivery</a>
      </>
    );
  }
  if (job.webhookUrl === null) return <span class="muted">none</span>;
  return (
    <span class="muted">
      {job.endedAt === null
        ? "The event is sent when the job ends."
        : "No event was sent, because the caller waited for the result."}
    </span>
  );
}

/** Converts the fields of `meta`, including nested ones, to labels ("Model used") and values. */
function toFacts(extras: Record<string, unknown>): [string, string][] {
  return Object.entries(extras).flatMap(([name, value]): [string, string][] => {
    if (SHOWN_ELSEWHERE.includes(name) || value === null || value === undefined) return [];
    if (name === "content_warnings") {
      const warnings = value as readonly { message: string }[];
      return [["Content warnings", warnings.map(({ message }) => message).join(" ")]];
    }
    if (name === "usage" && (value as { model_calls?: number }).model_calls === 0) return [];
    if (name === "omitted") return [["Omitted sections", (value as readonly string[]).join(" · ")]];
    if (typeof value === "object") return toFacts(value as Record<string, unknown>);
    return [[toWords(name.replace(/_ms$/, "")), toText(name, value)]];
  });
}

function toText(name: string, value: unknown): string {
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value !== "number") return String(value);
  return name.endsWith("_ms") ? toDuration(value) : value.toLocaleString("en");
}

const MAX_TEXT_CHARS = 20_000;
const MAX_HTML_CHARS = 2_000;

/** The request of a job, with long fields shortened. */
export interface RequestPreview {
  request: Record<string, unknown>;
  /** The names of the shortened fields. */
  shortened: string[];
}

/** Returns the request of a job, null if it has expired, or "too large" if it exceeds MAX_PREVIEW_BYTES. */
async function readRequestPreview(env: Env, job: Job): Promise<RequestPreview | "too large" | null> {
  const json = job.request ?? (await readStoredRequest(env, job.id));
  if (json === null || json === "too large") return json;
  const shortened: string[] = [];
  const fields = Object.entries(JSON.parse(json) as Record<string, unknown>).map(([name, value]) => {
    const limit = name === "html" ? MAX_HTML_CHARS : MAX_TEXT_CHARS;
    if (typeof value !== "string" || value.length <= limit) return [name, value];
    shortened.push(name);
    return [name, `${value.slice(0, limit)}…`];
  });
  return { request: Object.fromEntries(fields), shortened };
}

async function readStoredRequest(env: Env, jobId: string): Promise<string | null> {
  const object = await openRequest(env.STORE, jobId);
  return object === null ? null : await readSmall(object, MAX_PREVIEW_BYTES);
}
