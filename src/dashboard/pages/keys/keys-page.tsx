import { type Context, Hono } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { callAccount } from "../../../account/client";
import { toInvalidRequest } from "../../../contract/invalid-request";
import { KeyChangeRequest, KeyRequest } from "../../../contract/keys";
import { changeKeyById, revokeKeyById, rotateKeyById } from "../../../keys/change";
import { type Creator, createKey } from "../../../keys/issue";
import { now, toIso } from "../../../lib/clock";
import { toOrigin } from "../../../lib/env";
import { type ListedKey, SCOPES } from "../../../model/api-key";
import { AppError } from "../../../model/errors";
import { toPlanLimits } from "../../../model/plan";
import { countActiveKeys, getListedKey, listKeys } from "../../../store/keys";
import { assertNotSuspended } from "../../auth/caller";
import { Card, DoneNotice, EmptyState, LinkButton, VerifyNotice } from "../../ui/components";
import type { DashboardEnv } from "../../ui/env";
import { FormErrors } from "../../ui/form";
import { readFormData } from "../../ui/form-data";
import { Pagination, readOffset } from "../../ui/pagination";
import { Permitted } from "../../ui/post-form";
import { CreatedKeyPage, type KeyDraft, KeyForm, RotateForm, readGracePeriod } from "./key-forms";
import { KeyTable, RevokeForm, toKeyName } from "./key-list";

const KEYS_PER_PAGE = 15;
const DONE = {
  revoked: "The key was revoked. All requests with it are now refused.",
  changed: "The key was changed. The next request uses its new properties.",
};

export const keyPages = new Hono<DashboardEnv>();

keyPages.get("/keys", async (c) => {
  const { account } = c.var;
  const offset = readOffset(c);
  const at = now();
  const filter = { accountId: account.id, mode: null, now: at, limit: KEYS_PER_PAGE, offset };
  const [{ keys, total }, active, credits] = await Promise.all([
    listKeys(c.env.DB, filter),
    countActiveKeys(c.env.DB, account.id, at),
    callAccount(c.env, account, (stub) => stub.keyCredits()),
  ]);
  const { activeKeys } = toPlanLimits(c.env)[account.plan];
  return c.render(
    <>
      <DoneNotice word={c.req.query("done")} texts={DONE} />
      <VerifyNotice env={c.env} user={c.var.user} />
      {total === 0 ? (
        <EmptyState title="No API keys yet">
          <p>Your programs need an API key to call the API.</p>
          <CreateLink />
        </EmptyState>
      ) : (
        <Card>
          <p class="muted">
            You have {active.toLocaleString("en")} active {active === 1 ? "key" : "keys"}. The{" "}
            <a href="/dashboard/plan">{account.plan}</a> plan allows {activeKeys.toLocaleString("en")}.
            {active < activeKeys ? "" : " Revoke a key to create another."} Revoked and expired keys are listed for 30
            days.
          </p>
          <KeyTable keys={keys} used={credits.used} now={at} />
          <Pagination
            total={total}
            limit={KEYS_PER_PAGE}
            offset={offset}
            href={(to) => `/dashboard/keys?offset=${to}`}
          />
        </Card>
      )}
    </>,
    {
      title: "API keys",
      lead: "The live and test keys of your account.",
      actions: total === 0 ? undefined : <CreateLink />,
      section: "keys",
    },
  );
});

function CreateLink() {
  return (
    <Permitted action="/dashboard/keys/new">
      <LinkButton href="/dashboard/keys/new" tone="primary" label="Create key" />
    </Permitted>
  );
}

keyPages.get("/keys/new", (c) => {
  // Selects all scopes except `keys`, because few programs manage keys.
  const scopes = SCOPES.filter((scope) => scope !== "keys");
  return renderForm(c, { name: "", mode: c.var.mode, scopes, allowedIps: "", expiresOn: "", creditLimit: "" });
});

keyPages.post("/keys/new", async (c) => {
  const draft = toDraft(await readFormData(c));
  try {
    assertNotSuspended(c.var.account);
    const issued = await createKey(c.env, toCreator(c), toRequest(draft), now());
    const origin = toOrigin(c.env, c.req.url);
    return c.render(<CreatedKeyPage issued={issued} origin={origin} />, { title: "New API key", section: "keys" });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    c.status(error.status as ContentfulStatusCode);
    return renderForm(c, draft, toKeyFormErrors(error, draft));
  }
});

keyPages.get("/keys/:id", async (c) => {
  const key = await mustGetKey(c, c.req.param("id"));
  return renderForm(c, toDraftOf(key), undefined, key);
});

keyPages.post("/keys/:id", async (c) => {
  const key = await mustGetKey(c, c.req.param("id"));
  const draft = { ...toDraft(await readFormData(c)), mode: key.mode };
  try {
    assertNotSuspended(c.var.account);
    await changeKeyById(c.env, { caller: toCreator(c), id: key.id, mode: null }, toChange(draft, key), now());
    return c.redirect("/dashboard/keys?done=changed", 303);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    c.status(error.status as ContentfulStatusCode);
    return renderForm(c, draft, toKeyFormErrors(error, draft), key);
  }
});

keyPages.get("/keys/:id/rotate", async (c) => {
  const key = await mustGetKey(c, c.req.param("id"));
  return c.render(<RotateForm of={key} now={now()} />, { title: `Rotate ${toKeyName(key)}`, section: "keys" });
});

keyPages.post("/keys/:id/rotate", async (c) => {
  const { id } = await mustGetKey(c, c.req.param("id"));
  const value = (await readFormData(c)).get("grace_period_s");
  assertNotSuspended(c.var.account);
  const grace = readGracePeriod(typeof value === "string" ? value : undefined);
  const issued = await rotateKeyById(c.env, { caller: toCreator(c), id, mode: null }, grace, now());
  const origin = toOrigin(c.env, c.req.url);
  return c.render(<CreatedKeyPage issued={issued} origin={origin} isRotated />, {
    title: "New secret",
    section: "keys",
  });
});

keyPages.get("/keys/:id/revoke", async (c) => {
  const key = await mustGetKey(c, c.req.param("id"));
  return c.render(<RevokeForm of={key} />, { title: `Revoke ${toKeyName(key)}?`, section: "keys" });
});

keyPages.post("/keys/:id/revoke", async (c) => {
  await revokeKeyById(c.env, { id: c.req.param("id"), accountId: c.var.account.id, mode: null }, now());
  return c.redirect("/dashboard/keys?done=revoked", 303);
});

async function mustGetKey(c: Context<DashboardEnv>, id: string): Promise<ListedKey> {
  const key = await getListedKey(c.env.DB, { id, accountId: c.var.account.id });
  if (key === null) throw new AppError("not_found", "This API key doesn't exist. Reload the list of keys.");
  return key;
}

/** Renders the form for a new key, or for changing `key`. */
function renderForm(c: Context<DashboardEnv>, draft: KeyDraft, errors?: FormErrors, key?: ListedKey) {
  if (key !== undefined) {
    const lead = "Changes apply from the next request with the key.";
    const title = `Edit ${toKeyName(key)}`;
    return c.render(<KeyForm draft={draft} id={key.id} errors={errors} />, { title, lead, section: "keys" });
  }
  const lead = "The next page shows the key. You can see the key only once.";
  return c.render(
    <>
      <VerifyNotice env={c.env} user={c.var.user} />
      <KeyForm draft={draft} errors={errors} />
    </>,
    { title: "Create an API key", lead, section: "keys" },
  );
}

/** Returns the signed-in user as the creator of a key, with the permission to grant every scope. */
function toCreator(c: Context<DashboardEnv>): Creator {
  return {
    account: c.var.account,
    mode: "live",
    scopes: [...SCOPES],
    allowedIps: [],
    expiresAt: null,
    creditLimit: null,
  };
}

function toDraft(form: FormData): KeyDraft {
  const texts = (name: string) => form.getAll(name).filter((value) => typeof value === "string");
  const fields = ["name", "mode", "allowed_ips", "expires_at", "credit_limit"];
  const [name = "", mode, allowedIps = "", expiresOn = "", creditLimit = ""] = fields.map((field) => texts(field)[0]);
  const scopes = texts("scopes");
  return { name, mode: mode === "test" ? "test" : "live", scopes, allowedIps, expiresOn, creditLimit };
}

/** Returns the form's values for a key. */
function toDraftOf({ name, mode, scopes, allowedIps, expiresAt, creditLimit }: ListedKey): KeyDraft {
  return {
    name: name ?? "",
    mode,
    scopes,
    allowedIps: allowedIps.join("\n"),
    expiresOn: expiresAt === null ? "" : toDay(expiresAt),
    creditLimit: creditLimit === null ? "" : String(creditLimit),
  };
}

function toDay(at: number): string {
  return toIso(at).slice(0, 10);
}

/** Returns the API's value of the expiry and the limit. A limit that isn't a number is refused later. */
function toDeadlines({ mode, expiresOn, creditLimit }: KeyDraft) {
  const limit = creditLimit.trim().replaceAll(",", "");
  return {
    expires_at: expiresOn === "" ? null : `${expiresOn}T00:00:00Z`,
    ...(mode === "test" && limit === "" ? {} : { credit_limit: limit === "" ? null : Number(limit) }),
  };
}

/** Converts the form to a change of the key. Throws AppError if it is invalid. */
function toChange(draft: KeyDraft, key: ListedKey): KeyChangeRequest {
  const { expires_at, ...limit } = toDeadlines(draft);
  // The form has only the day of the expiry, so the time of an unchanged day stays the same.
  const isSameDay = key.expiresAt !== null && toDay(key.expiresAt) === draft.expiresOn;
  const parsed = KeyChangeRequest.safeParse({
    ...(isSameDay ? {} : { expires_at }),
    ...limit,
    name: draft.name.trim() === "" ? null : draft.name,
    scopes: draft.scopes,
    allowed_ips: toEntries(draft.allowedIps),
  });
  if (!parsed.success) throw toInvalidRequest(parsed.error.issues);
  return parsed.data;
}

/** Converts the form to an API request. Throws AppError if it is invalid. */
function toRequest(draft: KeyDraft): KeyRequest {
  const parsed = KeyRequest.safeParse({
    ...(draft.name.trim() === "" ? {} : { name: draft.name }),
    ...toDeadlines(draft),
    mode: draft.mode,
    scopes: draft.scopes,
    allowed_ips: toEntries(draft.allowedIps),
  });
  if (!parsed.success) throw toInvalidRequest(parsed.error.issues);
  return parsed.data;
}

function toEntries(allowedIps: string): string[] {
  return allowedIps.split(/[\s,]+/).filter((entry) => entry !== "");
}

/** Converts an API error to errors of the form. Adds the IP address to the message about an invalid one. */
function toKeyFormErrors({ message, details }: AppError, draft: KeyDraft): FormErrors {
  if (details === undefined) return new FormErrors(message);
  const entries = toEntries(draft.allowedIps);
  const named = details.map(({ path, message: rule }) => {
    const entry = entries[Number(/^allowed_ips\.(\d+)$/.exec(path)?.[1])];
    return { path, message: entry === undefined ? rule : `'${entry.slice(0, 60)}' ${rule}` };
  });
  return new FormErrors("Please fix the highlighted fields.", named);
}
