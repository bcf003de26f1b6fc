import { Hono } from "hono";
import { callAccount } from "../../../account/client";
import { eraseAccount } from "../../../account/erase-account";
import { changeAccount } from "../../../directory/accounts";
import { MEMBER } from "../../../directory/invitations";
import { streamAccountData } from "../../../jobs/export-account";
import { EXPORT_START, readExportCursor } from "../../../jobs/export-position";
import { rateLimited } from "../../../keys/errors";
import { now, toIso } from "../../../lib/clock";
import { MAX_ACCOUNT_NAME_CHARS } from "../../../model/limits";
import { listMembers } from "../../../store/memberships";
import { rateLimiter } from "../../../store/namespaces";
import { getUser } from "../../../store/users";
import { callAuth, checkPassword, openAuth } from "../../auth/auth-client";
import { createEmailSender } from "../../auth/emails";
import { type DashboardContext, type DashboardEnv, requireSignedIn } from "../../ui/env";
import { FormErrors } from "../../ui/form";
import { readFormFields } from "../../ui/form-data";
import { listSignInMethods } from "../settings/sessions";
import { DeleteForm } from "./delete-form";
import { members } from "./members";
import { renderAccountPage } from "./page";

const EXPORTS_PER_MINUTE = 5;

/** The pages of the account itself: its name, the export of its data, and its deletion. */
export const account = new Hono<DashboardEnv>();

account.route("/", members);

account.get("/account", (c) => renderAccountPage(c));

account.post("/account/name", async (c) => {
  const { name } = await readFormFields(c, ["name"]);
  const problem = toNameProblem(name);
  if (problem !== null) {
    c.status(400);
    const errors = new FormErrors(null, [{ path: "name", message: problem }]);
    return await renderAccountPage(c, { name: { name, errors } });
  }
  const { email: by } = requireSignedIn(c);
  await changeAccount(c.env, { accountId: c.var.account.id, change: { name }, actor: MEMBER, by, now: now() });
  return c.redirect("/dashboard/account?done=name", 303);
});

account.post("/account/captures", async (c) => {
  const { keep } = await readFormFields(c, ["keep"]);
  await callAccount(c.env, c.var.account, (stub) => stub.keepsCaptures(keep === "yes"));
  return c.redirect("/dashboard/account?done=captures", 303);
});

account.get("/account/export", async (c) => {
  const { id, tag } = c.var.account;
  const cursor = c.req.query("cursor")?.trim() ?? "";
  const from = cursor === "" ? EXPORT_START : readExportCursor(cursor);
  const rate = await rateLimiter(c.env, `export:${id}`).consume(EXPORTS_PER_MINUTE);
  if (!rate.allowed) throw rateLimited(rate, `You can start ${EXPORTS_PER_MINUTE} exports per minute.`, now());
  const at = now();
  const name = `account-${tag}-${toIso(at).slice(0, 10)}${cursor === "" ? "" : "-continued"}.ndjson`;
  c.header("Content-Disposition", `attachment; filename="${name}"`);
  return c.body(streamAccountData(c.env, c.var.account, { now: at, from }), 200, {
    "content-type": "application/x-ndjson",
  });
});

account.get("/account/delete", (c) => renderDeleteForm(c));

account.post("/account/delete", async (c) => {
  const { name, current } = await readFormFields(c, ["name", "current"]);
  const user = requireSignedIn(c);
  const { id: accountId, name: accountName } = c.var.account;
  const auth = await openAuth(c);
  if (name !== accountName) {
    c.status(400);
    const message = `Type the account's name exactly as shown: ${accountName}`;
    return await renderDeleteForm(c, new FormErrors(null, [{ path: "name", message }]));
  }
  const wrong = await checkPassword(c, auth, current);
  if (wrong !== null) return await renderDeleteForm(c, wrong);
  const informed = await listMembers(c.env.DB, accountId);
  await eraseAccount(c.env, { accountId, actor: MEMBER });
  const send = createEmailSender(c.env);
  if (send !== null) {
    // Members who aren't owners are also informed, because they may lose their sign-in.
    const sent = informed.map(({ email: to }) => send({ to, kind: "deleted", account: accountName }));
    c.executionCtx.waitUntil(Promise.all(sent));
  }
  // A user without another account is erased together with the account.
  if ((await getUser(c.env.DB, user.id)) !== null) return c.redirect("/dashboard", 303);
  await callAuth(c, auth, { method: "POST", path: "/sign-out", body: {} });
  return c.redirect("/dashboard/sign-in?done=deleted", 303);
});

// A form with errors is rendered at the path of its POST. If the user opens that URL again, the browser requests it
// with GET, so it redirects to the page with the form.
account.get("/account/name", (c) => c.redirect("/dashboard/account", 303));
account.get("/account/captures", (c) => c.redirect("/dashboard/account", 303));

/** Returns the rule that the name of an account breaks, or null. */
function toNameProblem(name: string): string | null {
  if (name === "") return "Enter a name.";
  return name.length > MAX_ACCOUNT_NAME_CHARS ? `Use at most ${MAX_ACCOUNT_NAME_CHARS} characters.` : null;
}

async function renderDeleteForm(c: DashboardContext, errors?: FormErrors) {
  const hasPassword = (await listSignInMethods(c, await openAuth(c))).includes("credential");
  return await c.render(<DeleteForm name={c.var.account.name} hasPassword={hasPassword} errors={errors} />, {
    title: "Delete the account?",
    section: "account",
  });
}
