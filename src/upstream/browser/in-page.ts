// Scripts that run inside pages, as text: the bundler's helpers don't exist there.

/**
 * Runs in every frame and worker before anything of the page's own. Interception sees every HTTP request, but not
 * WebSockets, WebTransport and WebRTC (tried), nor prefetches by speculation rules and federated sign-in; a window opened by script would
 * only cost time. What a page would notice missing fails as on a broken network instead.
 */
export const DISARM = `(() => {
  const scope = globalThis;
  const inDocument = typeof document !== "undefined";
  // Libraries that patch globals (zone.js) must be able to assign; a worker gets its natives back unless it's fixed.
  const put = (name, value) => {
    try { Object.defineProperty(scope, name, { value, configurable: false, enumerable: false, writable: inDocument }); } catch {}
  };
  class WebSocket extends EventTarget {
    constructor(url) {
      super();
      this.url = String(url);
      this.readyState = 0;
      this.bufferedAmount = 0;
      this.protocol = this.extensions = "";
      this.binaryType = "blob";
      this.onopen = this.onmessage = this.onerror = this.onclose = null;
      setTimeout(() => {
        this.readyState = 3;
        for (const type of ["error", "close"]) {
          const event = new Event(type);
          if (type === "close") Object.assign(event, { code: 1006, reason: "", wasClean: false });
          this.dispatchEvent(event);
          if (typeof this["on" + type] === "function") this["on" + type](event);
        }
      }, 0);
    }
    send() {}
    close() {}
  }
  ["CONNECTING", "OPEN", "CLOSING", "CLOSED"].forEach((name, i) => { WebSocket[name] = WebSocket.prototype[name] = i; });
  put("WebSocket", WebSocket);
  for (const name of ["WebSocketStream", "WebTransport", "RTCPeerConnection", "webkitRTCPeerConnection", "SharedWorker", "fetchLater"]) {
    put(name, undefined);
  }
  if (!inDocument) return;
  put("open", () => null);
  try { Object.defineProperty(Navigator.prototype, "serviceWorker", { value: undefined, configurable: false }); } catch {}
  for (const name of ["IdentityCredential", "IdentityProvider"]) put(name, undefined);
  try { CredentialsContainer.prototype.get = () => Promise.resolve(null); } catch {}
  const isRules = (node) => /^script$/i.test(node.nodeName) && /speculationrules/i.test(node.getAttribute("type") ?? "");
  const clear = (node) => {
    if (node.nodeType !== Node.ELEMENT_NODE) return;
    if (isRules(node)) return node.remove();
    if (node.shadowRoot) watch(node.shadowRoot);
    if (!node.firstElementChild) return;
    for (const element of node.querySelectorAll("*")) {
      if (isRules(element)) element.remove();
      else if (element.shadowRoot) watch(element.shadowRoot);
    }
  };
  const watched = new WeakSet();
  const watch = (root) => {
    if (watched.has(root)) return;
    watched.add(root);
    for (const child of root.children) clear(child);
    new MutationObserver((records) => {
      // Of what came together, the tops alone: each clears all that is below it.
      const added = new Set(records.flatMap((record) => [...record.addedNodes]));
      for (const node of added) if (!added.has(node.parentNode)) clear(node);
    }).observe(root, { childList: true, subtree: true });
  };
  const attachShadow = Element.prototype.attachShadow;
  Element.prototype.attachShadow = function (...args) {
    const root = attachShadow.apply(this, args);
    watch(root);
    return root;
  };
  watch(document);
})();`;

/**
 * Installs `globalThis[name](capMs)`: a promise that resolves once the page has nothing in hand that would change its
 * text soon. In hand are timers of up to a second (not those that such timers set again and again) and changes of the
 * tree in the last moments. A static page answers at once.
 */
export function quietScript(name: string): string {
  return `(() => {
  if (typeof document === "undefined") return;
  const TIMER_MAX_MS = 1000, SETTLE_MS = 60, MAX_DEPTH = 3;
  const { setTimeout: nativeSet, clearTimeout: nativeClear, setInterval: nativeSetInterval, clearInterval: nativeClearInterval } = globalThis;
  const pending = new Set();
  let depth = 0, changedAt = -Infinity;
  const setTimeout = function (callback, delay, ...args) {
    const own = depth + 1;
    if (typeof callback !== "function" || own > MAX_DEPTH || !(Number(delay ?? 0) <= TIMER_MAX_MS)) {
      return nativeSet.call(globalThis, callback, delay, ...args);
    }
    const id = nativeSet.call(globalThis, function () {
      const before = depth;
      depth = own;
      try { return callback.apply(this, args); } finally { depth = before; pending.delete(id); }
    }, delay);
    pending.add(id);
    return id;
  };
  // Of an interval, the first tick is awaited.
  const setInterval = function (callback, delay, ...args) {
    const id = nativeSetInterval.call(globalThis, callback, delay, ...args);
    if (depth < MAX_DEPTH && Number(delay ?? 0) <= TIMER_MAX_MS) {
      pending.add(id);
      nativeSet.call(globalThis, () => pending.delete(id), delay);
    }
    return id;
  };
  const clearTimeout = function (id) { pending.delete(id); return nativeClear.call(globalThis, id); };
  const clearInterval = function (id) { pending.delete(id); return nativeClearInterval.call(globalThis, id); };
  Object.assign(globalThis, { setTimeout, clearTimeout, setInterval, clearInterval });
  new MutationObserver(() => { changedAt = performance.now(); })
    .observe(document, { childList: true, characterData: true, subtree: true });
  Object.defineProperty(globalThis, ${JSON.stringify(name)}, { enumerable: false, value: (capMs) => new Promise((resolve) => {
    const end = performance.now() + capMs;
    // What changed while the page was being read isn't unrest.
    const timing = performance.getEntriesByType("navigation")[0];
    const loadedAt = timing?.loadEventEnd || 0;
    const look = () => {
      const now = performance.now();
      const rest = changedAt > loadedAt ? changedAt + SETTLE_MS - now : 0;
      if (now >= end || (pending.size === 0 && rest <= 0)) resolve(true);
      else nativeSet.call(globalThis, look, Math.min(pending.size > 0 ? 20 : rest, end - now));
    };
    look();
  }) });
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

/** The page's markup with its doctype; null when it is longer than `maxChars`. */
export function serialiseScript(maxChars: number): string {
  return `(() => {
  const doctype = document.doctype === null ? "" : new XMLSerializer().serializeToString(document.doctype) + "\\n";
  const html = doctype + (document.documentElement?.outerHTML ?? "");
  return html.length > ${maxChars} ? null : html;
})()`;
}

/** The first refresh that the page's head asks for, and what its address is relative to; null without one. */
export const REFRESH = `(() => {
  const meta = document.head?.querySelector('meta[http-equiv="refresh" i][content]');
  return meta ? { content: meta.getAttribute("content"), base: document.baseURI, url: location.href } : null;
})()`;
