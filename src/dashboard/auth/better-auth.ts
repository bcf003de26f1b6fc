import { betterAuth } from "better-auth";
import { APIError, createAuthMiddleware, isAPIError } from "better-auth/api";
import { magicLink } from "better-auth/plugins/magic-link";
import { twoFactor } from "better-auth/plugins/two-factor";
import type { AuthSecrets } from "../../directory/auth-secrets";
import { toLinkIdentifier } from "../../directory/users";
import { newId } from "../../lib/id";
import { log, toLogged } from "../../lib/log";
import { redact } from "../../lib/redact";
import { DAY_MS, MAX_PASSWORD_CHARS, MIN_PASSWORD_CHARS, SECOND_MS } from "../../model/limits";
import { ADDRESS_HEADER, AUTH_PATH, GITHUB_FAILED_PATH, LOCKED_MINUTES, RETRY_AFTER_HEADER } from "./constants";
import type { SendAuthEmail } from "./emails";
import type { SignInLimiter } from "./sign-in-limiter";
import { replaceUsedCode } from "./used-codes";

const MINUTE_S = 60;
const DAY_S = DAY_MS / SECOND_MS;
/** The maximum number of wrong codes in a row before two-factor sign-in is locked for `LOCKED_MINUTES`. */
const MAX_WRONG_CODES = 10;
/**
 * The factor by which limits by IP address are raised if all callers have the same address. Otherwise, one caller could
 * use up the attempts of all callers. The limits by user and by recipient still apply.
 */
const CALLERS_OF_A_SHARED_ADDRESS = 100;

/** Maps better-auth's names of columns, such as `userId`, to those of `schema.sql`, such as `user_id`. */
function toColumns<const Name extends string>(...names: Name[]): Record<Name, string> {
  const entries = names.map((name) => [name, name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)]);
  return Object.fromEntries(entries) as Record<Name, string>;
}

/** The tables of better-auth's models, and the columns whose names differ. */
const TABLES = {
  user: { modelName: "users", fields: toColumns("emailVerified", "createdAt", "updatedAt") },
  session: {
    modelName: "sessions",
    fields: toColumns("userId", "ipAddress", "userAgent", "expiresAt", "createdAt", "updatedAt"),
  },
  account: {
    modelName: "identities",
    fields: toColumns(
      "userId",
      "providerId",
      "accountId",
      "accessToken",
      "refreshToken",
      "idToken",
      "accessTokenExpiresAt",
      "refreshTokenExpiresAt",
      "createdAt",
      "updatedAt",
    ),
  },
  verification: { modelName: "verifications", fields: toColumns("expiresAt", "createdAt", "updatedAt") },
  twoFactor: {
    modelName: "two_factors",
    fields: toColumns("userId", "backupCodes", "failedVerificationCount", "lockedUntil"),
  },
  rateLimit: { modelName: "sign_in_attempts", fields: toColumns("lastRequest") },
};

export interface AuthOptions {
  db: D1Database;
  /** The origin of the dashboard, such as `https://api.example.com`. */
  origin: string;
  /** The first secret signs the session cookies and encrypts values. The other secrets only decrypt. */
  secrets: AuthSecrets;
  signUp: "open" | "closed";
  github: { clientId: string; clientSecret: string } | null;
  /** Null if email isn't configured. */
  send: SendAuthEmail | null;
  /** True if only users with a verified email address can sign in with a password. */
  verifiedOnly: boolean;
  /** True if all callers have the same IP address (CALLER_ADDRESS). They then share the limits by address. */
  sharesAddress: boolean;
  /** The token of the invitation that a new user accepts after the verification of the email address, or null. */
  invitation: string | null;
  /** Limits the attempts to guess a user's password. */
  limiter: SignInLimiter;
  /** Keeps the Worker running until the promise settles, as `ExecutionContext.waitUntil` does. */
  waitUntil: (promise: Promise<unknown>) => void;
}

/** Configures better-auth, which handles sessions, passwords and links. */
export function createAuth(options: AuthOptions) {
  const { db, origin, secrets, signUp, github, send, verifiedOnly, sharesAddress, invitation, limiter, waitUntil } =
    options;
  const callers = sharesAddress ? CALLERS_OF_A_SHARED_ADDRESS : 1;
  return betterAuth({
    appName: "Web data extraction",
    baseURL: origin,
    basePath: AUTH_PATH,
    secrets,
    database: db,
    user: {
      ...TABLES.user,
      changeEmail: { enabled: true },
      // Refuses new users whose email address GitHub hasn't verified.
      validateUserInfo: ({ user, source }) => {
        if (source.method === "oauth" && source.action !== "sign-in" && !user.emailVerified)
          return { error: "email_not_verified" };
      },
    },
    // Encrypts GitHub's tokens. better-auth stores them, although they aren't needed after the sign-in.
    account: { ...TABLES.account, encryptOAuthTokens: true },
    // With freshAge 0, a session of any age can list and end other sessions. By default, only a session of up to one
    // day can.
    session: { ...TABLES.session, expiresIn: 14 * DAY_S, updateAge: DAY_S, freshAge: 0 },
    verification: { ...TABLES.verification, storeIdentifier: { hash: toLinkIdentifier } },
    emailAndPassword: {
      enabled: true,
      disableSignUp: signUp === "closed",
      minPasswordLength: MIN_PASSWORD_CHARS,
      maxPasswordLength: MAX_PASSWORD_CHARS,
      revokeSessionsOnPasswordReset: true,
      resetPasswordTokenExpiresIn: 60 * MINUTE_S,
      // Marks the browser as known. The reset link came by email, so it proves that the browser is the user's.
      onPasswordReset: ({ user }) => limiter.remember(user.email),
      // Without this option, only a new address gets a session after the sign-up, which would reveal registered
      // addresses. With it, better-auth also hashes the password for a registered address and sends the same response.
      requireEmailVerification: verifiedOnly,
      ...(send === null
        ? {}
        : {
            sendResetPassword: ({ user, token }) => send({ to: user.email, kind: "reset", token }),
            onExistingUserSignUp: ({ user }) => send({ to: user.email, kind: "registered", invitation }),
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
            // better-auth calls this function for new users and for changes of the email address.
            sendVerificationEmail: ({ user, token }, request) => {
              const isChange = request !== undefined && new URL(request.url).pathname === `${AUTH_PATH}/change-email`;
              const to = user.email;
              return send(isChange ? { to, kind: "change", token } : { to, kind: "verify", token, invitation });
            },
          }),
    },
    ...(github === null ? {} : { socialProviders: { github: { ...github, disableSignUp: signUp === "closed" } } }),
    plugins: [
      // Users can't request these links. Operators create them with `createLink`.
      magicLink({
        disableSignUp: false,
        sendMagicLink: () => Promise.reject(new Error("Only operators can create sign-in links.")),
      }),
      // Encrypts the secrets and the backup codes. Also limits each sign-in to five codes.
      twoFactor({
        schema: {
          user: { fields: { twoFactorEnabled: "two_factor_enabled" } },
          twoFactor: TABLES.twoFactor,
        },
        accountLockout: { maxFailedAttempts: MAX_WRONG_CODES, durationSeconds: LOCKED_MINUTES * MINUTE_S },
      }),
    ],
    hooks: {
      // At this point, better-auth has already counted the attempt for the caller's IP address.
      before: createAuthMiddleware(async (ctx) => {
        const { path, body } = ctx;
        if (path === "/two-factor/verify-totp") return await replaceUsedCode(ctx, db);
        if (path !== "/sign-in/email") return;
        const waitSeconds = await limiter.consume(String(body?.email));
        if (waitSeconds === null) return;
        throw new APIError(
          "TOO_MANY_REQUESTS",
          { message: "Too many attempts." },
          { [RETRY_AFTER_HEADER]: String(waitSeconds) },
        );
      }),
      after: createAuthMiddleware(async ({ path, context }) => {
        if (context.newSession === null) return;
        if (path === "/sign-in/email") {
          await limiter.refund();
          // The plugin for two-factor sign-in deletes this session after this hook.
          if (context.newSession.user.twoFactorEnabled === true) return;
        }
        await limiter.remember(context.newSession.user.email);
      }),
    },
    onAPIError: {
      errorURL: GITHUB_FAILED_PATH,
      // Doesn't log refusals, such as a wrong password.
      onError: (error) => {
        if (!isAPIError(error) || error.statusCode >= 500) log("error", "auth_failed", toLogged(error));
      },
    },
    rateLimit: {
      ...TABLES.rateLimit,
      enabled: true,
      storage: "database",
      window: 10,
      max: 100,
      customRules: {
        "/sign-in/email": { window: 5 * MINUTE_S, max: 10 * callers },
        "/sign-up/email": { window: 10 * MINUTE_S, max: 10 * callers },
        "/change-password": { window: 5 * MINUTE_S, max: 10 * callers },
        "/change-email": { window: 10 * MINUTE_S, max: 5 * callers },
        "/request-password-reset": { window: 10 * MINUTE_S, max: 5 * callers },
        "/send-verification-email": { window: 10 * MINUTE_S, max: 5 * callers },
        "/two-factor/*": { window: 5 * MINUTE_S, max: 10 * callers },
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
      // Of `details`, logs only the Error, because the other values can contain email addresses.
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
