import { type Context, Hono } from "hono";
import { AppError } from "../../../model/errors";
import { MIN_PASSWORD_CHARS } from "../../../model/limits";
import { canSendEmail } from "../../../net/email";
import {
  type AuthError,
  callAuth,
  hasPassword,
  listSessions,
  listSignInMethods,
  refuseAuth,
  setPassword,
} from "../../auth/auth-client";
import { Card, DoneNotice, Facts, LinkButton, ListedItem, Time } from "../../ui/components";
import { type DashboardEnv, requireSignedIn, type User } from "../../ui/env";
import { CurrentPasswordField, FormErrors, NewPasswordField, WithErrors } from "../../ui/form";
import { readFormFields } from "../../ui/form-data";
import { PostButton, PostForm } from "../../ui/post-form";
import { changeEmail } from "./change-email-page";
import { TwoFactorCard, twoFactor } from "./two-factor-page";

export const settings = new Hono<DashboardEnv>();

const DONE: Record<string, string> = {
  sent: "We sent you a link. Open it to verify your email address. It expires in 24 hours.",
  email: "Your email address was changed.",
  "confirm-email": "We sent a link to your new email address. Open it to confirm the change. It expires in 24 hours.",
  "two-factor-off": "Two-factor sign-in was turned off.",
  password: "Your password was changed. All your other sessions were signed out.",
  session: "The session was signed out.",
  others: "All other sessions were signed out.",
};

settings.route("/", changeEmail);
settings.route("/", twoFactor);

settings.get("/settings", (c) => renderPage(c));

settings.post("/settings/verify", async (c) => {
  const body = { email: c.var.user?.email };
  if (c.var.user?.emailVerified) return c.redirect("/dashboard/settings", 303);
  const { error } = await callAuth(c, "/send-verification-email", body);
  if (error === null) return c.redirect("/dashboard/settings?done=sent", 303);
  return await renderPage(c, { pageErrors: refuseAuth(c, error) });
});

settings.post("/settings/password", async (c) => {
  const { current, password } = await readFormFields(c, ["current", "password"]);
  const isChange = await hasPassword(c);
  const body = { currentPassword: current, newPassword: password, revokeOtherSessions: true };
  const { error } = isChange ? await callAuth(c, "/change-password", body) : await setPassword(c, password);
  if (error !== null) return await renderPage(c, { errors: toPasswordErrors(error, refuseAuth(c, error)) });
  // Ends the other sessions after `setPassword`. `/change-password` has already ended them.
  if (!isChange) await callAuth(c, "/revoke-other-sessions", {});
  return c.redirect("/dashboard/settings?done=password", 303);
});

settings.post("/settings/sessions/sign-out-others", async (c) => {
  await callAuth(c, "/revoke-other-sessions", {});
  return c.redirect("/dashboard/settings?done=others", 303);
});

settings.post("/settings/sessions/sign-out-all", async (c) => {
  await callAuth(c, "/revoke-sessions", {});
  // `/sign-out` also deletes the browser's session cookie.
  await callAuth(c, "/sign-out", {});
  return c.redirect("/dashboard/sign-in?done=everywhere", 303);
});

settings.post("/settings/sessions/:id/sign-out", async (c) => {
  const session = (await listSessions(c)).find(({ id }) => id === c.req.param("id"));
  if (session === undefined) throw new AppError("not_found", "This session has already ended. Reload the settings.");
  await callAuth(c, "/revoke-session", { token: session.token });
  return c.redirect("/dashboard/settings?done=session", 303);
});

interface Refusal {
  errors?: FormErrors;
  /** The errors of another form on the page. */
  pageErrors?: FormErrors;
}

async function renderPage(c: Context<DashboardEnv>, { errors, pageErrors }: Refusal = {}) {
  const user = requireSignedIn(c);
  const [sessions, signInMethods] = await Promise.all([listSessions(c), listSignInMethods(c)]);
  return c.render(
    <>
      <DoneNotice word={c.req.query("done")} texts={DONE} />
      <WithErrors errors={pageErrors} />
      <div class="grid two even">
        <ProfileCard user={user} canSendEmail={canSendEmail(c.env)} signInMethods={signInMethods} />
        <PasswordCard hasPassword={signInMethods.includes("credential")} errors={errors} />
      </div>
      <TwoFactorCard isOn={user.twoFactorEnabled} />
      <SessionsCard sessions={sessions} current={c.var.sessionToken} />
    </>,
    { title: "Settings", section: "settings" },
  );
}

/** Converts an error to the message of its field. An error without a field is shown at the top of the form. */
function toPasswordErrors(error: AuthError, errors: FormErrors): FormErrors {
  const path = error.code === "INVALID_PASSWORD" ? "current" : /^PASSWORD_TOO_/.test(error.code) ? "password" : null;
  return path === null ? errors : FormErrors.ofField(path, errors.message ?? "");
}

const SIGN_IN_METHOD_LABELS: Record<string, string> = { credential: "password", github: "GitHub" };

interface ProfileCardProps {
  user: User;
  canSendEmail: boolean;
  signInMethods: string[];
}

function ProfileCard({ user, canSendEmail, signInMethods }: ProfileCardProps) {
  const names = signInMethods.map((method) => SIGN_IN_METHOD_LABELS[method] ?? method);
  const email = (
    <>
      {user.email}{" "}
      <LinkButton href="/dashboard/settings/email" tone="quiet" small label="Change" about="email address" />
    </>
  );
  const verification = user.emailVerified ? (
    <span class="status good">verified</span>
  ) : (
    <span class="row end">
      <span class="status busy">not verified</span>
      {canSendEmail ? <PostButton action="/dashboard/settings/verify" label="Send new link" /> : null}
    </span>
  );
  return (
    <Card title="Profile">
      <Facts
        class="limits"
        of={[
          ["Email", email],
          ["Email verification", verification, toAddressNote(user, canSendEmail)],
          ["Sign-in methods", names.length === 0 ? "sign-in link" : names.join(" or ")],
        ]}
      />
    </Card>
  );
}

function toAddressNote(user: User, canSendEmail: boolean): string {
  if (user.emailVerified) return "We send password reset links to this address.";
  return canSendEmail
    ? "Open the link in the email that we sent you. Live keys and monthly credits require a verified email address."
    : "This service doesn't send emails. If you forget your password, ask its operator for a password reset link.";
}

function PasswordCard({ hasPassword, errors }: { hasPassword: boolean; errors: FormErrors | undefined }) {
  return (
    <Card title={hasPassword ? "Change your password" : "Set a password"}>
      {hasPassword ? null : <p class="muted">With a password, you can also sign in with your email address.</p>}
      <PostForm
        action="/dashboard/settings/password"
        class="fields"
        errors={errors}
        submit={hasPassword ? "Change password" : "Set password"}
      >
        {hasPassword ? <CurrentPasswordField /> : null}
        <NewPasswordField
          hint={`At least ${MIN_PASSWORD_CHARS} characters. All your other sessions will be signed out.`}
        />
      </PostForm>
    </Card>
  );
}

const MAX_SESSIONS_SHOWN = 50;

// The order of the patterns matters, because the User-Agent of some browsers also contains the names of others.
const BROWSERS: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\bEdg(?:e|A|iOS)?\//, "Edge"],
  [/\b(?:OPR|Opera)\//, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\b(?:Firefox|FxiOS)\//, "Firefox"],
  [/\b(?:Chrome|CriOS|Chromium|HeadlessChrome)\//, "Chrome"],
  [/\bSafari\//, "Safari"],
];

const SYSTEMS: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\biPhone\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bAndroid\b/, "Android"],
  [/\bWindows\b/, "Windows"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bMac OS X\b/, "macOS"],
  [/\bLinux\b/, "Linux"],
];

const MAX_PRODUCT_CHARS = 40;

type Session = Awaited<ReturnType<typeof listSessions>>[number];

/** Describes a User-Agent in a few words, so that users recognize their devices. */
export function toDevice(userAgent: string): string {
  const browser = findName(BROWSERS, userAgent);
  const system = findName(SYSTEMS, userAgent);
  if (browser !== undefined) return system === undefined ? browser : `${browser} on ${system}`;
  // The User-Agent of a program begins with its name, such as `curl/8.5.0`.
  const [product = ""] = userAgent.trim().split(/[/\s]/);
  if (product === "") return "Unknown device";
  const name = product.slice(0, MAX_PRODUCT_CHARS);
  return system === undefined ? name : `${name} on ${system}`;
}

function findName(table: typeof BROWSERS, userAgent: string): string | undefined {
  return table.find(([pattern]) => pattern.test(userAgent))?.[1];
}

/** The list of the user's sessions, with buttons that sign them out. `current` is the token of the current session. */
function SessionsCard({ sessions, current }: { sessions: readonly Session[]; current: string }) {
  const isCurrent = ({ token }: Session) => token === current;
  // The current session comes first, then the newest.
  const shown = sessions
    .toSorted((a, b) => Number(isCurrent(b)) - Number(isCurrent(a)) || b.createdAt.getTime() - a.createdAt.getTime())
    .slice(0, MAX_SESSIONS_SHOWN);
  const hasOthers = sessions.length > 1;
  return (
    <Card title="Sessions">
      <ul class="sessions">
        {shown.map((session) => (
          <SessionLine session={session} isCurrent={isCurrent(session)} />
        ))}
      </ul>
      {sessions.length > shown.length ? (
        <p class="small muted">
          There are {(sessions.length - shown.length).toLocaleString("en")} older sessions that this list doesn't show.
        </p>
      ) : null}
      <div class="row">
        {hasOthers ? (
          <PostButton
            action="/dashboard/settings/sessions/sign-out-others"
            label="Sign out other sessions"
            small={false}
          />
        ) : null}
        <PostButton
          action="/dashboard/settings/sessions/sign-out-all"
          label="Sign out all sessions"
          tone="danger"
          small={false}
        />
      </div>
      <p class="small muted">Signing out doesn't revoke API keys.</p>
    </Card>
  );
}

function SessionLine({ session, isCurrent }: { session: Session; isCurrent: boolean }) {
  const { id, ipAddress, createdAt } = session;
  const userAgent = session.userAgent ?? "";
  const device = toDevice(userAgent);
  return (
    <ListedItem
      title={<strong title={userAgent}>{device}</strong>}
      badge={isCurrent ? <span class="status good">current</span> : null}
      note={[`${ipAddress || "unknown IP address"} · signed in `, <Time at={createdAt.getTime()} />]}
    >
      {isCurrent ? null : (
        <PostButton action={`/dashboard/settings/sessions/${id}/sign-out`} label="Sign out" about={device} />
      )}
    </ListedItem>
  );
}
