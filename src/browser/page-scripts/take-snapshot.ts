import { toGetter } from "./shared/natives";
import type { PageScripts } from "./shared/script-types";

/**
 * Returns one line of JSON with the first meta refresh in the head (or an empty line), followed by the page's markup.
 * The markup isn't encoded as JSON, because it is large. Returns null if the markup is longer than `maxChars`.
 */
export const takeSnapshot: PageScripts["takeSnapshot"] = (maxChars) => createSnapshot()(maxChars);

/** Creates `takeSnapshot` with saved natives, because a page may change the prototypes later. */
export function createSnapshot(): PageScripts["takeSnapshot"] {
  const { apply } = Reflect;
  const toJson = JSON.stringify;
  const toRoot = toGetter<Element | null>(Document.prototype, "documentElement");
  const toHead = toGetter<HTMLHeadElement | null>(Document.prototype, "head");
  const toDoctype = toGetter<DocumentType | null>(Document.prototype, "doctype");
  const toBase = toGetter<string>(Node.prototype, "baseURI");
  const toHtml = toGetter<string>(Element.prototype, "outerHTML");
  const { querySelector, getAttribute } = Element.prototype;
  const { serializeToString } = XMLSerializer.prototype;
  const serializer = new XMLSerializer();
  const toRefresh = (head: HTMLHeadElement | null): string => {
    const meta = head && apply(querySelector, head, ['meta[http-equiv="refresh" i][content]']);
    if (!meta) return "";
    return toJson({
      __proto__: null,
      content: apply(getAttribute, meta, ["content"]),
      base: apply(toBase, document, []),
      url: location.href,
    });
  };
  return (maxChars) => {
    const root = apply(toRoot, document, []);
    const doctype = apply(toDoctype, document, []);
    const html =
      (doctype ? `${apply(serializeToString, serializer, [doctype])}\n` : "") + (root ? apply(toHtml, root, []) : "");
    return html.length > maxChars ? null : `${toRefresh(apply(toHead, document, []))}\n${html}`;
  };
}
