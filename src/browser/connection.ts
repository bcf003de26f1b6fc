import { type CDPSession, CDPSessionEvent } from "@cloudflare/puppeteer/internal/api/CDPSession.js";
import { Connection } from "@cloudflare/puppeteer/internal/cdp/Connection.js";
import { WorkersWebSocketTransport } from "@cloudflare/puppeteer/internal/cloudflare/WorkersWebSocketTransport.js";
import { log, toLogged } from "../lib/log";
import { SECOND_MS } from "../model/limits";
import { CDP_TIMEOUT_MS } from "../model/page-limits";

// Puppeteer's Browser class isn't used, because it resumes every new target immediately. A page's new window could then
// send requests before the window is prepared. Puppeteer's Connection uses the same protocol, but doesn't resume
// targets.
export type { CDPSession, Connection };

const CLOSE_TIMEOUT_MS = 15 * SECOND_MS;

interface ConnectionOptions {
  /** Called for each message from the browser. */
  onMessage: () => void;
  /** Called once when the browser or the connection ends. */
  onClosed: () => void;
}

/** Connects to a browser. Commands without their own timeout reject after CDP_TIMEOUT_MS. */
export async function connectBrowser(
  binding: BrowserRun,
  sessionId: string,
  { onMessage, onClosed }: ConnectionOptions,
): Promise<Connection> {
  const transport = await WorkersWebSocketTransport.create(binding, sessionId);
  transport.ws.addEventListener("message", onMessage);
  // A message over 32 MiB ends the socket with an `error` event, but without a `close` event.
  transport.ws.addEventListener("error", () => transport.onclose?.());
  const connection = new Connection("", transport, 0, CDP_TIMEOUT_MS);
  connection.once(CDPSessionEvent.Disconnected, onClosed);
  return connection;
}

/** Disposes of a context with its pages. Returns false if the browser refuses. Never throws. */
export async function disposeContext(connection: Connection, browserContextId: string): Promise<boolean> {
  try {
    await connection.send("Target.disposeBrowserContext", { browserContextId });
    return true;
  } catch (error) {
    // Ignores the error if the browser is closed, because its contexts no longer exist.
    if (error instanceof Error && /closed/i.test(error.message)) return true;
    log("warn", "context_not_disposed", toLogged(error));
    return false;
  }
}

/** Closes a browser without its connection, which may be dead or belong to another object. Never throws. */
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
