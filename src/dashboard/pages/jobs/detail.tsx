import type { Child } from "hono/jsx";
import type { Delivery } from "../../../model/delivery";
import type { Job, JobError, StoredJob } from "../../../model/job";
import type { Input } from "../../result-view/input";
import { Card, CodeBlock, Stat, StatusBadge, Time } from "../../ui/components";
import { ERROR_ADVICE } from "../../ui/error-advice";
import { toDuration } from "../../ui/format";

/** Evidence stands beside the values. */
const SHOWN_ELSEWHERE = ["evidence", "unverified"];

export function JobStats({ job }: { job: Job }) {
  const hasEnded = job.endedAt !== null;
  return (
    <Card>
      <dl class="stats">
        <Stat label="State" value={<StatusBadge is={job.status} />} />
        <Stat
          label="Took"
          value={job.processingTimeMs === null ? "–" : toDuration(job.processingTimeMs)}
          note={
            job.endedAt === null ? undefined : `ended ${toDuration(job.endedAt - job.createdAt)} after it was asked`
          }
        />
        <Stat
          label="Credits"
          value={(hasEnded ? job.creditsUsed : job.credits).toLocaleString("en")}
          note={hasEnded ? (job.status === "failed" ? "failures are free" : "used") : "reserved"}
        />
      </dl>
    </Card>
  );
}

export function UnderWay({ job }: { job: Job }) {
  return (
    <p class="notice busy" role="status">
      {job.status === "queued" ? "The job waits for its turn." : "The job is being worked on."} This page follows it by
      itself; without scripts, load it again.
    </p>
  );
}

export function Failure({ error }: { error: JobError }) {
  return (
    <section class="notice bad failure" aria-labelledby="failure-title">
      <h2 id="failure-title">
        <code>{error.code}</code>
      </h2>
      <p>{error.message}</p>
      <p>
        <strong>What to do:</strong> {ERROR_ADVICE[error.code]}
      </p>
      <p class="small">
        {error.retryable ? "The same request may succeed later." : "The same request would fail again as it is."}{" "}
        Nothing was charged.
      </p>
    </section>
  );
}

export function InputCard({ job, input }: { job: Job; input: Input | null }) {
  if (input === null) {
    return (
      <Card title="Input">
        <p class="muted">What was asked isn't kept any more.</p>
      </Card>
    );
  }
  const shown = Object.entries(input.request).map(
    ([name, value]) => [name, input.cut.includes(name) && typeof value === "string" ? `${value}…` : value] as const,
  );
  return (
    <Card title="Input">
      <p class="mono small">POST /v1/{job.endpoint}</p>
      <CodeBlock id="input" label="The request as JSON">
        {JSON.stringify(Object.fromEntries(shown), null, 2)}
      </CodeBlock>
      {input.cut.length === 0 ? null : <p class="muted small">Shortened here: {input.cut.join(", ")}.</p>}
    </Card>
  );
}

export function DetailsCard({ job, delivery }: { job: StoredJob; delivery: Delivery | null }) {
  const facts: [string, Child][] = [
    ["Job", <code>{job.id}</code>],
    ["Mode", job.mode],
    ["Created", <Time at={job.createdAt} />],
  ];
  if (job.endedAt !== null) facts.push(["Ended", <Time at={job.endedAt} />]);
  if (job.run > 1) facts.push(["Runs", job.run.toLocaleString("en")]);
  for (const [name, value] of toFacts(job.extras ?? {})) facts.push([name, value]);
  facts.push(["Webhook", <Webhook job={job} delivery={delivery} />]);
  return (
    <Card title="Details">
      <dl class="facts">
        {facts.map(([name, value]) => (
          <>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </>
        ))}
      </dl>
    </Card>
  );
}

function Webhook({ job, delivery }: { job: StoredJob; delivery: Delivery | null }) {
  if (delivery !== null) {
    return (
      <>
        <StatusBadge is={delivery.status} />{" "}
        <a href={`/dashboard/webhooks/deliveries/${delivery.id}`}>See the delivery</a>
      </>
    );
  }
  if (job.webhookUrl === null) return <span class="muted">none is set</span>;
  return (
    <span class="muted">{job.endedAt === null ? "pushed when it has ended" : "not pushed: the caller waited"}</span>
  );
}

/** `meta` as names and values: `model_used` is the model used. */
function toFacts(extras: Record<string, unknown>): [string, string][] {
  return Object.entries(extras).flatMap(([name, value]): [string, string][] => {
    if (SHOWN_ELSEWHERE.includes(name) || value === null || value === undefined) return [];
    if (typeof value === "object") return toFacts(value as Record<string, unknown>);
    return [[toLabel(name), toText(name, value)]];
  });
}

function toLabel(name: string): string {
  const words = name.replace(/_ms$/, "").replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function toText(name: string, value: unknown): string {
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value !== "number") return String(value);
  return name.endsWith("_ms") ? toDuration(value) : value.toLocaleString("en");
}
