import type { PageScripts } from "./shared/script-types";
import { createSnapshot } from "./take-snapshot";

const CHAIN_MAX_MS = 1000;
/** A late callback counts only if it is due within this time after the start of its chain. */
const LATE_MAX_MS = 2500;
/** The minimum time between two checks of a page that waits for late callbacks. */
const LATE_POLL_MS = 250;
const SETTLE_MS = 60;
const POLL_MS = 20;
// The maximum time to wait for a callback that the browser may never run.
const FRAME_MAX_MS = 250;
const IDLE_MAX_MS = 500;
const VIEW_MAX_MS = 300;

type Callback = (this: unknown, ...parameters: unknown[]) => unknown;

/** A callback or response body that the page is waiting for. */
interface Token {
  /** The start of the callback's chain (ms, from performance.now). Each callback of a chain schedules the next. */
  startedAt: number;
}

/**
 * Installs the function `globalThis[name](capMs, maxChars, isPatient)`, which waits until the page is quiet and returns
 * a snapshot. The function resolves when no pending work will soon change the page's text, or after `capMs`. It resolves
 * with null if the markup is longer than `maxChars`. For a static page, it resolves immediately.
 *
 * Callbacks that are due later don't count, but the snapshot has a mark. With `isPatient`, the function then also waits
 * for the next change of the tree, until the late callbacks have run.
 *
 * Pending work includes:
 * - callbacks of the page and its same-origin frames: timers, animation frames, idle callbacks, tasks and intersection
 *   observers. If callbacks schedule each other, only those that are due within a second after the first one count,
 * - response bodies that are being read,
 * - recent changes of the tree.
 */
export const installQuiet: PageScripts["installQuiet"] = (name) => {
  if (typeof document === "undefined") return;
  const scope = globalThis as unknown as Record<string, Callback>;
  const later = globalThis.setTimeout.bind(globalThis);
  const { take: snapshot } = createSnapshot();
  const NativePromise = Promise;
  const shared = (() => {
    try {
      const topWindow: unknown = top;
      if (topWindow === globalThis) return undefined;
      return (topWindow as Record<string, { pending: Set<Token>; late: Set<Token> }>)[name];
    } catch {}
  })();
  const { pending, late } = shared ?? { pending: new Set<Token>(), late: new Set<Token>() };
  const end = (token: Token) => {
    pending.delete(token);
    late.delete(token);
  };
  // The time at which the running callback's chain started. The callbacks that it schedules belong to the same chain.
  let chainStart: number | null = null;
  let changedAt = Number.NEGATIVE_INFINITY;
  const begin = (delay: number, maxMs?: number): Token | null => {
    const now = performance.now();
    const token = { startedAt: chainStart ?? now };
    const dueMs = now + delay - token.startedAt;
    if (!(dueMs <= LATE_MAX_MS)) return null;
    (dueMs <= CHAIN_MAX_MS ? pending : late).add(token);
    if (maxMs !== undefined) later(() => end(token), maxMs);
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
        if (last) end(token);
      }
    };
  const tokens = new Map<string, Token>();
  const removeToken = (key: string) => {
    end(tokens.get(key) as Token);
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
      removeToken(`${request}${id}`);
      return nativeCancel.call(globalThis, id);
    };
  };
  wrapCall("setTimeout", "clearTimeout", (delay) => Number(delay ?? 0) || 0);
  wrapCall("requestAnimationFrame", "cancelAnimationFrame", () => 0, FRAME_MAX_MS);
  wrapCall("requestIdleCallback", "cancelIdleCallback", () => 0, IDLE_MAX_MS);
  // Counts only the calls in the first second of an interval as pending, and the next ones as late.
  const nativeInterval = scope.setInterval as Callback;
  scope.setInterval = (callback, delay, ...args) => {
    const token = Number(delay ?? 0) <= LATE_MAX_MS ? begin(0, LATE_MAX_MS) : null;
    if (token) {
      late.add(token);
      if (Number(delay ?? 0) > CHAIN_MAX_MS) pending.delete(token);
      else later(() => pending.delete(token), CHAIN_MAX_MS);
    }
    const followed = token && typeof callback === "function" ? follow(token, callback as Callback, false) : callback;
    const id = nativeInterval.call(globalThis, followed, delay, ...args);
    if (token) tokens.set(`setInterval${id}`, token);
    return id;
  };
  const nativeClearInterval = scope.clearInterval as Callback;
  scope.clearInterval = (id) => {
    removeToken(`setInterval${id}`);
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
  // Counts the body as pending work here, because network events don't show that the page is still reading it.
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
  const quiet = (capMs: number, maxChars: number, isPatient: boolean) =>
    new NativePromise<string | null>((resolve) => {
      const startedAt = performance.now();
      const endsAt = startedAt + capMs;
      // Changes of the tree before the `load` event don't count, because parsing causes them.
      const timing = performance.getEntriesByType("navigation")[0] as PerformanceNavigationTiming | undefined;
      const loadedAt = timing?.loadEventEnd || 0;
      let wasPending = false;
      const check = () => {
        const now = performance.now();
        const settleMs = changedAt > loadedAt ? changedAt + SETTLE_MS - now : 0;
        const waitsLate = isPatient && late.size > 0 && (changedAt <= startedAt || now < startedAt + LATE_POLL_MS);
        const isQuiet = pending.size === 0 && settleMs <= 0 && !waitsLate;
        // After the last callback, the page is checked once more. A message that the callback posted arrives only in a
        // later task.
        if (now >= endsAt || (isQuiet && !wasPending)) return resolve(snapshot(maxChars, late.size > 0));
        wasPending = pending.size > 0;
        later(check, Math.min(wasPending || isQuiet || waitsLate ? POLL_MS : settleMs, endsAt - now));
      };
      check();
    });
  Object.assign(quiet, { pending, late });
  Object.defineProperty(globalThis, name, { enumerable: false, value: quiet });

  function wrapPostTask(): void {
    const { scheduler } = globalThis as unknown as { scheduler?: { postTask?: Callback } };
    if (!scheduler?.postTask) return;
    const postTask: Callback = scheduler.postTask.bind(scheduler);
    scheduler.postTask = (callback, options) => {
      const token = begin(Number((options as { delay?: number } | undefined)?.delay ?? 0) || 0);
      const task = postTask(token ? follow(token, callback as Callback) : callback, options) as Promise<unknown>;
      if (token) task.catch(() => end(token));
      return task;
    };
  }
};
