/**
 * Runs in every frame and worker before the page's own scripts. Request interception doesn't see WebSockets, WebTransport, WebRTC,
 * prefetches by speculation rules, or federated sign-in (all tried). This script removes them, so that they fail as on a broken
 * network. It is the second line of defense behind the filtering proxy, and the first one where there is no proxy. It can't see into
 * a closed declarative shadow root.
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
  // What is used below is saved now: a page may change the prototypes before it adds rules.
  const { apply } = Reflect;
  const getter = (prototype, name) => Object.getOwnPropertyDescriptor(prototype, name).get;
  const toName = getter(Node.prototype, "nodeName");
  const toType = getter(Node.prototype, "nodeType");
  const toParent = getter(Node.prototype, "parentNode");
  const toShadow = getter(Element.prototype, "shadowRoot");
  const toFirst = getter(Element.prototype, "firstElementChild");
  const { attachShadow, getAttribute, querySelectorAll, remove } = Element.prototype;
  const childrenOf = {
    1: getter(Element.prototype, "children"),
    9: getter(Document.prototype, "children"),
    11: getter(DocumentFragment.prototype, "children"),
  };
  const toAdded = getter(MutationRecord.prototype, "addedNodes");
  const collectionLength = getter(HTMLCollection.prototype, "length");
  const listLength = getter(NodeList.prototype, "length");
  const isScript = /^script$/i, isRulesType = /speculationrules/i;
  const { exec } = RegExp.prototype;
  const { observe } = MutationObserver.prototype;
  const Observer = MutationObserver;
  const { has: hasWatched, add: addWatched } = WeakSet.prototype;
  const { has: hasNode, add: addNode } = Set.prototype;
  const Nodes = Set;
  const each = (list, toLength, action) => {
    const length = apply(toLength, list, []);
    // Read before the action, which may shorten a live list.
    const items = { __proto__: null };
    for (let i = 0; i < length; i++) items[i] = list[i];
    for (let i = 0; i < length; i++) action(items[i]);
  };
  const matches = (pattern, text) => apply(exec, pattern, [text]) !== null;
  const isRules = (node) => matches(isScript, apply(toName, node, [])) && matches(isRulesType, apply(getAttribute, node, ["type"]) ?? "");
  const clear = (node) => {
    if (apply(toType, node, []) !== 1) return;
    if (isRules(node)) return apply(remove, node, []);
    const shadow = apply(toShadow, node, []);
    if (shadow) watch(shadow);
    if (!apply(toFirst, node, [])) return;
    each(apply(querySelectorAll, node, ["*"]), listLength, (element) => {
      if (isRules(element)) return apply(remove, element, []);
      const inner = apply(toShadow, element, []);
      if (inner) watch(inner);
    });
  };
  const watched = new WeakSet();
  const watch = (root) => {
    if (apply(hasWatched, watched, [root])) return;
    apply(addWatched, watched, [root]);
    each(apply(childrenOf[apply(toType, root, [])], root, []), collectionLength, clear);
    const observer = new Observer((records) => {
      // Of the nodes that were added together, only the topmost: each of them is cleared with all that is below it.
      const added = new Nodes();
      for (let i = 0; i < records.length; i++) each(apply(toAdded, records[i], []), listLength, (node) => apply(addNode, added, [node]));
      for (let i = 0; i < records.length; i++) {
        each(apply(toAdded, records[i], []), listLength, (node) => {
          if (!apply(hasNode, added, [apply(toParent, node, [])])) clear(node);
        });
      }
    });
    apply(observe, observer, [root, { childList: true, subtree: true }]);
  };
  Element.prototype.attachShadow = function (...args) {
    const root = apply(attachShadow, this, args);
    watch(root);
    return root;
  };
  watch(document);
})();`;
