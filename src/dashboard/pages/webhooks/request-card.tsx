import type { Delivery } from "../../../model/delivery";
import { MAX_INLINE_PAYLOAD_CHARS, PAYLOAD_FILE, toCurl } from "../../../webhooks/curl";
import { Card, CodeBlock } from "../../ui/components";

/** The request of the last attempt: its URL, headers, payload and curl command. */
export function RequestCard({
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
