import { Hono } from "hono";
import { parseWith } from "../../../contract/invalid-request";
import { KeyRequest } from "../../../contract/keys";
import { now } from "../../../lib/clock";
import { toOrigin } from "../../../lib/env";
import { AppError } from "../../../model/errors";
import { HOUR_MS } from "../../../model/limits";
import { toBrand } from "../../../model/operator";
import { hasRole } from "../../../model/role";
import { type AccessRequest, connect, deny, readAccessRequest, toClientName, toReceiver } from "../../../oauth/connect";
import { AUTHORIZE_PATH, CONNECTION_SCOPES } from "../../../oauth/server";
import { assertNotSuspended } from "../../auth/caller";
import { renderSignPage } from "../../auth/sign-page";
import { SubmitButton } from "../../ui/components";
import { type DashboardContext, type DashboardEnv, requireSignedIn } from "../../ui/env";
import { Choices, type FormErrors, SelectField, TextField } from "../../ui/form";
import { readChecked, readFormFields, refuseForm } from "../../ui/form-data";
import { PostForm } from "../../ui/post-form";
import { SCOPE_DESCRIPTIONS } from "./key-forms";

/** A user who signed in longer ago signs in again before giving access. */
const RECENT_SIGN_IN_MS = 8 * HOUR_MS;

/** The page on which a user gives an application access to `/mcp` (OAuth 2.1). */
export const authorization = new Hono<DashboardEnv>();

authorization.get("/authorize", async (c) => {
  const asked = await readAccessRequest(c.env, toOrigin(c.env, c.req.url), c.req.url);
  if ("redirectTo" in asked) return await renderRefusal(c, asked);
  return isRecent(c) ? await renderConsent(c, asked, toDefaults(asked)) : await renderOldSession(c, asked);
});

authorization.post("/authorize", async (c) => {
  const origin = toOrigin(c.env, c.req.url);
  const asked = await readAccessRequest(c.env, origin, c.req.url);
  if ("redirectTo" in asked) return await renderRefusal(c, asked);
  if (!isRecent(c)) return await renderOldSession(c, asked);
  const { decision, account_id, credit_limit } = await readFormFields(c, ["decision", "account_id", "credit_limit"]);
  if (decision !== "allow") return c.redirect(await deny(c.env, origin, asked), 303);
  const draft: Draft = { account_id, credit_limit, scopes: await readChecked(c, "scopes") };
  try {
    const { account } = expectAccount(c, account_id);
    const offered: readonly string[] = toOffered(asked);
    assertNotSuspended(account);
    const limit = credit_limit === "" ? null : Number(credit_limit.replaceAll(",", ""));
    const wanted = parseWith(KeyRequest, {
      scopes: draft.scopes.filter((scope) => offered.includes(scope)),
      credit_limit: Number.isNaN(limit) ? credit_limit : limit,
    });
    const scopes = CONNECTION_SCOPES.filter((scope) => wanted.scopes?.includes(scope));
    const permission = { account, userId: requireSignedIn(c).id, scopes, creditLimit: wanted.credit_limit ?? null };
    return c.redirect(await connect(c.env, origin, { ...asked, ...permission }), 303);
  } catch (error) {
    return await renderConsent(c, asked, draft, refuseForm(c, error).toHighlighted());
  }
});

function isRecent({ var: { signedInAt } }: DashboardContext): boolean {
  return now() - signedInAt < RECENT_SIGN_IN_MS;
}

interface Draft {
  account_id: string;
  credit_limit: string;
  scopes: string[];
}

/** Selects the scopes that the application requests. If it requests none that is known here, selects all. */
function toDefaults(asked: AccessRequest): Draft {
  return { account_id: "", credit_limit: "", scopes: [...toOffered(asked)] };
}

function toOffered({ request }: AccessRequest) {
  const known = CONNECTION_SCOPES.filter((scope) => request.scope.includes(scope));
  return known.length > 0 ? known : CONNECTION_SCOPES;
}

/** Returns the account that the user chose. Throws AppError if the user may not create keys in it. */
function expectAccount({ var: { account, accounts } }: DashboardContext, id: string) {
  const chosen = accounts.find((each) => each.account.id === (id === "" ? account.id : id));
  if (chosen === undefined) throw new AppError("not_found", "You no longer belong to this account. Reload the page.");
  if (hasRole(chosen.role, "member")) return chosen;
  const message = `Connecting an application requires the role member in the account '${chosen.account.name}'. Ask an owner of the account.`;
  throw new AppError("insufficient_scope", message);
}

async function renderConsent(c: DashboardContext, asked: AccessRequest, draft: Draft, errors?: FormErrors) {
  const { accounts, account, user } = c.var;
  const name = toClientName(asked.client);
  const { name: service } = toBrand(c.env);
  return await renderSignPage(
    c,
    { title: `Connect ${name}`, errors },
    <>
      <p class="lead">
        <strong>{name}</strong> wants to use {service} with your account. It chose its name itself.
      </p>
      <Receiver of={asked} />
      <PostForm action={`${AUTHORIZE_PATH}${new URL(c.req.url).search}`} class="fields">
        {accounts.length < 2 ? null : (
          <SelectField
            name="account_id"
            label="Account"
            options={accounts.map((each) => [each.account.id, each.account.name])}
            value={draft.account_id || account.id}
          />
        )}
        <Choices
          name="scopes"
          legend="It may"
          checked={draft.scopes}
          options={toOffered(asked).map((scope) => [scope, scope, SCOPE_DESCRIPTIONS[scope]] as const)}
        />
        <TextField
          name="credit_limit"
          label="Credit limit"
          type="number"
          hint="Optional. The credits that it may spend in each billing period."
          value={draft.credit_limit}
        />
        <p class="small muted">
          You are signed in as {user?.email}. You can disconnect {name} at any time on the page API keys.
        </p>
        <div class="row">
          <SubmitButton label="Allow" tone="primary" name="decision" value="allow" />
          <SubmitButton label="Deny" tone="quiet" name="decision" value="deny" formnovalidate />
        </div>
      </PostForm>
    </>,
  );
}

/** Says where access is sent, which is the only fact about an application that it can't invent. */
function Receiver({ of: { request, isLocal, publisher } }: { of: AccessRequest }) {
  return (
    <>
      <p>
        Access is sent to <strong class="mono">{toReceiver(request)}</strong>.
        {publisher === null ? null : (
          <>
            {" "}
            The application is published by <strong class="mono">{publisher}</strong>.
          </>
        )}
      </p>
      {isLocal ? (
        <p class="notice warn">
          This is an application on your computer. Allow it only if you started it a moment ago: any program on your
          computer can pretend to be it.
        </p>
      ) : null}
    </>
  );
}

/** Lets a user who signed in long ago sign in again, and then returns to the request. */
async function renderOldSession(c: DashboardContext, { client }: AccessRequest) {
  const to = `${AUTHORIZE_PATH}${new URL(c.req.url).search}`;
  return await renderSignPage(
    c,
    { title: "Sign in again" },
    <>
      <p>You signed in more than 8 hours ago. Sign in again to connect {toClientName(client)}.</p>
      <PostForm action="/dashboard/sign-out" hidden={{ to }} wide submit="Sign in again" />
    </>,
  );
}

/** Shows a mistake of the application. A redirect without a decision of the user would make this page an open redirect. */
async function renderRefusal(c: DashboardContext, { reason, redirectTo }: { reason: string; redirectTo: string }) {
  c.status(400);
  const links = [[redirectTo, "Return to the application"]] as const;
  return await renderSignPage(
    c,
    { title: "This application can't be connected", links },
    <p role="alert">{reason}.</p>,
  );
}
