import type { listSessions } from "../../auth/auth-client";
import { Card, PostButton, Time } from "../../ui/components";

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
export function SessionsCard({ sessions, current }: { sessions: readonly Session[]; current: string }) {
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
    <li>
      <div class="what">
        <strong title={userAgent}>{device}</strong> {isCurrent ? <span class="status good">current</span> : null}
        <div class="small muted">
          {ipAddress || "unknown IP address"} · signed in <Time at={createdAt.getTime()} />
        </div>
      </div>
      {isCurrent ? null : (
        <PostButton action={`/dashboard/settings/sessions/${id}/sign-out`} label="Sign out" about={device} />
      )}
    </li>
  );
}
