import { Hono } from "hono";
import { isEmail } from "../../../directory/users";
import { now, sleep } from "../../../lib/clock";
import { canSendEmail } from "../../../net/email";
import { deleteLinksOfUser, setEmail } from "../../../store/users";
import { callAuth, checkPassword, hasPassword, refuseAuth } from "../../auth/auth-client";
import { MIN_RESPONSE_MS } from "../../auth/constants";
import { Card } from "../../ui/components";
import { type DashboardContext, type DashboardEnv, requireSignedIn } from "../../ui/env";
import { EmailField, FormErrors } from "../../ui/form";
import { readFormFields } from "../../ui/form-data";
import { PasswordForm } from "./password-form";

/** The page that changes the user's email address. */
export const changeEmail = new Hono<DashboardEnv>();

changeEmail.get("/settings/email", (c) => renderPage(c, {}));

changeEmail.post("/settings/email", async (c) => {
  const { email, current } = await readFormFields(c, ["email", "current"]);
  const errors = await submit(c, { email: email.toLowerCase(), current });
  if (errors !== null) return await renderPage(c, { email, errors });
  return c.redirect(`/dashboard/settings?done=${canSendEmail(c.env) ? "confirm-email" : "email"}`, 303);
});

/**
 * Sends a link to the new address, which confirms the change. If email isn't configured, changes the address immediately.
 * Returns the form's errors, or null on success. With email, the reply doesn't reveal if the address is registered.
 */
async function submit(
  c: DashboardContext,
  { email, current }: { email: string; current: string },
): Promise<FormErrors | null> {
  const user = requireSignedIn(c);
  c.status(400);
  if (!isEmail(email)) return FormErrors.ofField("email", "This is not a valid email address. Please check it.");
  if (email === user.email) return FormErrors.ofField("email", "This is already your email address.");
  const wrong = await checkPassword(c, current);
  if (wrong !== null) return wrong;
  if (canSendEmail(c.env)) {
    const call = callAuth(c, "/change-email", { newEmail: email });
    const [{ error }] = await Promise.all([call, sleep(MIN_RESPONSE_MS)]);
    return error === null ? null : refuseAuth(c, error);
  }
  const isFree = await setEmail(c.env.DB, { userId: user.id, email, now: now() });
  if (!isFree) return FormErrors.ofField("email", "This email address is already registered.");
  await deleteLinksOfUser(c.env.DB, user.id);
  return null;
}

async function renderPage(c: DashboardContext, { email, errors }: { email?: string; errors?: FormErrors }) {
  const user = requireSignedIn(c);
  const hint = canSendEmail(c.env)
    ? "We send a link to the new address. The change takes effect when you open it. We also notify the current address."
    : "The change takes effect immediately.";
  return await c.render(
    <Card>
      <p>
        Your email address is <strong>{user.email}</strong>.
      </p>
      <PasswordForm
        action="/dashboard/settings/email"
        hasPassword={await hasPassword(c)}
        errors={errors}
        submit="Change email address"
        cancel="/dashboard/settings"
      >
        <EmailField label="New email address" required autocomplete="email" value={email} hint={hint} />
      </PasswordForm>
    </Card>,
    { title: "Change your email address", section: "settings" },
  );
}
