import { Hono } from "hono";
import { createAccountAgain } from "../../directory/accounts";
import type { Place } from "../../directory/sign-up-location";
import { now } from "../../lib/clock";
import { deleteUserWithoutAccount } from "../../store/users";
import { type DashboardContext, type DashboardEnv, requireSignedIn } from "../ui/env";
import { PostButton } from "../ui/post-form";
import { callAuth } from "./auth-client";
import { renderSignPage } from "./sign-page";

/** The actions of users who have left their last account. */
export const noAccountRoutes = new Hono<DashboardEnv>();

noAccountRoutes.post("/no-account/create", async (c) => {
  if (c.var.user === null) return c.redirect("/dashboard", 303);
  const { id, name, email, emailVerified } = c.var.user;
  const opener = { id, name: name || email, emailVerified, place: c.req.raw.cf as Place | undefined };
  await createAccountAgain(c.env, opener, now());
  return c.redirect("/dashboard", 303);
});

noAccountRoutes.post("/no-account/delete-user", async (c) => {
  const { user } = c.var;
  if (user === null || !(await deleteUserWithoutAccount(c.env.DB, user.id))) return c.redirect("/dashboard", 303);
  await callAuth(c, "/sign-out", {});
  return c.redirect("/dashboard/sign-in?done=user-deleted", 303);
});

/** Renders the page of a user who has left the last account. */
export async function renderNoAccount(c: DashboardContext): Promise<Response> {
  const { email } = requireSignedIn(c);
  return await renderSignPage(
    c,
    { title: "You belong to no account" },
    <>
      <p>
        You are signed in as <strong>{email}</strong>. To join an account, open the link of an invitation. You can also
        create an account of your own on the free plan.
      </p>
      <div class="row">
        <PostButton action="/dashboard/no-account/create" label="Create account" tone="primary" small={false} />
        <PostButton action="/dashboard/sign-out" label="Sign out" small={false} />
        <PostButton
          action="/dashboard/no-account/delete-user"
          label="Delete sign-in"
          tone="danger"
          small={false}
          confirm={`Delete the sign-in of ${email}? You can't undo this.`}
        />
      </div>
    </>,
  );
}
