import { accepts } from "hono/accepts";
import { cors } from "hono/cors";
import { createRouter, originOf } from "../../http/router";
import { SUMMARY, TITLE } from "./guide";
import { toLlmsText } from "./llms-text";
import { readOpenApiDocument } from "./openapi-document";
import { FRONT_POLICY, frontPage, LINKS, REFERENCE_POLICY, referencePage } from "./pages";

/** The public pages, which don't require a key: front page, API reference, OpenAPI document and llms.txt. */
export const docs = createRouter();

const CACHE_CONTROL = "public, max-age=300";

docs.get("/openapi.json", cors({ origin: "*" }), (c) =>
  c.json({ ...readOpenApiDocument(), servers: [{ url: originOf(c) }] }, 200, { "Cache-Control": CACHE_CONTROL }),
);

docs.get("/llms.txt", cors({ origin: "*" }), (c) =>
  c.text(toLlmsText(readOpenApiDocument(), originOf(c)), 200, { "Cache-Control": CACHE_CONTROL }),
);

docs.get("/docs", (c) => {
  c.header("Content-Security-Policy", REFERENCE_POLICY);
  return c.html(referencePage());
});

docs.get("/", (c) => {
  c.header("Vary", "Accept");
  const type = accepts(c, {
    header: "Accept",
    supports: ["application/json", "text/html"],
    default: "application/json",
  });
  if (type === "text/html") {
    c.header("Content-Security-Policy", FRONT_POLICY);
    return c.html(frontPage());
  }
  const origin = originOf(c);
  const links = Object.fromEntries(LINKS.map(({ name, path }) => [name, `${origin}${path}`]));
  return c.json({ success: true, data: { name: TITLE, description: SUMMARY, links } }, 200);
});
