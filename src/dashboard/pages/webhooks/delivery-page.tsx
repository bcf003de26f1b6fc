import { countAttempts } from "../../../account/deliveries/delivery-rules";
import type { Attempt, Delivery } from "../../../model/delivery";
import { MAX_URL_CHARS, WEBHOOK_ATTEMPTS } from "../../../model/limits";
import { MAX_INLINE_PAYLOAD_CHARS, PAYLOAD_FILE, toCurl } from "../../../webhooks/curl";
import { AutoRefresh, Card, CodeBlock, Facts, PostButton, StatusBadge, SubmitButton, Time } from "../../ui/components";
import { FormErrorNotice, type FormErrors, TextField } from "../../ui/form";
import { toRecordPath } from "../../ui/format";
import { Permitted, PostForm } from "../../ui/post-form";
import { toRecord, toRefreshInterval, toResponseText } from "./delivery-list";

/** The page of a delivery, with its attempts and their responses. */
export function DeliveryPage({
  delivery,
  payload,
  hidesPayload,
  now,
  draft,
  errors,
}: {
  delivery: Delivery;
  /** The body of the event's requests. Null if the job's result was deleted. */
  payload: string | null;
  /** True if the viewer may not see the payload, which contains the job's result. */
  hidesPayload: boolean;
  now: number;
  /** The URL that the user submitted, if the form has an error. */
  draft?: string;
  errors?: FormErrors;
}) {
  const href = `/dashboard/webhooks/deliveries/${delivery.id}`;
  const { status, attempts, earlierAttempts } = delivery;
  return (
    <AutoRefresh id="delivery" src={href} busy={status === "pending"} {...toRefreshInterval([delivery], now)}>
      <div class="stack">
        <Card>
          <DeliveryFacts of={delivery} />
          <p>{toNextStep(delivery)}</p>
          <Permitted action={`${href}/redeliver`}>
            <div>
              <PostButton action={`${href}/redeliver`} label="Redeliver event" small={false} />
            </div>
            <OtherUrlForm action={`${href}/redeliver`} {...{ draft, errors }} />
          </Permitted>
        </Card>
        <RequestCard {...{ delivery, payload, hidesPayload }} />
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

/** The form that redelivers the event to another URL. */
function OtherUrlForm(props: { action: string; draft: string | undefined; errors: FormErrors | undefined }) {
  const { action, draft, errors } = props;
  return (
    <details open={errors !== undefined}>
      <summary>Redeliver to another URL</summary>
      <PostForm action={action} class="fields disclosed">
        <FormErrorNotice errors={errors} />
        <TextField
          name="url"
          label="URL"
          type="url"
          inputmode="url"
          hint="This round of attempts is sent to this URL. The settings stay the same."
          placeholder="https://example.org/hooks/extraction"
          required
          maxlength={MAX_URL_CHARS}
          autocomplete="off"
          value={draft ?? ""}
          errors={errors}
        />
        <SubmitButton tone="plain" label="Redeliver" />
      </PostForm>
    </details>
  );
}

const RECORD_LABELS = { job: "Job", batch: "Batch", crawl: "Crawl" };

function DeliveryFacts({ of: delivery }: { of: Delivery }) {
  const { id, status, event, url, createdAt, nextAttemptAt } = delivery;
  const record = toRecord(delivery);
  const none = event === "webhook.test" ? "none (test)" : "none";
  return (
    <Facts
      of={[
        ["Status", <StatusBadge is={status} />],
        ["Event", event],
        [RECORD_LABELS[record?.kind ?? "job"], record === null ? none : <a href={toRecordPath(record)}>{record.id}</a>],
        ["Receiver", <span class="mono breakable">{url}</span>],
        ["X-Webhook-ID", <span class="mono breakable">{id}</span>],
        ["Created", <Time at={createdAt} />],
        nextAttemptAt === null ? null : ["Next attempt", <Time at={nextAttemptAt} />],
      ]}
    />
  );
}

/** Returns a sentence with the next step of the delivery or of the user. */
function toNextStep({ status, event, attempts }: Delivery): string {
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
 * be numbered, because not all of them are stored. `url` is the delivery's URL. The list shows the URLs of attempts that
 * differ from it.
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

/** The request of the last attempt: its URL, headers, payload and curl command. */
function RequestCard({
  delivery,
  payload,
  hidesPayload,
}: {
  delivery: Delivery;
  payload: string | null;
  hidesPayload: boolean;
}) {
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
      {headers === undefined || payload === null || hidesPayload ? null : (
        <details>
          <summary>Send with curl</summary>
          <div class="disclosed">
            <p>
              The command sends the same request again. Receivers that check <code>webhook-timestamp</code> refuse it
              five minutes after the attempt.
              {payload.length > MAX_INLINE_PAYLOAD_CHARS ? ` Download the payload as ${PAYLOAD_FILE} first.` : null}
            </p>
            <CodeBlock id="sent-curl" label="curl command" wrap>
              {toCurl({ url, headers, payload })}
            </CodeBlock>
          </div>
        </details>
      )}
    </Card>
  );
}

function Payload({ id, payload }: { id: string; payload: string | null }) {
  if (payload === null) {
    return <p class="muted">The payload isn't available, because the job's result was deleted.</p>;
  }
  const isLong = payload.length > MAX_INLINE_PAYLOAD_CHARS;
  return (
    <details>
      <summary>Payload ({payload.length.toLocaleString("en")} characters)</summary>
      <div class="disclosed">
        <CodeBlock id="sent-payload" label="Payload" wrap>
          {isLong ? `${payload.slice(0, MAX_INLINE_PAYLOAD_CHARS)}…` : payload}
        </CodeBlock>
        <p>
          <a href={`/dashboard/webhooks/deliveries/${id}/payload`}>Download the payload</a>
        </p>
      </div>
    </details>
  );
}
