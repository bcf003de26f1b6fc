import { BROWSER_PING_TIMEOUT_MS, BROWSER_SILENCE_MS } from "../model/page-limits";

const TICK_MS = 500;

interface HeartbeatOptions {
  /** Sends a command to which a running browser responds immediately. */
  ping: () => void;
  /** Called once if the browser doesn't respond. */
  onSilent: () => void;
}

/**
 * Detects a browser that stopped responding while it has work. Any message shows that the browser is running. After
 * BROWSER_SILENCE_MS without a message, the browser is pinged. If it sends no message for another BROWSER_PING_TIMEOUT_MS, it
 * counts as dead.
 *
 * The connection doesn't report a dead browser: a message over 32 MiB ends the socket without a `close` event (workerd,
 * `web-socket.c++`).
 */
export class Heartbeat {
  readonly #options: HeartbeatOptions;
  #timer: ReturnType<typeof setInterval> | null = null;
  #holders = 0;
  #hasMessage = false;
  #silentTicks = 0;

  constructor(options: HeartbeatOptions) {
    this.#options = options;
  }

  /** Records that the browser has sent a message. */
  onMessage(): void {
    this.#hasMessage = true;
  }

  /** Starts watching. Returns a function that stops it. Watching ends when all returned functions have been called. */
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

  /** Stops watching immediately, regardless of the number of `watch` calls. */
  stop(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
  }

  #start(): ReturnType<typeof setInterval> {
    this.#hasMessage = false;
    this.#silentTicks = 0;
    return setInterval(() => this.#tick(), TICK_MS);
  }

  /**
   * Counts ticks without a message instead of measuring time. A busy isolate reads no messages, but it also runs no
   * ticks, so the browser doesn't count as silent.
   */
  #tick(): void {
    this.#silentTicks = this.#hasMessage ? 0 : this.#silentTicks + 1;
    this.#hasMessage = false;
    const silentMs = this.#silentTicks * TICK_MS;
    if (silentMs === BROWSER_SILENCE_MS) this.#options.ping();
    if (silentMs < BROWSER_SILENCE_MS + BROWSER_PING_TIMEOUT_MS) return;
    this.stop();
    this.#options.onSilent();
  }
}
