import { type Document, Element } from "domhandler";
import { headOf } from "../parse/document";

const ARTICLE_TYPE = /"@type"\s*:\s*\[?\s*"[A-Za-z]*(?:Article|Posting)"/;

/** Whether the page says that it is an article: in Open Graph, or in JSON-LD. */
export function declaresArticle(document: Document): boolean {
  return headOf(document).children.some((node) => {
    if (!(node instanceof Element)) return false;
    if (node.name === "meta") return node.attribs.property === "og:type" && /article/i.test(node.attribs.content ?? "");
    return node.name === "script" && node.children.some((child) => "data" in child && ARTICLE_TYPE.test(child.data));
  });
}
