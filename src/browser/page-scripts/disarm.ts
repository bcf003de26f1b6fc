import { toGetter } from "./shared/natives";
import type { PageScripts } from "./shared/script-types";

/** A global scope whose properties can be replaced. */
type Scope = Record<string, unknown>;

/**
 * Removes browser features whose requests bypass interception: WebSocket, WebTransport, WebRTC, speculation rules and
 * federated sign-in (all tested). Runs in every frame and worker before the page's own scripts. To the page, the
 * features fail as if the network were broken. This is the second line of defense behind the filtering proxy, or the
 * first one if there is no proxy. It can't reach into a closed declarative shadow root.
 */
export const disarm: PageScripts["disarm"] = () => {
  const scope = globalThis as unknown as Scope;
  const inDocument = typeof document !== "undefined";
  // In documents, the property must be writable, because libraries that patch globals (zone.js) assign to it. In
  // workers, the property must be neither writable nor configurable. Otherwise its native value would come back.
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

/** Creates a replacement for WebSocket whose connections always fail. It has the members that pages use. */
function createWebSocketStub(): unknown {
  // Pages can read the name of the class, so it must be WebSocket.
  const Stub = class WebSocket extends EventTarget {
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
          // This is a method call, so that `this` is the socket in the handler.
          if (typeof this[name] === "function") this[name](event);
        }
      }, 0);
    }
    send() {}
    close() {}
  };
  for (const [i, name] of ["CONNECTING", "OPEN", "CLOSING", "CLOSED"].entries()) {
    for (const owner of [Stub, Stub.prototype]) (owner as unknown as Scope)[name] = i;
  }
  return Stub;
}

/**
 * Watches the document and its shadow roots, and removes speculation rules when they are added. All natives are saved
 * first, because a page may change the prototypes before it adds rules.
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
    // Copies the list first, because the action may shorten a live list. `__proto__: null` is used because the page may
    // have replaced Object.create.
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
      // Only clears the topmost added nodes, because `clear` includes their descendants.
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
