import puppeteer from "@cloudflare/puppeteer";
import { type CDPSession, CDPSessionEvent } from "@cloudflare/puppeteer/internal/api/CDPSession.js";
import { Connection } from "@cloudflare/puppeteer/internal/cdp/Connection.js";
import { WorkersWebSocketTransport } from "@cloudflare/puppeteer/internal/cloudflare/WorkersWebSocketTransport.js";
import { log, toLogged } from "../../lib/log";

// Puppeteer's own Browser resumes every new target as soon as it has seen it, so that a window opened by a page sends
// its first request before anybody can hold it. Its Connection speaks the same protocol and leaves targets to us.
export type { CDPSession, Connection };

/** The service closes a browser that was idle for this long by itself, should we not. */
const KEEP_ALIVE_MS = 120_000;

/**
 * Starts a browser and returns its session's id. Throws when none may start, or none is there. The local runtime says the
 * same of a browser that isn't there and of one that died while it started: it is tried twice.
 */
export async function acquireBrowser(binding: BrowserRun): Promise<string> {
  try {
    return await acquire(binding);
  } catch (error) {
    if (!isLaunchFailure(error)) throw error;
    log("warn", "browser_not_launched", toLogged(error));
    return await acquire(binding);
  }
}

async function acquire(binding: BrowserRun): Promise<string> {
  const { sessionId } = await puppeteer.acquire(binding, { keep_alive: KEEP_ALIVE_MS });
  return sessionId;
}

/** The local runtime's words for a browser that didn't start; the platform's speak of limits. */
export function isLaunchFailure(error: unknown): boolean {
  return error instanceof Error && error.message.includes("Failed to launch local browser");
}

/** The one connection to a browser. `onClosed` is called once, when the browser or the connection is gone. */
export async function connectBrowser(
  binding: BrowserRun,
  sessionId: string,
  onClosed: () => void,
): Promise<Connection> {
  const transport = await WorkersWebSocketTransport.create(binding, sessionId);
  const connection = new Connection("", transport);
  connection.once(CDPSessionEvent.Disconnected, onClosed);
  return connection;
}

/** Ends the browser, its connection included. Never throws: it may be gone already. */
export async function closeBrowser(connection: Connection): Promise<void> {
  try {
    await connection.send("Browser.close", undefined, { timeout: 5_000 });
  } catch {
    // The answer got lost together with the browser, or the browser hangs: the service ends it when it is idle.
  }
  connection.dispose();
}

/** Ends a browser that somebody else's connection left behind. Never throws: it may be gone already. */
export async function closeBrowserById(binding: BrowserRun, sessionId: string): Promise<void> {
  try {
    await closeBrowser(await connectBrowser(binding, sessionId, () => undefined));
  } catch {
    // Not there any more, which is what was wanted.
  }
}

/** Whether the service that runs the browsers answers; starts none. Throws when it doesn't. */
export async function pingBrowsers(binding: BrowserRun): Promise<void> {
  await puppeteer.limits(binding);
}
