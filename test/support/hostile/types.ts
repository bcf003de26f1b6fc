import { pdfs } from "../pdfs.ts";
import { ARTICLE, WORDS } from "./article.ts";
import type { Behaviors } from "./visit.ts";

const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const contents: Record<string, string | Uint8Array> = {
  article: ARTICLE,
  text: `${WORDS}\n<b>as is</b>`,
  json: `{"words":${JSON.stringify(WORDS)}}`,
  xml: `<?xml version="1.0"?><tide><words>${WORDS}</words></tide>`,
  png: PNG,
  ...Object.fromEntries(Object.entries(pdfs).map(([kind, pdf]) => [`pdf-${kind}`, pdf])),
};

/** Serves the content that the query parameter `content` names, with the Content-Type in the parameter `type`. */
export const types: Behaviors = {
  type: ({ url, response }) => {
    const type = url.searchParams.get("type");
    response.writeHead(200, type === null ? {} : { "content-type": type });
    response.end(contents[url.searchParams.get("content") ?? "article"]);
  },
  attachment: ({ response }) =>
    void response
      .writeHead(200, { "content-type": "text/html", "content-disposition": "attachment; filename=tides.html" })
      .end(ARTICLE),
};
