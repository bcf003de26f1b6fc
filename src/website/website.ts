import { accepts } from "hono/accepts";
import { cors } from "hono/cors";
import { etag } from "hono/etag";
import { createRouter, originOf } from "../http/router";
import { toBrand } from "../model/operator";
import { toPrices } from "../model/prices";
import { respondWithDirectory } from "../net/bot-auth";
import { toColorSheet } from "./colors";
import { docs, listPages } from "./docs";
import { SUMMARY } from "./guide";
import { home } from "./home";
import { CACHE_CONTROL, LINKS, respondWithPage } from "./layout";
import { toLlmsText } from "./llms";
import { toOpenApiDocument } from "./openapi-document";
import { respondWithStatus } from "./status-page";

/** Returns the paths of the public pages, for the sitemap and for suggestions. */
export async function listPaths(env: Env): Promise<string[]> {
  const pages = await listPages(env).catch(() => []);
  const fixed = LINKS.map(({ path }) => path).filter((path) => !path.includes("."));
  return [...new Set(["/", ...fixed, ...pages.map(({ path }) => path)])];
}

/** The public pages, which don't require a key: home page, references, status, OpenAPI document and llms.txt. */
export const website = createRouter();

website.get("/openapi.json", cors({ origin: "*" }), (c) =>
  c.json({ ...toOpenApiDocument(c.env), servers: [{ url: originOf(c) }] }, 200, {
    "Cache-Control": CACHE_CONTROL,
  }),
);

website.get("/llms.txt", cors({ origin: "*" }), async (c) => {
  const [prices, pages] = [toPrices(c.env), await listPages(c.env)];
  const text = toLlmsText(toOpenApiDocument(c.env), { prices, pages, origin: originOf(c) });
  return c.text(text, 200, { "Cache-Control": CACHE_CONTROL });
});

website.get("/status.json", cors({ origin: "*" }), async (c) => await respondWithStatus(c, "json"));

website.get("/status", async (c) => {
  c.header("Vary", "Accept");
  const type = accepts(c, { header: "Accept", supports: ["text/html", "application/json"], default: "text/html" });
  return await respondWithStatus(c, type === "application/json" ? "json" : "html");
});

website.get("/robots.txt", (c) => {
  const lines = ["User-agent: *", "Disallow: /dashboard", "Disallow: /website/sample.html"];
  return c.text(`${[...lines, `Sitemap: ${originOf(c)}/sitemap.xml`].join("\n")}\n`, 200, {
    "Cache-Control": CACHE_CONTROL,
  });
});

website.get(
  "/.well-known/http-message-signatures-directory",
  async (c) => (await respondWithDirectory(c.env)) ?? c.notFound(),
);

website.get("/sitemap.xml", async (c) => {
  const urls = (await listPaths(c.env)).map((path) => `<url><loc>${originOf(c)}${path}</loc></url>`);
  const head = '<?xml version="1.0" encoding="UTF-8"?>';
  const body = `${head}<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls.join("")}</urlset>`;
  return c.body(body, 200, { "Content-Type": "application/xml; charset=utf-8", "Cache-Control": CACHE_CONTROL });
});

website.get("/colors.css", (c) => {
  c.header("Content-Type", "text/css; charset=utf-8");
  c.header("Cache-Control", CACHE_CONTROL);
  const { color } = toBrand(c.env);
  return c.body(color === null ? "" : toColorSheet(color));
});

// Browsers and programs request this path without a link to it.
website.get("/favicon.ico", (c) => c.redirect("/favicon.svg", 301));

website.get("/", etag(), (c) => {
  c.header("Vary", "Accept");
  const type = accepts(c, {
    header: "Accept",
    supports: ["application/json", "text/html"],
    default: "application/json",
  });
  if (type === "text/html") return respondWithPage(c, home(c.env, originOf(c)));
  const origin = originOf(c);
  const places = [{ name: "dashboard", path: "/dashboard" }, ...LINKS];
  const links = Object.fromEntries(places.map(({ name, path }) => [name, `${origin}${path}`]));
  return c.json({ success: true, data: { name: toBrand(c.env).name, description: SUMMARY, links } }, 200);
});

// Handles every other path under /docs, so it is after the routes above.
website.route("/", docs);
