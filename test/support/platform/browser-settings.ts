/** The behavior of the stand-in for the browser service of Cloudflare. */
export interface Settings {
  /** The round trip between the Durable Object and the browser in milliseconds. */
  rttMs: number;
  /** The DevTools commands that the service refuses. */
  refusedMethods: RefusedMethod[];
  /** The answers to the next requests for a session, in order. Further requests succeed. */
  refusedSessions: { status: number; message: string; retryAfterS?: number }[];
  /** The response of `/v1/limits`, or null for the local one. */
  limits: Record<string, unknown> | null;
  /** False if new targets run without waiting for the debugger. */
  holdsTargets: boolean;
  /** Messages from the browser that are longer than this end the connection. The platform's limit is 32 MiB. */
  maxFrameChars: number;
  /** The end of a connection by a large message: with an `error` event, or without any event. */
  largeFrames: "error" | "silence";
  /** A connection without commands ends after this time. Null: never. */
  keepAliveMs: number | null;
  /** True if names that don't exist are reported as failed connections, because a proxy resolves them. */
  hidesDnsErrors: boolean;
}

interface RefusedMethod {
  method: string;
  /** Refuses the command only for the whole browser, not for a target. */
  isRoot?: boolean;
  /** Refuses the command only with this parameter. */
  parameter?: string;
}

/** The documented errors of Browser Run for a new session. */
export const SESSION_ERRORS = {
  rateLimit: { status: 429, message: "Rate limit exceeded", retryAfterS: 1 },
  dailyLimit: { status: 429, message: "Browser time limit exceeded for today" },
  noBrowser: { status: 503, message: "No browser available. Please try again in a few minutes." },
} as const;

/** Returns the settings with defaults: a service without limits, next to the Durable Object. */
export function toSettings(settings: Partial<Settings>): Settings {
  return {
    rttMs: 0,
    refusedMethods: [],
    refusedSessions: [],
    limits: null,
    holdsTargets: true,
    maxFrameChars: 32 * 1024 * 1024,
    largeFrames: "silence",
    keepAliveMs: null,
    hidesDnsErrors: true,
    ...settings,
  };
}

/** Returns the DevTools error for a refused command, or null if the service accepts it. */
export function refuses(
  { refusedMethods }: Settings,
  { method, sessionId, params = {} }: { method: string; sessionId?: string; params?: Record<string, unknown> },
): { code: number; message: string } | null {
  const isRefused = refusedMethods.some(
    (refused) =>
      refused.method === method &&
      (refused.isRoot !== true || sessionId === undefined) &&
      (refused.parameter === undefined || refused.parameter in params),
  );
  return isRefused ? { code: -32_601, message: `'${method}' wasn't found` } : null;
}
