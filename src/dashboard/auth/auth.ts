import { betterAuth } from "better-auth";
import { APIError, createAuthMiddleware, isAPIError } from "better-auth/api";
import { magicLink } from "better-auth/plugins/magic-link";
import { toLinkIdentifier } from "../../directory/links";
import { newId } from "../../lib/id";
import { log, toLogged } from "../../lib/log";
import { redact } from "../../lib/redact";
import { DAY_MS, MAX_PASSWORD_CHARS, MIN_PASSWORD_CHARS, SECOND_MS } from "../../model/limits";
import { FIELDS } from "./fields";
import type { Guard } from "./guard";
import { ADDRESS_HEADER, AUTH_PATH, GITHUB_FAILED_PATH, type Letter, WAIT_HEADER } from "./protocol";

const MINUTE_S = 60;
const DAY_S = DAY_MS / SECOND_MS;
/** A stranger at a shared address must not use up everybody's attempts. The limits by user and by recipient still hold. */
const CALLERS_OF_A_SHARED_ADDRESS = 100;

export interface AuthOptions {
  db: D1Database;
  /** Where the dashboard is reached, such as `https://api.example.com`. */
  origin: string;
  /** Signs the session cookies. */
  secret: string;
  signUp: "open" | "closed";
  github: { clientId: string; clientSecret: string } | null;
  /** Null: mail isn't configured. */
  send: ((letter: Letter) => Promise<void>) | null;
  /** True: a user whose address isn't verified can't sign in with a password. */
  verifiedOnly: boolean;
  /** True: all callers have one address (CALLER_ADDRESS), so limits by address are for all of them together. */
  sharesAddress: boolean;
  /** Counts the tries of each user's password. */
  guard: Guard;
  /** For what may go on after the answer. */
  waitUntil: (promise: Promise<unknown>) => void;
}

/** Sessions, passwords and links are better-auth's; this says where its tables are and what it may do. */
export function createAuth(options: AuthOptions) {
  const { db, origin, secret, signUp, github, send, verifiedOnly, sharesAddress, guard, waitUntil } = options;
  const callers = sharesAddress ? CALLERS_OF_A_SHARED_ADDRESS : 1;
  return betterAuth({
    appName: "Web data extraction",
    baseURL: origin,
    basePath: AUTH_PATH,
    secret,
    database: db,
    user: {
      ...FIELDS.user,
      // Elsewhere too, anybody can say that an address is theirs: who hasn't proved it gets no user here.
      validateUserInfo: ({ user, source }) => {
        if (source.method === "oauth" && source.action !== "sign-in" && !user.emailVerified)
          return { error: "email_not_verified" };
      },
    },
    // Nothing is asked of GitHub after the sign-in; what it gave is kept as ciphertext all the same.
    account: { ...FIELDS.account, encryptOAuthTokens: true },
    // A session may list and end the others for as long as it lasts, not on its first day alone.
    session: { ...FIELDS.session, expiresIn: 14 * DAY_S, updateAge: DAY_S, freshAge: 0 },
    verification: { ...FIELDS.verification, storeIdentifier: { hash: toLinkIdentifier } },
    emailAndPassword: {
      enabled: true,
      disableSignUp: signUp === "closed",
      minPasswordLength: MIN_PASSWORD_CHARS,
      maxPasswordLength: MAX_PASSWORD_CHARS,
      revokeSessionsOnPasswordReset: true,
      resetPasswordTokenExpiresIn: 60 * MINUTE_S,
      // The person holds a link that was meant for this user: the browser is known from here on.
      onPasswordReset: ({ user }) => guard.remember(user.email),
      // A session right after the sign-up would tell that the address is new. With this option better-auth hashes the
      // password for a registered address too, and gives the same answer.
      requireEmailVerification: verifiedOnly,
      ...(send === null
        ? {}
        : {
            sendResetPassword: ({ user, token }) => send({ to: user.email, kind: "reset", token }),
            onExistingUserSignUp: ({ user }) => send({ to: user.email, kind: "registered" }),
          }),
    },
    emailVerification: {
      autoSignInAfterVerification: false,
      sendOnSignIn: verifiedOnly,
      expiresIn: DAY_S,
      ...(send === null
        ? {}
        : {
            sendOnSignUp: true,
            sendVerificationEmail: ({ user, token }) => send({ to: user.email, kind: "verify", token }),
          }),
    },
    ...(github === null ? {} : { socialProviders: { github: { ...github, disableSignUp: signUp === "closed" } } }),
    plugins: [
      // Links that an operator makes; nobody can ask for one here.
      magicLink({
        disableSignUp: false,
        sendMagicLink: () => Promise.reject(new Error("Sign-in links are made by operators.")),
      }),
    ],
    hooks: {
      // better-auth has counted the try by the caller's address before.
      before: createAuthMiddleware(async ({ path, body }) => {
        if (path !== "/sign-in/email") return;
        const waitSeconds = await guard.take(String(body?.email));
        if (waitSeconds === null) return;
        throw new APIError("TOO_MANY_REQUESTS", { message: "Too many tries." }, { [WAIT_HEADER]: String(waitSeconds) });
      }),
      after: createAuthMiddleware(async ({ path, context }) => {
        if (context.newSession === null) return;
        if (path === "/sign-in/email") await guard.forgive();
        await guard.remember(context.newSession.user.email);
      }),
    },
    onAPIError: {
      errorURL: GITHUB_FAILED_PATH,
      // An answer, such as that a password is wrong, is no news.
      onError: (error) => {
        if (!isAPIError(error) || error.statusCode >= 500) log("error", "auth_failed", toLogged(error));
      },
    },
    rateLimit: {
      ...FIELDS.rateLimit,
      enabled: true,
      storage: "database",
      window: 10,
      max: 100,
      customRules: {
        // Each page asks for it, and nothing can be guessed by it: the cookie is signed.
        "/get-session": false,
        "/sign-in/email": { window: 5 * MINUTE_S, max: 10 * callers },
        "/sign-up/email": { window: 10 * MINUTE_S, max: 10 * callers },
        "/change-password": { window: 5 * MINUTE_S, max: 10 * callers },
        "/request-password-reset": { window: 10 * MINUTE_S, max: 5 * callers },
        "/send-verification-email": { window: 10 * MINUTE_S, max: 5 * callers },
        "/magic-link/verify": { window: MINUTE_S, max: 20 * callers },
      },
    },
    advanced: {
      useSecureCookies: origin.startsWith("https:"),
      cookiePrefix: "extraction",
      ipAddress: { ipAddressHeaders: [ADDRESS_HEADER] },
      database: { generateId: () => newId(), validateSchema: false },
      backgroundTasks: { handler: waitUntil },
    },
    logger: {
      level: "error",
      // Its details may name users; an error's own words are ours or the runtime's.
      log: (level, message, ...details) => {
        const error = details.find((detail) => detail instanceof Error);
        log(level === "error" ? "error" : "warn", "auth", {
          message: redact(message),
          ...(error === undefined ? {} : toLogged(error)),
        });
      },
    },
    telemetry: { enabled: false },
  });
}

export type Auth = ReturnType<typeof createAuth>;
