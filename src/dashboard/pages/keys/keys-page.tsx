import { Hono } from "hono";
import { callAccount } from "../../../account/client";
import { parseWith } from "../../../contract/invalid-request";
import { KeyChangeRequest, KeyRequest } from "../../../contract/keys";
import { revokeKey } from "../../../jobs/revoke-key";
import { changeKeyById, rotateKeyById } from "../../../keys/change";
import { type Creator, createKey } from "../../../keys/issue";
import { now, toIso } from "../../../lib/clock";
import { toCount } from "../../../lib/count";
import { toOrigin } from "../../../lib/env";
import { type ListedKey, SCOPES } from "../../../model/api-key";
import { AppError } from "../../../model/errors";
import { toPlanLimits } from "../../../model/plan";
import { countActiveKeys, getListedKey, listConnections, listKeys } from "../../../store/keys";
import { assertNotSuspended } from "../../auth/caller";
import { Card, DoneNotice, EmptyState, LinkButton } from "../../ui/components";
import type { DashboardContext, DashboardEnv } from "../../ui/env";
import type { FormErrors } from "../../ui/form";
import { readChecked, readFormFields, refuseForm } from "../../ui/form-data";
import { VerifyNotice } from "../../ui/layout";
import { Pagination, readOffset } from "../../ui/pagination";
import { Permitted } from "../../ui/post-form";
import {
  AgentCard,
  CreatedKeyPage,
  KEY_FIELDS,
  type KeyDraft,
  KeyForm,
  RotateForm,
  readGracePeriod,
} from "./key-forms";
import { ConnectionTable, KeyTable, RevokeForm, toKeyName } from "./key-list";

const KEYS_PER_PAGE = 15;
const DONE = {
  revoked: "The key was revoked. All requests with it are now refused.",
  disconnected: "The application was disconnected. All its requests are now refused.",
  kept: "The key was revoked. All requests with it are now refused. Its unfinished jobs, batches and crawls continue.",
  changed: "The key was changed. The next request uses its new properties.",
};

/** Adds the number of canceled jobs to the text about a revoked key. */
function toDoneTexts(cancelled = ""): typeof DONE {
  if (!/^[1-9]\d{0,8}$/.test(cancelled)) return DONE;
  const count = toCount(Number(cancelled), "job");
  return { ...DONE, revoked: `${DONE.revoked} ${count} ${cancelled === "1" ? "was" : "were"} canceled.` };
}

export const keyPages = new Hono<DashboardEnv>();

keyPages.get("/keys", async (c) => {
  const { account } = c.var;
  const offset = readOffset(c);
  const at = now();
  const filter = { accountId: account.id, mode: null, now: at, limit: KEYS_PER_PAGE, offset };
  const [{ keys, total }, connections, active, credits] = await Promise.all([
    listKeys(c.env.DB, filter),
    listConnections(c.env.DB, account.id),
    countActiveKeys(c.env.DB, account.id, at),
    callAccount(c.env, account, (stub) => stub.keyCredits()),
  ]);
  const { activeKeys } = toPlanLimits(c.env)[account.plan];
  return c.render(
    <>
      <DoneNotice word={c.req.query("done")} texts={toDoneTexts(c.req.query("cancelled"))} />
      <VerifyNotice />
      {total === 0 ? (
        <EmptyState title="No API keys yet" text="Your programs need an API key to call the API.">
          <CreateLink />
        </EmptyState>
      ) : (
        <>
          <Card>
            <p class="muted">
              You have {active.toLocaleString("en")} active {active === 1 ? "key" : "keys"}. The{" "}
              <a href="/dashboard/plan">{account.plan}</a> plan allows {activeKeys.toLocaleString("en")}.
              {active < activeKeys ? "" : " Revoke a key to create another."} Revoked and expired keys are listed for 30
              days.
            </p>
            <KeyTable keys={keys} used={credits.used} now={at} />
            <Pagination
              shown={keys.length}
              total={total}
              more={offset + KEYS_PER_PAGE < total}
              limit={KEYS_PER_PAGE}
              offset={offset}
              href={(to) => `/dashboard/keys?offset=${to}`}
            />
          </Card>
          <AgentCard origin={toOrigin(c.env, c.req.url)} secret="sk_live_…" />
        </>
      )}
      {connections.length === 0 ? null : (
        <Card title="Connected applications" id="connections">
          <p class="muted">
            These applications use this service through MCP. They don't count toward the keys of the plan.
          </p>
          <ConnectionTable connections={connections} used={credits.used} />
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
  const mode = c.req.query("mode") === "test" ? "test" : c.var.mode;
  return renderForm(c, { name: "", mode, scopes, allowed_ips: "", expires_at: "", credit_limit: "" });
});

keyPages.post("/keys/new", async (c) => {
  const draft = await readDraft(c);
  try {
    assertNotSuspended(c.var.account);
    const issued = await createKey(c.env, toCreator(c), toRequest(draft), now());
    const origin = toOrigin(c.env, c.req.url);
    return c.render(<CreatedKeyPage issued={issued} origin={origin} />, { title: "New API key", section: "keys" });
  } catch (error) {
    return renderForm(c, draft, refuseForm(c, error).toHighlighted());
  }
});

keyPages.get("/keys/:id", async (c) => {
  const key = await expectKey(c, c.req.param("id"));
  return renderForm(c, toDraftOf(key), undefined, key);
});

keyPages.post("/keys/:id", async (c) => {
  const key = await expectKey(c, c.req.param("id"));
  const draft = { ...(await readDraft(c)), mode: key.mode };
  try {
    assertNotSuspended(c.var.account);
    await changeKeyById(c.env, { caller: toCreator(c), id: key.id, mode: null }, toChange(draft, key), now());
    return c.redirect("/dashboard/keys?done=changed", 303);
  } catch (error) {
    return renderForm(c, draft, refuseForm(c, error).toHighlighted(), key);
  }
});

keyPages.get("/keys/:id/rotate", async (c) => {
  const key = await expectKey(c, c.req.param("id"));
  return c.render(<RotateForm of={key} now={now()} />, { title: `Rotate ${toKeyName(key)}`, section: "keys" });
});

keyPages.post("/keys/:id/rotate", async (c) => {
  const { id } = await expectKey(c, c.req.param("id"));
  const { grace_period_s: value } = await readFormFields(c, ["grace_period_s"]);
  assertNotSuspended(c.var.account);
  const grace = readGracePeriod(value);
  const issued = await rotateKeyById(c.env, { caller: toCreator(c), id, mode: null }, grace, now());
  const origin = toOrigin(c.env, c.req.url);
  return c.render(<CreatedKeyPage issued={issued} origin={origin} isRotated />, {
    title: "New secret",
    section: "keys",
  });
});

keyPages.get("/keys/:id/revoke", async (c) => {
  const key = await expectKey(c, c.req.param("id"));
  if (key.revokedAt !== null) return c.redirect("/dashboard/keys", 303);
  const work = await callAccount(c.env, c.var.account, (stub) => stub.keyWork(key.id));
  return c.render(<RevokeForm of={key} work={work} />, { title: `Revoke ${toKeyName(key)}?`, section: "keys" });
});

keyPages.post("/keys/:id/revoke", async (c) => {
  const keepsJobs = (await readChecked(c, "keep_jobs")).length > 0;
  const { id, receiver } = await expectKey(c, c.req.param("id"));
  const cancelled = await revokeKey(c.env, c.var.account, { id, mode: null, keepsJobs });
  if (receiver !== null) return c.redirect("/dashboard/keys?done=disconnected#connections", 303);
  const done = keepsJobs ? "done=kept" : `done=revoked&cancelled=${cancelled}`;
  return c.redirect(`/dashboard/keys?${done}`, 303);
});

async function expectKey(c: DashboardContext, id: string): Promise<ListedKey> {
  const key = await getListedKey(c.env.DB, { id, accountId: c.var.account.id });
  if (key === null) throw new AppError("not_found", "This API key doesn't exist. Reload the list of keys.");
  return key;
}

/** Renders the form for a new key, or for changing `key`. */
function renderForm(c: DashboardContext, draft: KeyDraft, errors?: FormErrors, key?: ListedKey) {
  if (key !== undefined) {
    const lead = "Changes apply from the next request with the key.";
    const title = `Edit ${toKeyName(key)}`;
    return c.render(<KeyForm draft={draft} id={key.id} errors={errors} />, { title, lead, section: "keys" });
  }
  const lead = "The next page shows the key. You can see the key only once.";
  return c.render(
    <>
      <VerifyNotice />
      <KeyForm draft={draft} errors={errors} />
    </>,
    { title: "Create an API key", lead, section: "keys" },
  );
}

/** Returns the signed-in user as the creator of a key, with the permission to grant every scope. */
function toCreator(c: DashboardContext): Creator {
  return {
    account: c.var.account,
    mode: "live",
    scopes: [...SCOPES],
    allowedIps: [],
    expiresAt: null,
    creditLimit: null,
  };
}

async function readDraft(c: DashboardContext): Promise<KeyDraft> {
  const { mode, ...texts } = await readFormFields(c, ["mode", ...KEY_FIELDS]);
  return { ...texts, mode: mode === "test" ? "test" : "live", scopes: await readChecked(c, "scopes") };
}

/** Returns the form's values for a key. */
function toDraftOf({ name, mode, scopes, allowedIps, expiresAt, creditLimit }: ListedKey): KeyDraft {
  return {
    name: name ?? "",
    mode,
    scopes,
    allowed_ips: allowedIps.join("\n"),
    expires_at: expiresAt === null ? "" : toDay(expiresAt),
    credit_limit: creditLimit === null ? "" : String(creditLimit),
  };
}

function toDay(at: number): string {
  return toIso(at).slice(0, 10);
}

/** Returns the fields of the API's request. A limit that isn't a number stays a text, which is refused later. */
function toFields({ mode, name, scopes, allowed_ips, expires_at, credit_limit }: KeyDraft) {
  const number = Number(credit_limit.replaceAll(",", ""));
  const limit = credit_limit === "" ? null : Number.isNaN(number) ? credit_limit : number;
  return {
    name: name === "" ? null : name,
    scopes,
    allowed_ips: allowed_ips.split(/[\s,]+/).filter((entry) => entry !== ""),
    expires_at: expires_at === "" ? null : `${expires_at}T00:00:00Z`,
    credit_limit: mode === "test" && limit === null ? undefined : limit,
  };
}

/** Returns the change of the key. Throws AppError if the form is invalid. */
function toChange(draft: KeyDraft, key: ListedKey): KeyChangeRequest {
  const fields = toFields(draft);
  // The form has only the day of the expiry, so the time of an unchanged day stays the same.
  const isSameDay = key.expiresAt !== null && toDay(key.expiresAt) === draft.expires_at;
  return parseWith(KeyChangeRequest, { ...fields, expires_at: isSameDay ? undefined : fields.expires_at });
}

/** Returns the API's request for a new key. Throws AppError if the form is invalid. */
function toRequest(draft: KeyDraft): KeyRequest {
  const fields = toFields(draft);
  return parseWith(KeyRequest, { ...fields, mode: draft.mode, name: fields.name ?? undefined });
}
