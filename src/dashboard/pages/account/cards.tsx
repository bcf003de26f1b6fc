import { MAX_ACCOUNT_NAME_CHARS } from "../../../model/limits";
import { Card } from "../../ui/components";
import { FormErrorNotice, type FormErrors, TextField } from "../../ui/form";
import { PostForm } from "../../ui/post-form";

/** The form that renames the account. */
export function NameCard({ name, errors }: { name: string; errors: FormErrors | undefined }) {
  return (
    <Card title="Name">
      <FormErrorNotice errors={errors} />
      <PostForm action="/dashboard/account/name" class="fields">
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
      </PostForm>
    </Card>
  );
}

/** The form that selects whether jobs keep the pages that they load. */
export function CapturesCard({ keeps, canChange }: { keeps: boolean; canChange: boolean }) {
  return (
    <Card title="Captures">
      <p>
        A capture is a page as a job loaded it. Later jobs can use it instead of requesting the page again. Captures are
        deleted together with the result of their job. Jobs with headers, cookies, basic_auth or actions keep none.
      </p>
      <p>{keeps ? "Jobs keep captures by default." : "Jobs keep captures only if the request sets capture to true."}</p>
      {canChange ? (
        <PostForm action="/dashboard/account/captures">
          <input type="hidden" name="keep" value={keeps ? "no" : "yes"} />
          <button class="button" type="submit">
            {keeps ? "Stop keeping captures by default" : "Keep captures by default"}
          </button>
        </PostForm>
      ) : null}
    </Card>
  );
}

/** The link that downloads the account's data, and the form that continues an interrupted download. */
export function ExportCard() {
  return (
    <Card title="Export your data">
      <p>
        Download the account, its members, API keys and webhook endpoints without their secrets, credits, webhook
        deliveries, and all jobs with their results as one file. Each line is a JSON object with a <code>type</code>.
      </p>
      <ul class="points small muted">
        <li>Results are included as long as they are stored. Screenshots are links, which expire with the result.</li>
        <li>Requests over 16 KB and the passwords of members aren't included.</li>
        <li>
          The last line has the type <code>end</code>. If it is missing, or has the type <code>continue</code>, continue
          with the last <code>cursor</code> of the file, and append the second file to the first one.
        </li>
      </ul>
      <p>
        <a class="button" href="/dashboard/account/export" download>
          Export data
        </a>
      </p>
      <details>
        <summary>Continue an interrupted export</summary>
        <form method="get" action="/dashboard/account/export" class="fields">
          <TextField name="cursor" label="Last cursor" required autocomplete="off" maxlength={200} />
          <div>
            <button class="button" type="submit">
              Continue export
            </button>
          </div>
        </form>
      </details>
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
