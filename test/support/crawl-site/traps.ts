// The traps of the crawl site. The first segment of the path selects the trap.
import { createHash } from "node:crypto";
import type { OutgoingHttpHeaders } from "node:http";
import { link, list, toDocument } from "./html.ts";

/** A response of the site. */
export interface Reply {
  status: number;
  headers?: OutgoingHttpHeaders;
  body?: string | Buffer;
}

export interface TrapRequest {
  url: URL;
  /** The segments of the path after the trap's name. */
  rest: string[];
  /** The origin of another site. */
  otherOrigin: string;
  /** Returns the document of a real page, or null if no real page has this path. */
  toReal: (path: string, options: { toHref: (path: string) => string; head?: string }) => string | null;
}

type Trap = (request: TrapRequest) => Reply;

const NOT_FOUND: Reply = { status: 404, ...html(toDocument({ title: "Not found", main: "<p>Not found.</p>" })) };

/** The names of the traps that robots.txt forbids. A crawl that respects robots.txt must not request them. */
export const FORBIDDEN = ["private", "search"];

/** The endless traps. Each of their pages links to pages to which no other page links. */
export const ENDLESS = ["calendar", "filter", "loop", "session"];

export const TRAPS: Readonly<Record<string, Trap>> = {
  calendar,
  filter,
  loop,
  session,
  go: ({ rest }) => redirect(301, `/${rest.join("/")}`),
  print: ({ rest, toReal }) => {
    const path = `/${rest.join("/")}`;
    const text = toReal(path, { toHref: (href) => href, head: `<link rel="canonical" href="${path}">` });
    return text === null ? NOT_FOUND : ok(text);
  },
  redirect: redirects,
  missing: () => NOT_FOUND,
  broken: () => ({ status: 500, ...html(toDocument({ title: "Error", main: "<p>The database is down.</p>" })) }),
  closed: () => ({ status: 503, ...html(toDocument({ title: "Closed", main: "<p>The shop is closed.</p>" })) }),
  nofollow: ({ rest: [n = "0"] }) => {
    const next = link(`/nofollow/${Number(n) + 1}`, "Next", ' rel="nofollow"');
    return ok(toDocument({ title: `Guest book ${n}`, main: `<p>Entry ${n} of the guest book.</p>${next}` }));
  },
  unlinked: () =>
    ok(
      toDocument({
        title: "Partners",
        head: '<meta name="robots" content="nofollow">',
        main: `<p>The shop doesn't check these links.</p>${link("/nofollow/900")}`,
      }),
    ),
  files: ({ rest: [name = ""] }) => ({
    status: 200,
    headers: { "content-type": name.endsWith(".png") ? "image/png" : "application/zip" },
    body: Buffer.from(`The file ${name}`),
  }),
  private: ({ url }) => ok(toDocument({ title: `Private ${url.pathname}`, main: "<p>Only the staff reads this.</p>" })),
  search: ({ url }) => ok(toDocument({ title: "Search", main: `<p>No results for ${url.searchParams.get("q")}.</p>` })),
};

/** The links to all traps. */
export const ENTRIES = [
  "/calendar/2026/11",
  "/filter?color=red",
  "/loop/",
  "/session/start/",
  "/?sid=start",
  "/redirect/permanent",
  "/redirect/temporary",
  "/redirect/refresh",
  "/redirect/chain/4",
  "/redirect/loop/a",
  "/redirect/grow?n=1",
  "/redirect/private",
  "/redirect/outside",
  ...Array.from({ length: 20 }, (_, n) => `/missing/${n}`),
  ...Array.from({ length: 5 }, (_, n) => `/broken/${n}`),
  ...Array.from({ length: 2 }, (_, n) => `/closed/${n}`),
  "/unlinked",
  "/files/catalog.zip",
  "/files/harbor.png",
  "/private/orders",
  "/search?q=lantern",
];

/** Links of the home page that lead to no page. The fourth and the fifth URL aren't valid. */
export const DEAD_LINKS = [
  "mailto:harbor@shop.example",
  "tel:+4912345",
  "javascript:void(0)",
  "http://[",
  "https://shop.example:99999/",
  "data:text/html,<p>Hello</p>",
  `/${"long/".repeat(1_000)}`,
];

/** Returns the page of a month, with links to the previous and the next month. There is no first and no last month. */
function calendar({ rest }: TrapRequest): Reply {
  const [year = 0, month = 0] = rest.map(Number);
  if (!Number.isInteger(year) || !Number.isInteger(month)) return NOT_FOUND;
  const toPath = (months: number) => {
    const index = year * 12 + month - 1 + months;
    return `/calendar/${Math.floor(index / 12)}/${(index % 12) + 1}`;
  };
  const main = `<p>In month ${month} of ${year}, the harbor has no events.</p>`;
  return ok(toDocument({ title: `Events ${year}-${month}`, main, footer: list([link(toPath(-1)), link(toPath(1))]) }));
}

/** Returns a list of products with links that add filters to the query. */
function filter({ url }: TrapRequest): Reply {
  const names = ["color", "size", "sort", "price", "brand", "page"];
  const links = names.flatMap((name) =>
    [1, 2, 3].map((value) => {
      const query = new URLSearchParams(url.search);
      query.set(name, `${query.get(name) ?? ""}${value}`);
      return link(`/filter?${query}`);
    }),
  );
  const main = `<p>These products match ${[...url.searchParams].map((pair) => pair.join(" is ")).join(" and ")}.</p>`;
  return ok(toDocument({ title: "Filtered products", main: `${main}${list(links)}` }));
}

/** Returns a page whose relative links add a segment to the path. */
function loop({ url }: TrapRequest): Reply {
  const main = `<p>You are here: ${url.pathname.split("/").join(" › ")}</p>`;
  return ok(toDocument({ title: "Archive", main: `${main}${list([link("a/"), link("b/"), link("./a/b/")])}` }));
}

/** Returns a copy of a real page. The session id in its URL differs from the ids in its links. */
function session({ rest: [id = "", ...rest], toReal }: TrapRequest): Reply {
  const toHref = (path: string) => `/session/${nextSession(id, path)}${path}`;
  const text = toReal(`/${rest.join("/")}`, { toHref });
  return text === null ? NOT_FOUND : ok(text);
}

/** Returns the session id in a link to this path. The same link always has the same id. */
export function nextSession(id: string, path: string): string {
  return createHash("sha256").update(`${id} ${path}`).digest("hex").slice(0, 16);
}

function redirects({ url, rest: [kind = "", step = ""], otherOrigin }: TrapRequest): Reply {
  switch (kind) {
    case "permanent":
      return redirect(301, "/boats/");
    case "temporary":
      return redirect(302, "/sails/");
    case "refresh":
      return ok('<!doctype html><title>Moved</title><meta http-equiv="refresh" content="0; url=/ropes/">');
    case "chain":
      return redirect(302, step === "1" ? "/lamps/" : `/redirect/chain/${Number(step) - 1}`);
    case "loop":
      return redirect(302, step === "a" ? "/redirect/loop/b" : "/redirect/loop/a");
    case "grow":
      return redirect(302, `/redirect/grow?n=${Number(url.searchParams.get("n")) + 1}`);
    case "private":
      return redirect(302, "/private/redirected");
    case "outside":
      return redirect(302, `${otherOrigin}/outside`);
    default:
      return NOT_FOUND;
  }
}

function redirect(status: number, location: string): Reply {
  return { status, headers: { location } };
}

function ok(text: string): Reply {
  return { status: 200, ...html(text) };
}

function html(body: string): Omit<Reply, "status"> {
  return { headers: { "content-type": "text/html; charset=utf-8" }, body };
}
