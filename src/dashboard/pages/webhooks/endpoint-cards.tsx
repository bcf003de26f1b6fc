import type { Mode } from "../../../model/api-key";
import { ACCOUNT_ENDPOINT, DEFAULT_EVENTS, WEBHOOK_EVENTS, type WebhookEvent } from "../../../model/delivery";
import { MAX_URL_CHARS, MAX_WEBHOOK_ENDPOINTS } from "../../../model/limits";
import type { ListedEndpoint } from "../../../webhooks/endpoints";
import type { WebhookConfig } from "../../../webhooks/settings";
import { Card, PostButton, TableCell } from "../../ui/components";
import { CheckboxGroup, FormErrorNotice, type FormErrors, TextField } from "../../ui/form";
import { Permitted, PostForm } from "../../ui/post-form";
import { SecretCard } from "./settings-cards";

const ENDPOINTS = "/dashboard/webhooks/endpoints";

/** The description of each event. */
const EVENT_DESCRIPTIONS: { [E in WebhookEvent]: string } = {
  "job.completed": "An asynchronous job completed.",
  "job.failed": "An asynchronous job failed.",
  "batch.completed": "A batch ended.",
  "batch.page": "A page of a batch ended.",
  "crawl.completed": "A crawl ended.",
  "crawl.page": "A page of a crawl ended.",
  "usage.threshold": "The account or a key has used 80% or 100% of its credits.",
};

/** The submitted fields of an endpoint's form. */
export interface EndpointDraft {
  url: string;
  events: readonly string[];
}

/** The table of webhook endpoints. */
export function EndpointsCard({ endpoints }: { endpoints: readonly ListedEndpoint[] }) {
  const isFull = endpoints.length >= MAX_WEBHOOK_ENDPOINTS;
  return (
    <Card
      title="Endpoints"
      actions={
        isFull ? undefined : (
          <Permitted action={`${ENDPOINTS}/new`}>
            <a class="button small" href={`${ENDPOINTS}/new`}>
              Add endpoint
            </a>
          </Permitted>
        )
      }
    >
      {endpoints.length === 0 ? (
        <p class="muted">No endpoints. Set a webhook URL, or add an endpoint that receives only some events.</p>
      ) : (
        <div class="table-scroll">
          <table class="stacking">
            <caption class="visually-hidden">Webhook endpoints, oldest first</caption>
            <thead>
              <tr>
                <th scope="col">URL</th>
                <th scope="col">Events</th>
              </tr>
            </thead>
            <tbody>
              {endpoints.map(({ id, url, events }) => (
                <tr>
                  <TableCell of="URL" class="breakable">
                    <a href={`${ENDPOINTS}/${id}`}>{url}</a>
                    {id === ACCOUNT_ENDPOINT ? <span class="muted block small">The webhook URL</span> : null}
                  </TableCell>
                  <TableCell of="Events">{(events ?? DEFAULT_EVENTS).join(", ")}</TableCell>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Card>
  );
}

interface EndpointFormProps {
  mode: Mode;
  /** The id of the endpoint. Null for a new endpoint. */
  id: string | null;
  draft: EndpointDraft;
  errors?: FormErrors | undefined;
}

/** The form that creates or changes an endpoint. */
export function EndpointForm({ mode, id, draft, errors }: EndpointFormProps) {
  return (
    <PostForm action={`${ENDPOINTS}/${id ?? "new"}`} class="card fields narrow">
      <FormErrorNotice errors={errors} />
      <input type="hidden" name="mode" value={mode} />
      <TextField
        name="url"
        label="URL"
        type="url"
        inputmode="url"
        hint="The URL must be public and begin with https://."
        value={draft.url}
        placeholder="https://example.org/hooks/failures"
        required
        maxlength={MAX_URL_CHARS}
        autocomplete="off"
        errors={errors}
      />
      <CheckboxGroup
        name="events"
        legend="Events"
        errors={errors}
        checked={draft.events}
        options={WEBHOOK_EVENTS.map((event) => [
          event,
          <>
            <strong>{event}</strong> <span class="muted block small">{EVENT_DESCRIPTIONS[event]}</span>
          </>,
        ])}
      />
      <div class="row">
        <button class="button primary" type="submit">
          {id === null ? "Add endpoint" : "Save"}
        </button>
        <a class="button quiet" href="/dashboard/webhooks">
          {id === null ? "Cancel" : "Show all endpoints"}
        </a>
      </div>
    </PostForm>
  );
}

/** An endpoint for users who can't change it. */
function EndpointFacts({ url, events }: EndpointDraft) {
  return (
    <Card>
      <dl class="facts">
        <dt>URL</dt>
        <dd class="mono breakable">{url}</dd>
        <dt>Events</dt>
        <dd>{events.join(", ")}</dd>
      </dl>
    </Card>
  );
}

interface EndpointPageProps extends EndpointFormProps {
  id: string;
  /** Null if the secret can't be decrypted. */
  settings: WebhookConfig | null;
  /** False if the user's role may not see secrets. */
  showsSecret: boolean;
}

/** The page of an endpoint. */
export function EndpointPage({ settings, showsSecret, ...form }: EndpointPageProps) {
  const { mode, id } = form;
  const action = `${ENDPOINTS}/${id}`;
  return (
    <div class="stack">
      <Permitted action={action} otherwise={<EndpointFacts {...form.draft} />}>
        <EndpointForm {...form} />
        <Card title="Actions">
          <div class="row">
            <PostButton action={`${action}/test`} label="Send test event" fields={{ mode }} />
            <PostButton
              action={`${action}/delete`}
              label="Delete endpoint"
              tone="danger"
              confirm="Delete this endpoint? Its unfinished deliveries are abandoned."
              fields={{ mode }}
            />
          </div>
        </Card>
      </Permitted>
      {showsSecret ? (
        <SecretCard mode={mode} settings={settings} action={`${action}/rotate`} title="Signing secret" />
      ) : null}
    </div>
  );
}
