import { accepts } from "hono/accepts";
import { cors } from "hono/cors";
import { ERROR_REFERENCE_PATH } from "../../contract/error-codes";
import { createRouter, originOf } from "../../http/router";
import { toPrices } from "../../model/prices";
import { errorReferencePage } from "./error-reference";
import { SUMMARY, TITLE } from "./guide";
import { toLlmsText } from "./llms-text";
import { toOpenApiDocument } from "./openapi-document";
import { frontPage, LINKS, REFERENCE_POLICY, referencePage, STATIC_POLICY } from "./pages";
import { cacheStatus } from "./status-routes";

/** The public pages, which don't require a key: front page, API and error reference, OpenAPI document and llms.txt. */
export const docs = createRouter();

const CACHE_CONTROL = "public, max-age=300";

docs.get("/openapi.json", cors({ origin: "*" }), (c) =>
  c.json({ ...toOpenApiDocument(toPrices(c.env)), servers: [{ url: originOf(c) }] }, 200, {
    "Cache-Control": CACHE_CONTROL,
  }),
);

docs.get("/llms.txt", cors({ origin: "*" }), (c) => {
  const prices = toPrices(c.env);
  const text = toLlmsText(toOpenApiDocument(prices), { prices, origin: originOf(c) });
  return c.text(text, 200, { "Cache-Control": CACHE_CONTROL });
});

docs.get("/status.json", cors({ origin: "*" }), async (c) => await cacheStatus(c, "json"));

docs.get("/status", async (c) => {
  c.header("Vary", "Accept");
  const type = accepts(c, { header: "Accept", supports: ["text/html", "application/json"], default: "text/html" });
  return await cacheStatus(c, type === "application/json" ? "json" : "html");
});

docs.get("/docs", (c) => {
  c.header("Content-Security-Policy", REFERENCE_POLICY);
  return c.html(referencePage());
});

docs.get(ERROR_REFERENCE_PATH, (c) => {
  c.header("Content-Security-Policy", STATIC_POLICY);
  c.header("Cache-Control", CACHE_CONTROL);
  return c.html(errorReferencePage());
});

// Browsers and programs request this path without a link to it.
docs.get("/favicon.ico", (c) => c.redirect("/favicon.svg", 301));

docs.get("/", (c) => {
  c.header("Vary", "Accept");
  const type = accepts(c, {
    header: "Accept",
    supports: ["application/json", "text/html"],
    default: "application/json",
  });
  if (type === "text/html") {
    c.header("Content-Security-Policy", STATIC_POLICY);
    return c.html(frontPage(c.env));
  }
  const origin = originOf(c);
  const links = Object.fromEntries(LINKS.map(({ name, path }) => [name, `${origin}${path}`]));
  return c.json({ success: true, data: { name: TITLE, description: SUMMARY, links } }, 200);
});
