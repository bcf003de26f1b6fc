import { type Context, Hono } from "hono";
import { addDenied, listDeniedOf, removeDenied } from "../../../directory/deny-list";
import { now } from "../../../lib/clock";
import { AppError } from "../../../model/errors";
import { getAccount } from "../../../store/accounts";
import { type DashboardEnv, requireSignedIn } from "../../ui/env";
import { FormErrors } from "../../ui/form";
import { readFormFields } from "../../ui/form-data";
import { DoneNotice } from "../../ui/notices";
import { DenyListCards } from "./deny-list-card";

const DONE = {
  added: "The target was added. All instances of the service refuse requests to it within 60 seconds.",
  removed: "The target was removed. All instances of the service use the new list within 60 seconds.",
};

/**
 * The deny lists of all accounts and of one account. They don't check for an admin, so the guard of the admin pages
 * must run first.
 */
export const denyListPages = new Hono<DashboardEnv>();

type DenyListContext = Context<DashboardEnv>;
interface View {
  entered?: { target: string; note: string };
  errors?: FormErrors;
}

// On the path with an account's id, the page shows this account's list.
for (const path of ["/admin/deny-list", "/admin/accounts/:id/deny-list"]) {
  denyListPages.get(path, async (c) => await renderList(c));

  denyListPages.post(path, async (c) => {
    const owner = await findOwner(c);
    if (owner === null) return await c.notFound();
    const entered = await readFormFields(c, ["target", "note"]);
    try {
      await addDenied(c.env, { accountId: owner.id, ...entered, actor: requireSignedIn(c).email, now: now() });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      c.status(400);
      return await renderList(c, { entered, errors: FormErrors.of(error) });
    }
    return c.redirect(`${owner.path}?done=added`, 303);
  });

  denyListPages.post(`${path}/remove`, async (c) => {
    const owner = await findOwner(c);
    if (owner === null) return await c.notFound();
    const { target } = await readFormFields(c, ["target"]);
    await removeDenied(c.env, { accountId: owner.id, target, actor: requireSignedIn(c).email, now: now() });
    return c.redirect(`${owner.path}?done=removed`, 303);
  });

  // Redirects to the page, because the browser sends GET if the user opens the URL of the form again.
  denyListPages.get(`${path}/remove`, async (c) => c.redirect((await findOwner(c))?.path ?? "/dashboard/admin", 303));
}

/**
 * Returns the owner of the list in the path. The owner's id is null for the list of all accounts. Returns null if there
 * is no such account.
 */
async function findOwner(c: DenyListContext): Promise<{ id: string | null; name: string; path: string } | null> {
  const id = c.req.param("id");
  if (id === undefined) return { id: null, name: "all accounts", path: "/dashboard/admin/deny-list" };
  const account = await getAccount(c.env.DB, id);
  return account && { id, name: account.name, path: `/dashboard/admin/accounts/${account.id}/deny-list` };
}

async function renderList(c: DenyListContext, view: View = {}): Promise<Response> {
  const owner = await findOwner(c);
  if (owner === null) return await c.notFound();
  const entries = await listDeniedOf(c.env, owner.id);
  const back = owner.id === null ? "/dashboard/admin" : `/dashboard/admin/accounts/${owner.id}`;
  return await c.render(
    <>
      <DoneNotice word={c.req.query("done")} texts={DONE} />
      <DenyListCards {...{ entries, ...view }} path={owner.path} />
    </>,
    {
      title: "Deny list",
      lead: `Jobs and webhooks of ${owner.name} can't request these targets. This includes redirects, resources of rendered pages and actions.`,
      section: "admin",
      actions: (
        <a class="button quiet" href={back}>
          {owner.id === null ? "All accounts" : owner.name}
        </a>
      ),
    },
  );
}
