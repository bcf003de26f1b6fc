import { betterAuth } from "better-auth";
import { magicLink } from "better-auth/plugins/magic-link";
import { toLinkIdentifier } from "../../accounts/links";
import { newId } from "../../lib/id";
import { DAY_MS, MIN_PASSWORD_CHARS, SECOND_MS } from "../../limits";
import { FIELDS } from "./fields";
import { ADDRESS_HEADER, AUTH_PATH } from "./protocol";

const MINUTE_S = 60;
const DAY_S = DAY_MS / SECOND_MS;

/** What is to be said to a user by mail. */
export interface Letter {
  to: string;
  kind: "verify" | "reset";
  url: string;
}

export interface AuthOptions {
  db: D1Database;
  /** Where the dashboard is reached, such as `https://api.example.com`. */
  origin: string;
  /** Signs the session cookies. */
  secret: string;
  signUp: "open" | "closed";
  github: { clientId: string; clientSecret: string } | null;
  /** Null: no mail can be sent. */
  send: ((letter: Letter) => Promise<void>) | null;
  /** For what may go on after the answer. */
  waitUntil: (promise: Promise<unknown>) => void;
}

/** Sessions, passwords and links are better-auth's; this says where its tables are and what it may do. */
export function createAuth({ db, origin, secret, signUp, github, send, waitUntil }: AuthOptions) {
  return betterAuth({
    appName: "Web data extraction",
    baseURL: origin,
    basePath: AUTH_PATH,
    secret,
    database: db,
    user: FIELDS.user,
    // Nothing is asked of GitHub after the sign-in; what it gave is kept as ciphertext all the same.
    account: { ...FIELDS.account, encryptOAuthTokens: true },
    // A session may list and end the others for as long as it lasts, not on its first day alone.
    session: { ...FIELDS.session, expiresIn: 14 * DAY_S, updateAge: DAY_S, freshAge: 0 },
    verification: { ...FIELDS.verification, storeIdentifier: { hash: toLinkIdentifier } },
    emailAndPassword: {
      enabled: true,
      disableSignUp: signUp === "closed",
      minPasswordLength: MIN_PASSWORD_CHARS,
      revokeSessionsOnPasswordReset: true,
      resetPasswordTokenExpiresIn: 60 * MINUTE_S,
      ...(send === null
        ? {}
        : { sendResetPassword: ({ user, url }) => send({ to: user.email, kind: "reset" as const, url }) }),
    },
    emailVerification: {
      autoSignInAfterVerification: false,
      expiresIn: DAY_S,
      ...(send === null
        ? {}
        : {
            sendOnSignUp: true,
            sendVerificationEmail: ({ user, url }) => send({ to: user.email, kind: "verify" as const, url }),
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
    rateLimit: {
      ...FIELDS.rateLimit,
      enabled: true,
      storage: "database",
      window: 10,
      max: 100,
      customRules: {
        "/sign-in/email": { window: 5 * MINUTE_S, max: 10 },
        "/sign-up/email": { window: 10 * MINUTE_S, max: 10 },
        "/change-password": { window: 5 * MINUTE_S, max: 10 },
        "/request-password-reset": { window: 10 * MINUTE_S, max: 5 },
        "/send-verification-email": { window: 10 * MINUTE_S, max: 5 },
        "/magic-link/verify": { window: MINUTE_S, max: 20 },
      },
    },
    advanced: {
      useSecureCookies: origin.startsWith("https:"),
      cookiePrefix: "extraction",
      ipAddress: { ipAddressHeaders: [ADDRESS_HEADER] },
      database: { generateId: () => newId(), validateSchema: false },
      backgroundTasks: { handler: waitUntil },
    },
    logger: { level: "error" },
    telemetry: { enabled: false },
  });
}

export type Auth = ReturnType<typeof createAuth>;
