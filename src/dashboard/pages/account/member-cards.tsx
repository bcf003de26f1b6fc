import { MAX_EMAIL_CHARS } from "../../../model/limits";
import { ROLE_LABELS, ROLES, type Role } from "../../../model/role";
import type { Invitation } from "../../../store/invitations";
import type { Member } from "../../../store/memberships";
import { Card, CopyButton, PostButton, Time } from "../../ui/components";
import { FormErrorNotice, type FormErrors, SelectField, TextField } from "../../ui/form";
import { PostForm } from "../../ui/post-form";

const ROLE_OPTIONS = ROLES.map((role) => [role, ROLE_LABELS[role]] as const);

interface MembersCardProps {
  members: Member[];
  /** The signed-in user's id. */
  userId: string;
  isOwner: boolean;
}

/**
 * The members of the account. Owners can change roles and remove members. The only owner can't leave or get another
 * role.
 */
export function MembersCard({ members, userId, isOwner }: MembersCardProps) {
  const isOnlyOwner = members.every(({ id, role }) => (id === userId) === (role === "owner"));
  const mayChange = (id: string) => isOwner && !(isOnlyOwner && id === userId);
  return (
    <Card title="Members">
      <ul class="sessions">
        {members.map(({ id, email, role, joinedAt }) => (
          <li>
            <div class="what">
              <strong>{email}</strong> {id === userId ? <span class="status good">you</span> : null}{" "}
              {mayChange(id) ? null : <span class="status muted">{ROLE_LABELS[role]}</span>}
              <div class="small muted">
                joined <Time at={joinedAt} />
              </div>
            </div>
            {mayChange(id) ? <MemberForms {...{ id, email, role }} isSelf={id === userId} /> : null}
          </li>
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
        <button class="button quiet small" type="submit">
          Change<span class="visually-hidden"> the role of {email}</span>
        </button>
      </PostForm>
      {isSelf ? null : (
        <PostButton
          action={`${path}/remove`}
          label={
            <>
              Remove<span class="visually-hidden"> {email}</span>
            </>
          }
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
      <FormErrorNotice errors={errors} />
      <PostForm action="/dashboard/account/invitations" class="fields">
        <TextField
          name="email"
          label="Email address (optional)"
          type="email"
          inputmode="email"
          autocomplete="off"
          maxlength={MAX_EMAIL_CHARS}
          value={email}
          hint={
            sendsEmail
              ? "We send the link to this address. Without an address, you get a link that any user can use."
              : "Only the user with this address can use the link. Without an address, any user can."
          }
          errors={errors}
        />
        <SelectField
          name="role"
          label="Role"
          value={role}
          options={ROLE_OPTIONS}
          hint="Read-only: sees everything except secrets. Member: also manages API keys and webhooks, and uses the playground. Owner: also manages the account and its members."
        />
        <div>
          <button class="button primary" type="submit">
            {sendsEmail ? "Invite" : "Create link"}
          </button>
        </div>
      </PostForm>
      {invitations.length === 0 ? null : (
        <>
          <h3>Open invitations</h3>
          <ul class="sessions">
            {invitations.map(({ id, email: to, role: invitedRole, expiresAt }) => (
              <li>
                <div class="what">
                  <strong>{to ?? "Any user with the link"}</strong>{" "}
                  <span class="status muted">{ROLE_LABELS[invitedRole]}</span>
                  <div class="small muted">
                    expires <Time at={expiresAt} />
                  </div>
                </div>
                <PostButton
                  action={`/dashboard/account/invitations/${id}/revoke`}
                  label={
                    <>
                      Revoke<span class="visually-hidden"> the invitation of {to ?? "any user"}</span>
                    </>
                  }
                />
              </li>
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
