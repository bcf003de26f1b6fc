// Scripts that run inside pages, as text: the bundler's helpers don't exist there.

/**
 * Makes a function of `maxChars` that returns a snapshot. What it needs is taken from the prototypes when it is made: a page
 * may change them later, and an element that is called `documentElement` stands before the document's own.
 */
const SNAPSHOT = `(() => {
  const { apply } = Reflect;
  const toJson = JSON.stringify;
  const getter = (prototype, name) => Object.getOwnPropertyDescriptor(prototype, name).get;
  const toRoot = getter(Document.prototype, "documentElement");
  const toHead = getter(Document.prototype, "head");
  const toDoctype = getter(Document.prototype, "doctype");
  const toBase = getter(Node.prototype, "baseURI");
  const toHtml = getter(Element.prototype, "outerHTML");
  const { querySelector, getAttribute } = Element.prototype;
  const { serializeToString } = XMLSerializer.prototype;
  const serializer = new XMLSerializer();
  const toRefresh = (head) => {
    const meta = head && apply(querySelector, head, ['meta[http-equiv="refresh" i][content]']);
    return meta ? toJson({ __proto__: null, content: apply(getAttribute, meta, ["content"]), base: apply(toBase, document, []), url: location.href }) : "";
  };
  return (maxChars) => {
    const root = apply(toRoot, document, []);
    const doctype = apply(toDoctype, document, []);
    const html = (doctype ? apply(serializeToString, serializer, [doctype]) + "\\n" : "") + (root ? apply(toHtml, root, []) : "");
    return html.length > maxChars ? null : toRefresh(apply(toHead, document, [])) + "\\n" + html;
  };
})()`;

/**
 * Installs `globalThis[name](capMs, maxChars)`: a promise of a snapshot, null for markup longer than `maxChars`, that resolves
 * once the page has nothing in hand that would change its text soon. In hand are callbacks due within a second of the moment
 * when their chain began (timers, frames, idle time, tasks, what comes into view), bodies of answers that are being read, and
 * changes of the tree in the last moments; those of frames of the same origin too. A static page answers at once.
 */
export function quietScript(name: string): string {
  return `(() => {
  if (typeof document === "undefined") return;
  const NAME = ${JSON.stringify(name)};
  const CHAIN_MAX_MS = 1000, SETTLE_MS = 60, POLL_MS = 20;
  // Where these don't come at all, nobody waits for long.
  const FRAME_MAX_MS = 250, IDLE_MAX_MS = 500, VIEW_MAX_MS = 300;
  const later = globalThis.setTimeout.bind(globalThis);
  const snapshot = ${SNAPSHOT};
  const Kept = Promise;
  const shared = (() => { try { return top === globalThis ? undefined : top[NAME].pending; } catch {} })();
  const pending = shared ?? new Set();
  // When the chain of callbacks began that runs now: what one of them asks for is as old.
  let born = null, changedAt = -Infinity;
  const begin = (delay, maxMs) => {
    const now = performance.now();
    const token = { born: born ?? now };
    if (!(now + delay - token.born <= CHAIN_MAX_MS)) return null;
    pending.add(token);
    if (maxMs !== undefined) later(() => pending.delete(token), maxMs);
    return token;
  };
  const follow = (token, callback, last = true) => function (...args) {
    const before = born;
    born = token.born;
    try { return callback.apply(this, args); } finally { born = before; if (last) pending.delete(token); }
  };
  const tokens = new Map();
  const forget = (key) => {
    pending.delete(tokens.get(key));
    tokens.delete(key);
  };
  const wrapCall = (request, cancel, toDelay, maxMs) => {
    const nativeRequest = globalThis[request], nativeCancel = globalThis[cancel];
    if (typeof nativeRequest !== "function") return;
    globalThis[request] = function (callback, option, ...args) {
      const delay = toDelay(option);
      const isText = typeof callback === "string";
      const token = typeof callback === "function" || isText ? begin(delay, isText ? delay : maxMs) : null;
      const id = nativeRequest.call(globalThis, token && !isText ? follow(token, callback) : callback, option, ...args);
      if (token) tokens.set(request + id, token);
      return id;
    };
    globalThis[cancel] = function (id) {
      forget(request + id);
      return nativeCancel.call(globalThis, id);
    };
  };
  wrapCall("setTimeout", "clearTimeout", (delay) => Number(delay ?? 0) || 0);
  wrapCall("requestAnimationFrame", "cancelAnimationFrame", () => 0, FRAME_MAX_MS);
  wrapCall("requestIdleCallback", "cancelIdleCallback", () => 0, IDLE_MAX_MS);
  // Of an interval, the ticks of its first second.
  const nativeInterval = globalThis.setInterval;
  globalThis.setInterval = function (callback, delay, ...args) {
    const token = Number(delay ?? 0) <= CHAIN_MAX_MS ? begin(0, CHAIN_MAX_MS) : null;
    const id = nativeInterval.call(globalThis, token && typeof callback === "function" ? follow(token, callback, false) : callback, delay, ...args);
    if (token) tokens.set("setInterval" + id, token);
    return id;
  };
  const nativeClearInterval = globalThis.clearInterval;
  globalThis.clearInterval = function (id) {
    forget("setInterval" + id);
    return nativeClearInterval.call(globalThis, id);
  };
  if (typeof IntersectionObserver === "function") {
    globalThis.IntersectionObserver = class IntersectionObserver extends globalThis.IntersectionObserver {
      #token;
      constructor(callback, options) {
        let take = () => null;
        super(function (...args) {
          const token = take();
          return token ? follow(token, callback).apply(this, args) : callback.apply(this, args);
        }, options);
        take = () => { const token = this.#token; this.#token = undefined; return token; };
      }
      observe(target) {
        this.#token ??= begin(0, VIEW_MAX_MS) ?? undefined;
        return super.observe(target);
      }
    };
  }
  // The network tells when an answer has come, not whether anybody reads it.
  const holdWhile = (promise) => {
    const token = { born: born ?? performance.now() };
    const over = () => later(() => pending.delete(token), 0);
    pending.add(token);
    promise.then(over, over);
    return promise;
  };
  for (const method of ["arrayBuffer", "blob", "bytes", "formData", "json", "text"]) {
    const read = Response.prototype[method];
    if (typeof read === "function") Response.prototype[method] = function () { return holdWhile(read.call(this)); };
  }
  if (globalThis.scheduler?.postTask) {
    const postTask = scheduler.postTask.bind(scheduler);
    scheduler.postTask = (callback, options) => {
      const token = begin(Number(options?.delay ?? 0) || 0);
      const task = postTask(token ? follow(token, callback) : callback, options);
      if (token) task.catch(() => pending.delete(token));
      return task;
    };
  }
  new MutationObserver(() => { changedAt = performance.now(); })
    .observe(document, { childList: true, characterData: true, subtree: true });
  const quiet = (capMs, maxChars) => new Kept((resolve) => {
    const end = performance.now() + capMs;
    // What changed while the page was being read isn't unrest.
    const timing = performance.getEntriesByType("navigation")[0];
    const loadedAt = timing?.loadEventEnd || 0;
    const look = () => {
      const now = performance.now();
      const rest = changedAt > loadedAt ? changedAt + SETTLE_MS - now : 0;
      if (now >= end || (pending.size === 0 && rest <= 0)) resolve(snapshot(maxChars));
      else later(look, Math.min(pending.size > 0 ? POLL_MS : rest, end - now));
    };
    look();
  });
  quiet.pending = pending;
  Object.defineProperty(globalThis, NAME, { enumerable: false, value: quiet });
})();`;
}

/** Resolves with true once an element matches; with the message of the SyntaxError when the selector is none. */
export function waitForScript(selector: string): string {
  return `new Promise((resolve) => {
  const selector = ${JSON.stringify(selector)};
  const look = () => {
    try { return document.querySelector(selector) !== null; } catch (error) { return String(error.message); }
  };
  const first = look();
  if (first !== false) return resolve(first);
  const observer = new MutationObserver(() => {
    if (look() !== true) return;
    observer.disconnect();
    resolve(true);
  });
  observer.observe(document, { childList: true, subtree: true, attributes: true });
})`;
}

/** What a page shows at one moment. */
export interface Snapshot {
  /** Its markup with its doctype. */
  html: string;
  /** The first refresh that its head asks for, what its address is relative to, and the page's own. */
  refresh: { content: string; base: string; url: string } | null;
}

/** A snapshot as text; null when the markup is longer than `maxChars`. */
export function snapshotScript(maxChars: number): string {
  return `(${SNAPSHOT})(${maxChars})`;
}

/** Null for what is none. As text it is two parts with a line break between: JSON would escape the markup, which is large. */
export function toSnapshot(text: unknown): Snapshot | null {
  const end = typeof text === "string" ? text.indexOf("\n") : -1;
  if (typeof text !== "string" || end === -1) return null;
  return { html: text.slice(end + 1), refresh: toRefresh(text.slice(0, end)) };
}

/** The page may have had its hand in it. */
function toRefresh(json: string): Snapshot["refresh"] {
  try {
    const { content, base, url } = JSON.parse(json);
    return [content, base, url].every((part) => typeof part === "string") ? { content, base, url } : null;
  } catch {
    return null;
  }
}
