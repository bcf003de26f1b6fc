import { toGetter } from "./shared/natives";
import type { PageScripts } from "./shared/script-types";

/** Every property of a scope may be replaced. */
type Scope = Record<string, unknown>;

/**
 * Runs in every frame and worker before the page's own scripts. Request interception doesn't see WebSockets, WebTransport, WebRTC,
 * prefetches by speculation rules, or federated sign-in (all tried). This function removes them, so that they fail as on a broken
 * network. It is the second line of defense behind the filtering proxy, and the first one where there is no proxy. It can't see
 * into a closed declarative shadow root.
 */
export const disarm: PageScripts["disarm"] = () => {
  const scope = globalThis as unknown as Scope;
  const inDocument = typeof document !== "undefined";
  // Libraries that patch globals (zone.js) must be able to assign. In a worker a property that isn't fixed gets its native value
  // back.
  const put = (name: string, value: unknown) => {
    try {
      Object.defineProperty(scope, name, { value, configurable: false, enumerable: false, writable: inDocument });
    } catch {}
  };
  put("WebSocket", createWebSocketStub());
  for (const name of [
    "WebSocketStream",
    "WebTransport",
    "RTCPeerConnection",
    "webkitRTCPeerConnection",
    "SharedWorker",
    "fetchLater",
  ]) {
    put(name, undefined);
  }
  if (!inDocument) return;
  put("open", () => null);
  try {
    Object.defineProperty(Navigator.prototype, "serviceWorker", { value: undefined, configurable: false });
  } catch {}
  for (const name of ["IdentityCredential", "IdentityProvider"]) put(name, undefined);
  try {
    CredentialsContainer.prototype.get = () => Promise.resolve(null);
  } catch {}
  removeSpeculationRules();
};

/** Creates a class whose connections fail. Its members are those that pages use. */
function createWebSocketStub(): unknown {
  class WebSocket extends EventTarget {
    [property: string]: unknown;

    constructor(url: unknown) {
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
          const name = `on${type}`;
          // A method call, so that `this` is the socket.
          if (typeof this[name] === "function") this[name](event);
        }
      }, 0);
    }
    send() {}
    close() {}
  }
  for (const [i, name] of ["CONNECTING", "OPEN", "CLOSING", "CLOSED"].entries()) {
    for (const owner of [WebSocket, WebSocket.prototype]) (owner as unknown as Scope)[name] = i;
  }
  return WebSocket;
}

/**
 * Removes speculation rules from the document and its shadow roots whenever they are added. All natives are saved first, because a
 * page may change the prototypes before it adds rules.
 */
function removeSpeculationRules(): void {
  const { apply } = Reflect;
  const toName = toGetter<string>(Node.prototype, "nodeName");
  const toType = toGetter<number>(Node.prototype, "nodeType");
  const toParent = toGetter<Node | null>(Node.prototype, "parentNode");
  const toShadow = toGetter<ShadowRoot | null>(Element.prototype, "shadowRoot");
  const toFirst = toGetter<Element | null>(Element.prototype, "firstElementChild");
  const { attachShadow, getAttribute, querySelectorAll, remove } = Element.prototype;
  const childrenOf: Record<number, () => HTMLCollection> = {
    1: toGetter<HTMLCollection>(Element.prototype, "children"),
    9: toGetter<HTMLCollection>(Document.prototype, "children"),
    11: toGetter<HTMLCollection>(DocumentFragment.prototype, "children"),
  };
  const toAdded = toGetter<NodeList>(MutationRecord.prototype, "addedNodes");
  const collectionLength = toGetter<number>(HTMLCollection.prototype, "length");
  const listLength = toGetter<number>(NodeList.prototype, "length");
  const isScript = /^script$/i;
  const isRulesType = /speculationrules/i;
  const { exec } = RegExp.prototype;
  const { observe } = MutationObserver.prototype;
  const Observer = MutationObserver;
  const { has: hasWatched, add: addWatched } = WeakSet.prototype;
  const { has: hasNode, add: addNode } = Set.prototype;
  const Nodes = Set;
  const each = (list: ArrayLike<Node>, toLength: () => number, action: (node: Node) => void) => {
    const length = apply(toLength, list, []);
    // Read before the action, which may shorten a live list. Object.create may be the page's.
    const items = { __proto__: null } as unknown as Record<number, Node>;
    for (let i = 0; i < length; i++) items[i] = list[i] as Node;
    for (let i = 0; i < length; i++) action(items[i] as Node);
  };
  const matches = (pattern: RegExp, text: string) => apply(exec, pattern, [text]) !== null;
  const isRules = (node: Node) =>
    matches(isScript, apply(toName, node, [])) &&
    matches(isRulesType, apply(getAttribute, node as Element, ["type"]) ?? "");
  const clear = (node: Node): void => {
    if (apply(toType, node, []) !== 1) return;
    if (isRules(node)) {
      apply(remove, node as Element, []);
      return;
    }
    const shadow = apply(toShadow, node, []);
    if (shadow) watch(shadow);
    if (!apply(toFirst, node, [])) return;
    each(apply(querySelectorAll, node as Element, ["*"]), listLength, (element) => {
      if (isRules(element)) {
        apply(remove, element as Element, []);
        return;
      }
      const inner = apply(toShadow, element, []);
      if (inner) watch(inner);
    });
  };
  const watched = new WeakSet<Node>();
  const watch = (root: Node): void => {
    if (apply(hasWatched, watched, [root])) return;
    apply(addWatched, watched, [root]);
    each(apply(childrenOf[apply(toType, root, [])] as () => HTMLCollection, root, []), collectionLength, clear);
    const observer = new Observer((records) => {
      // Of the nodes that were added together, only the topmost ones: each of them is cleared with all of its descendants.
      const added = new Nodes<Node>();
      for (let i = 0; i < records.length; i++)
        each(apply(toAdded, records[i], []), listLength, (node) => void apply(addNode, added, [node]));
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
}
