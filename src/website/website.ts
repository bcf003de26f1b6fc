import { accepts } from "hono/accepts";
import { cors } from "hono/cors";
import { ERROR_REFERENCE_PATH } from "../contract/error-codes";
import { createRouter, originOf } from "../http/router";
import { toBrand } from "../model/operator";
import { toPrices } from "../model/prices";
import { toColorSheet } from "./colors";
import { docs, listPages } from "./docs";
import { ErrorReference } from "./error-reference";
import { SUMMARY } from "./guide";
import { home, LINKS } from "./home";
import { CACHE_CONTROL, respondWithPage } from "./layout";
import { toLlmsText } from "./llms";
import { toOpenApiDocument } from "./openapi-document";
import { respondWithStatus } from "./status-page";

/** The public pages, which don't require a key: home page, references, status, OpenAPI document and llms.txt. */
export const website = createRouter();

website.get("/openapi.json", cors({ origin: "*" }), (c) =>
  c.json({ ...toOpenApiDocument(toPrices(c.env)), servers: [{ url: originOf(c) }] }, 200, {
    "Cache-Control": CACHE_CONTROL,
  }),
);

website.get("/llms.txt", cors({ origin: "*" }), async (c) => {
  const prices = toPrices(c.env);
  const pages = await listPages(c.env);
  const text = toLlmsText(toOpenApiDocument(prices), { prices, pages, origin: originOf(c) });
  return c.text(text, 200, { "Cache-Control": CACHE_CONTROL });
});

website.get("/status.json", cors({ origin: "*" }), async (c) => await respondWithStatus(c, "json"));

website.get("/status", async (c) => {
  c.header("Vary", "Accept");
  const type = accepts(c, { header: "Accept", supports: ["text/html", "application/json"], default: "text/html" });
  return await respondWithStatus(c, type === "application/json" ? "json" : "html");
});

website.get(ERROR_REFERENCE_PATH, (c) =>
  respondWithPage(c, {
    title: "Errors",
    description: "The meaning of each error code, and what to do.",
    path: ERROR_REFERENCE_PATH,
    children: ErrorReference(),
  }),
);

website.get("/colors.css", (c) => {
  c.header("Content-Type", "text/css; charset=utf-8");
  c.header("Cache-Control", CACHE_CONTROL);
  const { color } = toBrand(c.env);
  return c.body(color === null ? "" : toColorSheet(color));
});

// Browsers and programs request this path without a link to it.
website.get("/favicon.ico", (c) => c.redirect("/favicon.svg", 301));

website.get("/", (c) => {
  c.header("Vary", "Accept");
  const type = accepts(c, {
    header: "Accept",
    supports: ["application/json", "text/html"],
    default: "application/json",
  });
  if (type === "text/html") return respondWithPage(c, home(c.env));
  const origin = originOf(c);
  const links = Object.fromEntries(LINKS.map(({ name, path }) => [name, `${origin}${path}`]));
  return c.json({ success: true, data: { name: toBrand(c.env).name, description: SUMMARY, links } }, 200);
});

// Handles every other path under /docs, so it is after the routes above.
website.route("/", docs);
