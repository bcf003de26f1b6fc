import { MAX_ACCOUNT_NAME_CHARS } from "../../../model/limits";
import { ROLE_LABELS, ROLES, type Role } from "../../../model/role";
import type { Invitation } from "../../../store/invitations";
import type { Member } from "../../../store/memberships";
import { Card, CopyButton, LinkButton, ListedItem, SubmitButton, Time } from "../../ui/components";
import { EmailField, type FormErrors, SelectField, TextField } from "../../ui/form";
import { PostButton, PostForm } from "../../ui/post-form";
import { PasswordForm } from "../settings/password-form";

/** The form that renames the account. */
export function NameCard({ name, errors }: { name: string; errors: FormErrors | undefined }) {
  return (
    <Card title="Name">
      <PostForm action="/dashboard/account/name" class="fields" errors={errors} submit="Save name">
        <TextField name="name" label="Account name" required maxlength={MAX_ACCOUNT_NAME_CHARS} value={name} />
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
        <PostForm
          action="/dashboard/account/captures"
          hidden={{ keep: keeps ? "no" : "yes" }}
          tone="plain"
          submit={keeps ? "Stop keeping captures by default" : "Keep captures by default"}
        />
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
        <LinkButton href="/dashboard/account/export" download label="Export data" />
      </p>
      <details>
        <summary>Continue an interrupted export</summary>
        <form method="get" action="/dashboard/account/export" class="fields">
          <TextField name="cursor" label="Last cursor" required autocomplete="off" maxlength={200} />
          <SubmitButton tone="plain" label="Continue export" />
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
        <LinkButton href="/dashboard/account/delete" tone="danger" label="Delete account" />
      </p>
    </Card>
  );
}

const DELETED = [
  "All jobs with their requests, results and screenshots. Unfinished jobs fail with the code unavailable.",
  "All API keys. Requests with them are refused immediately.",
  "The webhook settings, the deliveries, the usage and the credits.",
  "The sign-ins of all members who belong to no other account, which can include yours.",
];

/** The form that deletes the account, with what is deleted. */
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
      <p>
        The audit log and backups keep some data without its contents.{" "}
        <a href="/docs/data#what-is-stored">What is kept, and why</a>
      </p>
      <p>
        <strong>You can't undo the deletion.</strong>
      </p>
      <PasswordForm
        action="/dashboard/account/delete"
        hasPassword={hasPassword}
        errors={errors}
        tone="danger"
        submit="Delete account"
        cancel="/dashboard/account"
      >
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
        />
      </PasswordForm>
    </Card>
  );
}

const ROLE_OPTIONS = ROLES.map((role) => [role, ROLE_LABELS[role]] as const);

/** The members of the account. The only owner can't leave or get another role. */
export function MembersCard({ members, userId, isOwner }: { members: Member[]; userId: string; isOwner: boolean }) {
  const isOnlyOwner = members.every(({ id, role }) => (id === userId) === (role === "owner"));
  const mayChange = (id: string) => isOwner && !(isOnlyOwner && id === userId);
  return (
    <Card title="Members">
      <ul class="sessions">
        {members.map(({ id, email, role, joinedAt }) => (
          <ListedItem
            title={<strong>{email}</strong>}
            badge={
              <>
                {id === userId ? <span class="status good">you</span> : null}{" "}
                {mayChange(id) ? null : <span class="status muted">{ROLE_LABELS[role]}</span>}
              </>
            }
            note={["joined ", <Time at={joinedAt} />]}
          >
            {mayChange(id) ? <MemberForms id={id} email={email} role={role} isSelf={id === userId} /> : null}
          </ListedItem>
        ))}
      </ul>
      {isOnlyOwner ? (
        <p class="small muted">
          You are the only owner. To leave, give another member the role owner first, or delete the account.
        </p>
      ) : (
        <PostButton
          action="/dashboard/account/leave"
          label="Leave account"
          confirm="Leave this account? You can only come back with an invitation."
        />
      )}
    </Card>
  );
}

function MemberForms({ id, email, role, isSelf }: Pick<Member, "id" | "email" | "role"> & { isSelf: boolean }) {
  const path = `/dashboard/account/members/${encodeURIComponent(id)}`;
  return (
    <div class="row end">
      <PostForm action={`${path}/role`} class="member-role">
        <select name="role" aria-label={`Role of ${email}`}>
          {ROLE_OPTIONS.map(([value, label]) => (
            <option value={value} selected={value === role}>
              {label}
            </option>
          ))}
        </select>
        <SubmitButton tone="quiet" small label="Change" about={`the role of ${email}`} />
      </PostForm>
      {isSelf ? null : (
        <PostButton
          action={`${path}/remove`}
          label="Remove"
          about={email}
          confirm={`Remove ${email} from this account? API keys stay valid. Revoke or rotate the keys that this user knows.`}
        />
      )}
    </div>
  );
}

interface InvitationsCardProps {
  invitations: Invitation[];
  sendsEmail: boolean;
  email?: string | undefined;
  role?: Role | undefined;
  errors?: FormErrors | undefined;
}

/** The open invitations, and the form that creates one. */
export function InvitationsCard({ invitations, sendsEmail, email, role = "member", errors }: InvitationsCardProps) {
  return (
    <Card title="Invite a member">
      <PostForm
        action="/dashboard/account/invitations"
        class="fields"
        errors={errors}
        submit={sendsEmail ? "Invite" : "Create link"}
      >
        <EmailField
          label="Email address (optional)"
          autocomplete="off"
          value={email}
          hint={
            sendsEmail
              ? "We send the link to this address. Without an address, you get a link that any user can use."
              : "Only the user with this address can use the link. Without an address, any user can."
          }
        />
        <SelectField
          name="role"
          label="Role"
          value={role}
          options={ROLE_OPTIONS}
          hint="Read-only: sees everything except secrets. Member: also manages API keys and webhooks, and uses the playground. Owner: also manages the account and its members."
        />
      </PostForm>
      {invitations.length === 0 ? null : (
        <>
          <h3>Open invitations</h3>
          <ul class="sessions">
            {invitations.map(({ id, email: to, role: invitedRole, expiresAt }) => (
              <ListedItem
                title={<strong>{to ?? "Any user with the link"}</strong>}
                badge={<span class="status muted">{ROLE_LABELS[invitedRole]}</span>}
                note={["expires ", <Time at={expiresAt} />]}
              >
                <PostButton
                  action={`/dashboard/account/invitations/${id}/revoke`}
                  label="Revoke"
                  about={`the invitation of ${to ?? "any user"}`}
                />
              </ListedItem>
            ))}
          </ul>
        </>
      )}
    </Card>
  );
}

/** The link of a new invitation. It is shown only once. */
export function InvitationLinkCard({ url, email, role }: { url: string; email: string; role: Role }) {
  return (
    <Card title={email === "" ? "Invitation link" : `Invitation link for ${email}`}>
      <p>
        Send this link to your colleague. It gives the role {ROLE_LABELS[role]}, works once, expires in 7 days, and
        isn't shown again.
      </p>
      <div class="secret">
        <code id="link">{url}</code>
        <CopyButton of="link" />
      </div>
      <p>
        <a href="/dashboard/account">Back</a>
      </p>
    </Card>
  );
}
