// The sites that tests crawl. They record their requests. Each site has a separate robots.txt. The first part of each
// path is an id that is unique to a test.
import { createServer, type ServerResponse } from "node:http";
import { listen } from "./loopback.ts";
import { sendHtml, sendJson } from "./responses.ts";

export interface CrawlOrigins {
  /** A site without a robots.txt. */
  open: string;
  /** A site whose robots.txt has rules and a sitemap. */
  ruled: string;
  /** A site whose robots.txt allows nothing. */
  closed: string;
  /** A site whose robots.txt responds with status 503. */
  failing: string;
  /** A site whose robots.txt redirects to the robots.txt of `ruled`. */
  moved: string;
  /** A site that redirects every request to `ruled`. */
  renamed: string;
  /** A site whose robots.txt redirects to itself. */
  looping: string;
  /** A site whose robots.txt has an endless body. */
  endless: string;
  /** A site whose robots.txt requires 10 minutes between two pages. */
  paced: string;
  /** A site whose robots.txt refuses that an AI is trained with its pages. */
  signaling: string;
}

export interface CrawlVisits {
  /** The paths after the id, in the order of the requests. */
  paths: string[];
  /** The highest number of concurrent requests. */
  concurrency: number;
}

/** The time for which the server delays the response of each page, so that concurrent requests overlap. */
const PAGE_MS = 20;
const TREE_PAGES = 40;

type RobotsSite = { response: ServerResponse; origin: string; ruled: string };

const ROBOTS: Record<keyof CrawlOrigins, (site: RobotsSite) => unknown> = {
  open: ({ response }) => sendText(response, null),
  ruled: ({ response, origin }) =>
    sendText(response, `User-agent: *\nDisallow: /*/private/\nSitemap: ${origin}/sitemap.xml\n`),
  closed: ({ response }) => sendText(response, "User-agent: *\nDisallow: /\n"),
  failing: ({ response }) => response.writeHead(503).end("busy"),
  moved: ({ response, ruled }) => response.writeHead(301, { location: `${ruled}/robots.txt` }).end(),
  renamed: ({ response, ruled }) => response.writeHead(301, { location: `${ruled}/robots.txt` }).end(),
  looping: ({ response }) => response.writeHead(302, { location: "/robots.txt" }).end(),
  endless: ({ response }) => response.writeHead(200, { "content-type": "text/plain" }).write("User-agent: *\n"),
  paced: ({ response }) => sendText(response, "User-agent: *\nCrawl-delay: 600\n"),
  signaling: ({ response }) =>
    sendText(response, "User-agent: *\nContent-Signal: search=yes, ai-train=no\nDisallow: /private/\n"),
};

export async function startCrawlSites(): Promise<{ origins: CrawlOrigins; hosts: string[]; close: () => void }> {
  const ruled = await startSite("ruled", "");
  const others = (Object.keys(ROBOTS) as (keyof CrawlOrigins)[]).filter((name) => name !== "ruled");
  const sites = await Promise.all(others.map(async (name) => [name, await startSite(name, ruled.origin)] as const));
  const all = [["ruled", ruled] as const, ...sites];
  return {
    origins: Object.fromEntries(all.map(([name, { origin }]) => [name, origin])) as unknown as CrawlOrigins,
    hosts: all.map(([, { origin }]) => new URL(origin).host),
    close: () => {
      for (const [, site] of all) site.close();
    },
  };
}

async function startSite(name: keyof CrawlOrigins, ruled: string) {
  const visits = new Map<string, CrawlVisits & { running: number }>();
  /** The functions that send the delayed responses, by id. */
  const held = new Map<string, (() => void)[]>();
  let origin = "";
  const server = await listen(
    createServer((request, response) => {
      const { pathname, search, searchParams } = new URL(request.url ?? "/", origin);
      if (pathname === "/robots.txt") return ROBOTS[name]({ response, origin, ruled });
      if (name === "renamed") return response.writeHead(301, { location: `${ruled}${request.url}` }).end();
      if (pathname === "/sitemap.xml")
        return sendText(response, name === "ruled" ? toSitemap(origin, [...visits.keys()]) : null);
      if (pathname === "/__visits") return sendJson(response, visits.get(searchParams.get("id") ?? "") ?? null);
      if (pathname === "/__release") {
        const id = searchParams.get("id") ?? "";
        for (const send of held.get(id) ?? []) send();
        return sendJson(response, held.delete(id));
      }
      const [, id = "", ...rest] = pathname.split("/");
      const path = rest.join("/") + search;
      const record = visits.get(id) ?? { paths: [], concurrency: 0, running: 0 };
      visits.set(id, record);
      record.paths.push(path);
      record.concurrency = Math.max(record.concurrency, ++record.running);
      response.once("close", () => record.running--);
      const earlier = record.paths.filter((other) => other === path).length - 1;
      const send = () => respond(response, { base: `/${id}`, path, earlier });
      if (rest[0] !== "held" && rest[0] !== "pair") return setTimeout(send, PAGE_MS);
      const waiting = [...(held.get(id) ?? []), send];
      held.set(id, waiting);
      // The server answers the two pages of a pair when it has received both requests.
      if (rest[0] === "pair" && waiting.length === 2) for (const sendOne of waiting) sendOne();
    }),
  );
  origin = server.origin;
  return server;
}

interface Visited {
  base: string;
  path: string;
  /** The number of earlier requests with this path. */
  earlier: number;
}

function respond(response: ServerResponse, { base, path, earlier }: Visited): unknown {
  const [kind = "", ...rest] = path.split(/[/?]/);
  const link = (to: string) => `<a href="${base}/${to}">${to}</a>`;
  const page = (title: string, ...links: string[]) =>
    sendHtml(response, `<title>${title}</title><h1>${title}</h1><p>${toText(title)}</p>${links.join(" ")}`);
  const number = Number(rest[0]);
  switch (kind) {
    case "tree": {
      const children = [2 * number, 2 * number + 1]
        .filter((child) => child <= TREE_PAGES)
        .map((child) => `tree/${child}`);
      const noise = ["tree/1#top", "tree/1?utm_source=test", `tree/${number}?fbclid=${number}`, "picture.png"];
      return page(
        `Tree ${number}`,
        ...children.map(link),
        ...noise.map(link),
        '<a href="https://elsewhere.example/">x</a>',
      );
    }
    case "hub":
      return page(
        "Hub",
        ...decodeURIComponent(rest[0] ?? "")
          .split(",")
          .map(link),
      );
    case "ring":
      // The path can contain the kinds of the redirects.
      return page(
        "Ring",
        ...(rest[0] ?? "to")
          .split("-")
          .map((by) => link(`${by}/${by === "to" ? "ring" : encodeURIComponent(`${base}/${path}`)}`)),
      );
    case "members":
      return page("Members", link("leaf/1"), link("logout"), link("end"), `<a href="${base}/leave">Log out</a>`);
    case "same":
      return page("Same", link("below-same"));
    case "declared":
      return sendHtml(
        response,
        `<title>Declared ${number}</title><link rel="canonical" href="${base}/leaf/1"><p>${toText(path)}</p>`,
      );
    case "archive":
      // Each page of the list declares the first page as its canonical URL.
      return sendHtml(
        response,
        `<title>Archive ${number}</title><link rel="canonical" href="${base}/archive/1"><p>${toText(path)}</p>
        ${link(`leaf/of-${rest[0]}`)} ${number < 4 ? link(`archive/${number + 1}`) : ""}`,
      );
    case "index":
      return page(path, ...Array.from({ length: 8_000 }, (_, i) => link(`leaf/${i}`)));
    case "unfollowed-by-header":
      response.setHeader("x-robots-tag", "noindex, nofollow");
      return page(path, link("leaf/1"));
    case "refusing":
      response.setHeader("content-signal", "search=yes, ai-input=no");
      return page(path, link("leaf/1"));
    case "end":
      return response.writeHead(302, { location: `${base}/logout` }).end();
    case "to":
      return response.writeHead(302, { location: `${base}/${rest.join("/")}` }).end();
    case "refresh":
      return sendHtml(response, `<meta http-equiv="refresh" content="0; url=${decodeURIComponent(rest[0] ?? "")}">`);
    case "script":
      return sendHtml(
        response,
        `<script>location.replace(${JSON.stringify(decodeURIComponent(rest[0] ?? ""))})</script>`,
      );
    case "away":
      return response.writeHead(302, { location: decodeURIComponent(rest[0] ?? "") }).end();
    case "blob": {
      const source = JSON.stringify(`<title>Blob</title><p>${toText(path)}</p>`).replaceAll("</", "<\\/");
      const script = `location = URL.createObjectURL(new Blob([${source}], { type: "text/html" }));`;
      return sendHtml(response, `<title>Opens</title><p>${toText(path)}</p><script>${script}</script>`);
    }
    case "loop":
      return page(path, '<a href="loop/">again</a>');
    case "calendar": {
      const [year = 0, month = 0] = rest.map(Number);
      const next = month === 12 ? `${year + 1}/1` : `${year}/${month + 1}`;
      return page(path, link(`calendar/${next}`));
    }
    case "refuses":
      // The path contains a status and a Retry-After.
      return response.writeHead(number, { "retry-after": decodeURIComponent(rest[1] ?? "") }).end("busy");
    case "busy":
      if (earlier < 3) return response.writeHead(429, { "retry-after": "0" }).end("busy");
      return page(path);
    case "guestbook":
      return page(path, `<a rel="nofollow" href="${base}/unfollowed">Guest</a>`, link("followed"));
    case "missing":
      return response.writeHead(404).end("missing");
    default:
      return page(path);
  }
}

/** Returns a text that is different for each page. */
function toText(seed: string): string {
  return Array.from({ length: 40 }, (_, i) => `${seed} has the sentence ${i}.`).join(" ");
}

function toSitemap(origin: string, ids: string[]): string {
  const urls = ids.map((id) => `<url><loc>${origin}/${id}/listed</loc></url>`).join("");
  return `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls}</urlset>`;
}

function sendText(response: ServerResponse, text: string | null): void {
  response.writeHead(text === null ? 404 : 200, { "content-type": "text/plain" }).end(text ?? "missing");
}
