import type { Mode } from "../../../model/api-key";
import { MAX_URL_CHARS } from "../../../model/limits";
import { Card, PostButton } from "../../ui/components";
import { FormErrorNotice, type FormErrors, TextField } from "../../ui/form";

interface Props {
  mode: Mode;
  /** Where results are pushed; null: nowhere. */
  url: string | null;
  /** What was sent and refused, in place of it. */
  draft?: string | undefined;
  errors?: FormErrors | undefined;
}

/** Where the results of all asynchronous jobs of this mode are pushed. */
export function ReceiverCard({ mode, url, draft, errors }: Props) {
  return (
    <Card title={`Receiver of ${mode} results`}>
      <form method="post" action="/dashboard/webhooks" class="fields">
        <FormErrorNotice errors={errors} />
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
          errors={errors}
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
