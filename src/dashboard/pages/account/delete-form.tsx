import { MAX_ACCOUNT_NAME_CHARS } from "../../../model/limits";
import { Card } from "../../ui/components";
import { CurrentPasswordField, FormErrorNotice, type FormErrors, TextField } from "../../ui/form";
import { PostForm } from "../../ui/post-form";
import { PasswordFirst } from "../settings/change-email";

const DELETED = [
  "All jobs with their requests, results and screenshots. Unfinished jobs fail with the code unavailable.",
  "All API keys. Requests with them are refused immediately.",
  "The webhook settings, the deliveries, the usage and the credits.",
  "The sign-ins of all members who belong to no other account, which can include yours.",
];

const KEPT: readonly (readonly [what: string, why: string])[] = [
  [
    "The account's id, the end of its job ids, its plan, and the times of its creation and deletion.",
    "The ids must never be used again. Otherwise, old links could lead to another account's data.",
  ],
  [
    "The entries of the audit log, without details. A pseudonym replaces the account's id.",
    "The log proves what the operators of this service did. It can't be changed.",
  ],
  [
    "Log lines and statistics with the account's id, until they expire, which takes at most 3 months.",
    "The operator needs them to find faults and abuse. They contain no page content and no keys.",
  ],
  ["Backups of the databases, for at most 30 days.", "They are necessary to recover from faults."],
];

/** The form that deletes the account, with what is deleted and what is kept. */
export function DeleteForm(props: { name: string; hasPassword: boolean; errors: FormErrors | undefined }) {
  const { name, hasPassword, errors } = props;
  return (
    <Card>
      <h2>What is deleted</h2>
      <ul class="points">
        {DELETED.map((text) => (
          <li>{text}</li>
        ))}
      </ul>
      <h2>What is kept, and why</h2>
      <ul class="points">
        {KEPT.map(([what, why]) => (
          <li>
            {what} <span class="muted">{why}</span>
          </li>
        ))}
      </ul>
      <p>
        <strong>You can't undo the deletion.</strong>
      </p>
      {hasPassword ? (
        <>
          <FormErrorNotice errors={errors} />
          <PostForm action="/dashboard/account/delete" class="fields">
            <TextField
              name="name"
              label="Account name"
              required
              autocomplete="off"
              maxlength={MAX_ACCOUNT_NAME_CHARS}
              hint={
                <>
                  Type <strong>{name}</strong> to confirm.
                </>
              }
              errors={errors}
            />
            <CurrentPasswordField errors={errors} />
            <div class="row">
              <button class="button danger" type="submit">
                Delete account
              </button>
              <a class="button quiet" href="/dashboard/account">
                Cancel
              </a>
            </div>
          </PostForm>
        </>
      ) : (
        <PasswordFirst />
      )}
    </Card>
  );
}
