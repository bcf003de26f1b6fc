import type { Mode } from "../../../model/api-key";
import { MAX_URL_CHARS } from "../../../model/limits";
import { ProblemNotice, type Problems, TextField } from "../../ui/form";
import { Card, PostButton } from "../../ui/parts";

interface Props {
  mode: Mode;
  /** Where results are pushed; null: nowhere. */
  url: string | null;
  /** What was sent and refused, in place of it. */
  draft?: string | undefined;
  problems?: Problems | undefined;
}

/** Where the results of all asynchronous jobs of this mode are pushed. */
export function ReceiverCard({ mode, url, draft, problems }: Props) {
  return (
    <Card title={`Receiver of ${mode} results`}>
      <form method="post" action="/dashboard/webhooks" class="fields">
        <ProblemNotice problems={problems} />
        <input type="hidden" name="mode" value={mode} />
        <TextField
          name="url"
          label="URL"
          type="url"
          inputmode="url"
          hint={`Gets the result of each asynchronous ${mode} job by POST, unless the request names a webhook_url of its own. It must be public and begin with https://.`}
          value={draft ?? url ?? ""}
          placeholder="https://example.org/hooks/extraction"
          required
          maxlength={MAX_URL_CHARS}
          autocomplete="off"
          problems={problems}
        />
        <div>
          <button class="button primary" type="submit">
            Save
          </button>
        </div>
      </form>
      {url === null ? (
        <p class="muted">No URL is set: results are pushed only where a request asks for it.</p>
      ) : (
        <div class="row">
          <PostButton action="/dashboard/webhooks/test" label="Send a test" fields={{ mode }} />
          <PostButton action="/dashboard/webhooks/remove" label="Remove the URL" tone="danger" fields={{ mode }} />
        </div>
      )}
    </Card>
  );
}
