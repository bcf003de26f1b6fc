import { MAX_ACCOUNT_NAME_CHARS } from "../../../model/limits";
import { Card } from "../../ui/components";
import { FormErrorNotice, type FormErrors, TextField } from "../../ui/form";

/** The form that renames the account. */
export function NameCard({ name, errors }: { name: string; errors: FormErrors | undefined }) {
  return (
    <Card title="Name">
      <FormErrorNotice errors={errors} />
      <form method="post" action="/dashboard/account/name" class="fields">
        <TextField
          name="name"
          label="Account name"
          required
          maxlength={MAX_ACCOUNT_NAME_CHARS}
          value={name}
          errors={errors}
        />
        <div>
          <button class="button primary" type="submit">
            Save name
          </button>
        </div>
      </form>
    </Card>
  );
}

/** The link that downloads the account's data. */
export function ExportCard() {
  return (
    <Card title="Export your data">
      <p>
        Download the account, its members, API keys without their secrets, credits, webhook deliveries and jobs as one
        file. Each line is a JSON object with a <code>type</code>. The last line has the type <code>end</code>.
      </p>
      <p class="small muted">
        Results over 16 KB and screenshots aren't in the file. Read them with the API or on the job's page.
      </p>
      <p>
        <a class="button" href="/dashboard/account/export" download>
          Export data
        </a>
      </p>
    </Card>
  );
}

/** The link to the page that deletes the account. */
export function DeleteCard() {
  return (
    <Card title="Delete the account">
      <p>This deletes the account with all its jobs, results, API keys, webhooks and credits.</p>
      <p>
        <a class="button danger" href="/dashboard/account/delete">
          Delete account
        </a>
      </p>
    </Card>
  );
}
