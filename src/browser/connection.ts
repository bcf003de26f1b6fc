import puppeteer from "@cloudflare/puppeteer";
import { type CDPSession, CDPSessionEvent } from "@cloudflare/puppeteer/internal/api/CDPSession.js";
import { Connection } from "@cloudflare/puppeteer/internal/cdp/Connection.js";
import { WorkersWebSocketTransport } from "@cloudflare/puppeteer/internal/cloudflare/WorkersWebSocketTransport.js";
import { log, toLogged } from "../lib/log";
import { CDP_TIMEOUT_MS, SECOND_MS } from "../model/limits";
import { isLaunchFailure } from "./host-errors";

// Puppeteer's own Browser resumes every new target at once, so a window that a page opens would send its first request before
// it is prepared. Puppeteer's Connection speaks the same protocol and leaves the targets alone.
export type { CDPSession, Connection };

/** The service closes a browser after this time without commands. */
const KEEP_ALIVE_MS = 120_000;
const CLOSE_TIMEOUT_MS = 15 * SECOND_MS;

/**
 * Starts a browser and returns its session's id. Throws if none may start or none is installed. The local runtime reports a missing
 * browser like one that crashed at its start, so the start is retried once.
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

interface ConnectionOptions {
  /** Called at each message that the browser sends. */
  onMessage: () => void;
  /** Called once when the browser or the connection is gone. */
  onClosed: () => void;
}

/** Opens the only connection to a browser. A command rejects after CDP_TIMEOUT_MS unless it sets a timeout. */
export async function connectBrowser(
  binding: BrowserRun,
  sessionId: string,
  { onMessage, onClosed }: ConnectionOptions,
): Promise<Connection> {
  const transport = await WorkersWebSocketTransport.create(binding, sessionId);
  transport.ws.addEventListener("message", onMessage);
  // A message over 32 MiB ends the socket with an error and without a close.
  transport.ws.addEventListener("error", () => transport.onclose?.());
  const connection = new Connection("", transport, 0, CDP_TIMEOUT_MS);
  connection.once(CDPSessionEvent.Disconnected, onClosed);
  return connection;
}

/** Closes the browser and its connection. Never throws, because the browser may be gone already. */
export async function closeBrowser(connection: Connection): Promise<void> {
  try {
    await connection.send("Browser.close");
  } catch {
    // The answer was lost with the browser, or the browser hangs. The service closes it when it is idle.
  }
  connection.dispose();
}

/**
 * Closes a browser without its connection, which may be dead or belong to another object. Never throws, because the browser may be gone
 * already.
 */
export async function closeBrowserById(binding: BrowserRun, sessionId: string): Promise<void> {
  try {
    const response = await binding.fetch(`https://browser/v1/devtools/browser/${sessionId}`, {
      method: "DELETE",
      signal: AbortSignal.timeout(CLOSE_TIMEOUT_MS),
    });
    await response.body?.cancel();
  } catch (error) {
    log("warn", "browser_not_closed", toLogged(error));
  }
}

/** Checks that the browser service answers. Starts no browser. Throws if it doesn't answer. */
export async function pingBrowsers(binding: BrowserRun): Promise<void> {
  await puppeteer.limits(binding);
}
