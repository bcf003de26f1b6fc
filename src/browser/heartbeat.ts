import { BROWSER_PING_TIMEOUT_MS, BROWSER_SILENCE_MS } from "../model/limits";

const TICK_MS = 500;

interface HeartbeatOptions {
  /** Sends a command that a living browser answers at once. */
  ping: () => void;
  /** Called once, when the browser doesn't answer. */
  onSilent: () => void;
}

/**
 * Detects a browser that stopped answering while it has work. Any message counts as a sign of life. After BROWSER_SILENCE_MS without
 * one, the browser is pinged; after BROWSER_PING_TIMEOUT_MS more, it counts as dead.
 *
 * The connection itself doesn't report it: a message over 32 MiB ends the socket without a `close` event (workerd, `web-socket.c++`).
 */
export class Heartbeat {
  readonly #options: HeartbeatOptions;
  #timer: ReturnType<typeof setInterval> | null = null;
  #holders = 0;
  #heard = false;
  #silentTicks = 0;

  constructor(options: HeartbeatOptions) {
    this.#options = options;
  }

  /** The browser has sent a message. */
  heard(): void {
    this.#heard = true;
  }

  /** Watches until every function that it returned has been called. */
  watch(): () => void {
    this.#holders++;
    this.#timer ??= this.#start();
    let released = false;
    return () => {
      if (released) return;
      released = true;
      if (--this.#holders === 0) this.stop();
    };
  }

  /** Stops watching. */
  stop(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
  }

  #start(): ReturnType<typeof setInterval> {
    this.#heard = false;
    this.#silentTicks = 0;
    return setInterval(() => this.#tick(), TICK_MS);
  }

  /** Counts ticks, not time: while this isolate is busy, messages wait unread and no tick comes. */
  #tick(): void {
    this.#silentTicks = this.#heard ? 0 : this.#silentTicks + 1;
    this.#heard = false;
    const silentMs = this.#silentTicks * TICK_MS;
    if (silentMs === BROWSER_SILENCE_MS) this.#options.ping();
    if (silentMs < BROWSER_SILENCE_MS + BROWSER_PING_TIMEOUT_MS) return;
    this.stop();
    this.#options.onSilent();
  }
}
