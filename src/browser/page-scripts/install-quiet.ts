import type { PageScripts } from "./shared/script-types";
import { createSnapshot } from "./take-snapshot";

const CHAIN_MAX_MS = 1000;
const SETTLE_MS = 60;
const POLL_MS = 20;
// A page may never get these callbacks, so they are waited for briefly.
const FRAME_MAX_MS = 250;
const IDLE_MAX_MS = 500;
const VIEW_MAX_MS = 300;

type Callback = (this: unknown, ...parameters: unknown[]) => unknown;

/** A callback or a body that the page still waits for. */
interface Token {
  /** When the chain of callbacks began that led to it (ms). */
  startedAt: number;
}

/**
 * Installs `globalThis[name](capMs, maxChars)`. It returns a promise of a snapshot, or of null for markup longer than `maxChars`. The
 * promise resolves once nothing is pending that would soon change the page's text, or after `capMs`. Pending are: callbacks due
 * within a second of the start of their chain (timers, frames, idle time, tasks, intersections), response bodies that are being
 * read, and changes of the tree in the last moments. The callbacks of frames of the same origin count too. A static page resolves
 * at once.
 */
export const installQuiet: PageScripts["installQuiet"] = (name) => {
  if (typeof document === "undefined") return;
  const scope = globalThis as unknown as Record<string, Callback>;
  const later = globalThis.setTimeout.bind(globalThis);
  const snapshot = createSnapshot();
  const NativePromise = Promise;
  const shared = (() => {
    try {
      const topWindow: unknown = top;
      if (topWindow === globalThis) return undefined;
      return (topWindow as Record<string, { pending: Set<Token> }>)[name]?.pending;
    } catch {}
  })();
  const pending = shared ?? new Set<Token>();
  // The start of the chain that the running callback belongs to. What the callback requests belongs to the same chain.
  let chainStart: number | null = null;
  let changedAt = Number.NEGATIVE_INFINITY;
  const begin = (delay: number, maxMs?: number): Token | null => {
    const now = performance.now();
    const token = { startedAt: chainStart ?? now };
    if (!(now + delay - token.startedAt <= CHAIN_MAX_MS)) return null;
    pending.add(token);
    if (maxMs !== undefined) later(() => pending.delete(token), maxMs);
    return token;
  };
  const follow = (token: Token, callback: Callback, last = true): Callback =>
    function (this: unknown, ...args) {
      const before = chainStart;
      chainStart = token.startedAt;
      try {
        return callback.apply(this, args);
      } finally {
        chainStart = before;
        if (last) pending.delete(token);
      }
    };
  const tokens = new Map<string, Token>();
  const forget = (key: string) => {
    pending.delete(tokens.get(key) as Token);
    tokens.delete(key);
  };
  const wrapCall = (request: string, cancel: string, toDelay: (option: unknown) => number, maxMs?: number) => {
    const nativeRequest = scope[request];
    const nativeCancel = scope[cancel] as Callback;
    if (typeof nativeRequest !== "function") return;
    scope[request] = (callback, option, ...args) => {
      const delay = toDelay(option);
      const isText = typeof callback === "string";
      const token = typeof callback === "function" || isText ? begin(delay, isText ? delay : maxMs) : null;
      const id = nativeRequest.call(
        globalThis,
        token && !isText ? follow(token, callback as Callback) : callback,
        option,
        ...args,
      );
      if (token) tokens.set(`${request}${id}`, token);
      return id;
    };
    scope[cancel] = (id) => {
      forget(`${request}${id}`);
      return nativeCancel.call(globalThis, id);
    };
  };
  wrapCall("setTimeout", "clearTimeout", (delay) => Number(delay ?? 0) || 0);
  wrapCall("requestAnimationFrame", "cancelAnimationFrame", () => 0, FRAME_MAX_MS);
  wrapCall("requestIdleCallback", "cancelIdleCallback", () => 0, IDLE_MAX_MS);
  // Only the ticks in the first second of an interval count.
  const nativeInterval = scope.setInterval as Callback;
  scope.setInterval = (callback, delay, ...args) => {
    const token = Number(delay ?? 0) <= CHAIN_MAX_MS ? begin(0, CHAIN_MAX_MS) : null;
    const followed = token && typeof callback === "function" ? follow(token, callback as Callback, false) : callback;
    const id = nativeInterval.call(globalThis, followed, delay, ...args);
    if (token) tokens.set(`setInterval${id}`, token);
    return id;
  };
  const nativeClearInterval = scope.clearInterval as Callback;
  scope.clearInterval = (id) => {
    forget(`setInterval${id}`);
    return nativeClearInterval.call(globalThis, id);
  };
  if (typeof globalThis.IntersectionObserver === "function") {
    globalThis.IntersectionObserver = class IntersectionObserver extends globalThis.IntersectionObserver {
      #token: Token | undefined;
      constructor(callback: IntersectionObserverCallback, options?: IntersectionObserverInit) {
        let take: () => Token | undefined = () => undefined;
        super(function (this: unknown, ...args) {
          const token = take();
          return (token ? follow(token, callback as Callback) : (callback as Callback)).apply(this, args);
        }, options);
        take = () => {
          const token = this.#token;
          this.#token = undefined;
          return token;
        };
      }
      override observe(target: Element) {
        this.#token ??= begin(0, VIEW_MAX_MS) ?? undefined;
        return super.observe(target);
      }
    };
  }
  // The network tells when a response has come, but not whether the page reads its body.
  const holdWhile = (promise: Promise<unknown>) => {
    const token = { startedAt: chainStart ?? performance.now() };
    const over = () => later(() => pending.delete(token), 0);
    pending.add(token);
    promise.then(over, over);
    return promise;
  };
  const responses = Response.prototype as unknown as Record<string, Callback>;
  for (const method of ["arrayBuffer", "blob", "bytes", "formData", "json", "text"]) {
    const read = responses[method];
    if (typeof read !== "function") continue;
    responses[method] = function (this: unknown) {
      return holdWhile(read.call(this) as Promise<unknown>);
    };
  }
  wrapPostTask();
  new MutationObserver(() => {
    changedAt = performance.now();
  }).observe(document, { childList: true, characterData: true, subtree: true });
  const quiet = (capMs: number, maxChars: number) =>
    new NativePromise<string | null>((resolve) => {
      const end = performance.now() + capMs;
      // Changes while the document was being parsed don't count.
      const timing = performance.getEntriesByType("navigation")[0] as PerformanceNavigationTiming | undefined;
      const loadedAt = timing?.loadEventEnd || 0;
      let wasPending = false;
      const look = () => {
        const now = performance.now();
        const rest = changedAt > loadedAt ? changedAt + SETTLE_MS - now : 0;
        const isQuiet = pending.size === 0 && rest <= 0;
        // A message that the last callback posted arrives in a task of its own, so the page is looked at once more.
        if (now >= end || (isQuiet && !wasPending)) return resolve(snapshot(maxChars));
        wasPending = pending.size > 0;
        later(look, Math.min(wasPending || isQuiet ? POLL_MS : rest, end - now));
      };
      look();
    });
  quiet.pending = pending;
  Object.defineProperty(globalThis, name, { enumerable: false, value: quiet });

  function wrapPostTask(): void {
    const { scheduler } = globalThis as unknown as { scheduler?: { postTask?: Callback } };
    if (!scheduler?.postTask) return;
    const postTask: Callback = scheduler.postTask.bind(scheduler);
    scheduler.postTask = (callback, options) => {
      const token = begin(Number((options as { delay?: number } | undefined)?.delay ?? 0) || 0);
      const task = postTask(token ? follow(token, callback as Callback) : callback, options) as Promise<unknown>;
      if (token) task.catch(() => pending.delete(token));
      return task;
    };
  }
};
