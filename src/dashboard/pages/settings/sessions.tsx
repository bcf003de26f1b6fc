import type { Context } from "hono";
import { z } from "zod";
import { callAuth } from "../../auth/auth-client";
import type { Auth } from "../../auth/better-auth";
import { Card, PostButton, Time } from "../../ui/components";
import type { DashboardEnv } from "../../ui/env";

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

/** A session of the user. The token is a secret and must not be sent to the browser. */
export interface Session {
  id: string;
  token: string;
  address: string | null;
  userAgent: string;
  /** Unix milliseconds. */
  createdAt: number;
  isCurrent: boolean;
}

const SessionList = z.array(
  z.object({
    id: z.string(),
    token: z.string(),
    ipAddress: z.string().nullish(),
    userAgent: z.string().nullish(),
    createdAt: z.iso.datetime(),
  }),
);

/** Returns the user's active sessions: the current one first, then the newest. */
export async function listSessions(c: Context<DashboardEnv>, auth: Auth): Promise<Session[]> {
  const { body } = await callAuth(c, auth, { method: "GET", path: "/list-sessions" });
  const sessions = SessionList.parse(body).map(({ id, token, ipAddress, userAgent, createdAt }) => ({
    id,
    token,
    address: ipAddress || null,
    userAgent: userAgent ?? "",
    createdAt: Date.parse(createdAt),
    isCurrent: token === c.var.sessionToken,
  }));
  return sessions.sort((a, b) => Number(b.isCurrent) - Number(a.isCurrent) || b.createdAt - a.createdAt);
}

const Identities = z.array(z.object({ providerId: z.string() }));

/** Returns the user's sign-in methods: `credential` for a password, otherwise the provider's name. */
export async function listSignInMethods(c: Context<DashboardEnv>, auth: Auth): Promise<string[]> {
  const { body } = await callAuth(c, auth, { method: "GET", path: "/list-accounts" });
  return Identities.parse(body).map(({ providerId }) => providerId);
}

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

/** The list of the user's sessions, with buttons that sign them out. */
export function SessionsCard({ sessions }: { sessions: Session[] }) {
  const shown = sessions.slice(0, MAX_SESSIONS_SHOWN);
  const hasOthers = sessions.length > 1;
  return (
    <Card title="Sessions">
      <ul class="sessions">
        {shown.map((session) => (
          <SessionLine {...session} />
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

function SessionLine({ id, address, userAgent, createdAt, isCurrent }: Session) {
  const device = toDevice(userAgent);
  return (
    <li>
      <div class="what">
        <strong title={userAgent}>{device}</strong> {isCurrent ? <span class="status good">current</span> : null}
        <div class="small muted">
          {address ?? "unknown IP address"} · signed in <Time at={createdAt} />
        </div>
      </div>
      {isCurrent ? null : (
        <PostButton
          action={`/dashboard/settings/sessions/${id}/sign-out`}
          label={
            <>
              Sign out<span class="visually-hidden"> {device}</span>
            </>
          }
        />
      )}
    </li>
  );
}
