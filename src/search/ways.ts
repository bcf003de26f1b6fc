import { renderInBrowser } from "../browser/render-for-account";
import type { EngineName } from "../contract/serp";
import { toPositiveNumber } from "../lib/variables";
import { MAX_PAGE_BYTES_DEFAULT, SERP_APPEAR_MS } from "../model/limits";
import { egressPolicy } from "../net/egress";
import { type FetchOptions, fetchPage } from "../net/page";
import { parseProxies, proxyFor } from "../net/proxies";
import { Resolver } from "../net/resolver";
import { CLIENTS, cookiesOf, requestHeaders } from "./client";
import type { Answer, Engine, Query, ResultPage } from "./engine";
import { ENGINES } from "./engines";
import { bingRssUrl, readBingRss } from "./engines/bing-rss";
import { lightUrl } from "./engines/yandex";
import { acceptLanguage } from "./locale";
import { OriginMap } from "./origins";
import { trusted } from "./trust";

/** What a search is made in. */
export interface SearchContext {
  env: Env;
  /** Unique: names its renders, and its session at a proxy. */
  id: string;
  /** Whose search it is; null: the service's own. */
  accountId: string | null;
  /** Ours: never asked. */
  origin: string;
  signal: AbortSignal;
}

/** A page of results, and the status that it came with (null: from an API). */
export type Found = ResultPage & { status: number | null };

/** One way to ask an engine. */
export interface Way {
  /** As `meta.source` names it. */
  source: string;
  /** Pages count from 0; `next` is the address that the page before named. Throws AppError. */
  page(number: number, next: string | null): Promise<Found>;
}

/** The engine's own pages, the best way first. With a place, a way that can't take it is left out. */
export function directWays(context: SearchContext, engine: EngineName, query: Query): Way[] {
  const direct = new Direct(context, engine, query);
  if (engine === "google") return [direct.browser()];
  if (engine === "bing") return [direct.plain(), direct.browser(), direct.rss()];
  return query.place === null ? [direct.light(), direct.browser()] : [direct.browser()];
}

/** How an engine is reached, and under which addresses. */
export type Exit = FetchOptions & { origins: OriginMap };

/** Through the country's proxy where there is one, at the engine's own address or the operator's. */
export function exitOf({ env, id, origin, signal }: SearchContext, query: Query): Exit {
  const origins = new OriginMap(env);
  const country = query.place?.country.code;
  const allowed = [env.ALLOWED_PRIVATE_HOSTS, ...origins.hosts].filter(Boolean).join();
  return {
    origins,
    policy: egressPolicy(allowed, [env.PUBLIC_URL, origin]),
    resolver: new Resolver(env.DNS_RESOLVER),
    proxy: country === undefined ? null : proxyFor(parseProxies(env.PROXIES), country, id.replace(/[^\w]/g, "")),
    userAgent: CLIENTS[query.device].userAgent,
    maxBytes: toPositiveNumber(env.MAX_PAGE_BYTES, MAX_PAGE_BYTES_DEFAULT),
    beforeLarge: async () => {},
    anyStatus: true,
    signal,
  };
}

class Direct {
  readonly #context: SearchContext;
  readonly #name: EngineName;
  readonly #engine: Engine;
  readonly #query: Query;
  readonly #exit: Exit;
  #renders = 0;

  constructor(context: SearchContext, name: EngineName, query: Query) {
    this.#context = context;
    this.#name = name;
    this.#engine = ENGINES[name];
    this.#query = query;
    this.#exit = exitOf(context, query);
  }

  plain(): Way {
    const page: Way["page"] = (number, next) => this.#fetch(next ?? this.#engine.searchUrl(this.#query, number));
    return { source: "plain", page };
  }

  light(): Way {
    return { source: "light", page: (number) => this.#fetch(lightUrl(this.#query, number)) };
  }

  /** The feed doesn't say whether there is more: as long as something new comes, there may be. */
  rss(): Way {
    const page: Way["page"] = async (number) => {
      const found = await this.#fetch(bingRssUrl(this.#query, number), readBingRss);
      return found.kind === "results" ? { ...found, next: bingRssUrl(this.#query, number + 1) } : found;
    };
    return { source: "rss", page };
  }

  browser(): Way {
    const page: Way["page"] = (number, next) => {
      const isLinked = this.#name === "bing" && next !== null;
      return this.#render(isLinked ? next : this.#engine.searchUrl(this.#query, number));
    };
    return { source: "browser", page };
  }

  async #fetch(url: string, read = this.#engine.readPage): Promise<Found> {
    const { origins, ...exit } = this.#exit;
    const headers = requestHeaders(this.#name, this.#query);
    const page = await fetchPage(origins.toAsked(url), { ...exit, headers });
    // Whatever their headers say, the engines' pages are UTF-8.
    return this.#read({ ...page, html: new TextDecoder().decode(page.body) }, url, read);
  }

  async #render(url: string): Promise<Found> {
    const { env, id, accountId, origin, signal } = this.#context;
    const { origins, proxy, maxBytes, policy } = this.#exit;
    const { userAgent, viewport, isMobile } = CLIENTS[this.#query.device];
    const request = {
      id: `${id}.${this.#renders++}`,
      url: origins.toAsked(url),
      waitFor: null,
      screenshot: false,
      maxHtmlBytes: maxBytes,
      allowedPrivateHosts: [...policy.allowed].join(),
      ownOrigins: [env.PUBLIC_URL, origin],
      proxy,
      visit: {
        userAgent,
        viewport,
        isMobile,
        acceptLanguage: acceptLanguage(this.#query),
        cookies: toCookies(cookiesOf(this.#name, this.#query)),
        until: { selector: this.#engine.readySelector, forMs: SERP_APPEAR_MS },
      },
    };
    const page = await renderInBrowser(env, accountId, request, signal);
    const headers = new Map(Object.entries(page.headers));
    return this.#read({ ...page, headers }, url, this.#engine.readPage);
  }

  /** What a page says, as far as where and how it came allow that. `asked` is the engine's own address of it. */
  #read(
    { url, status, headers, html }: Required<Answer> & { url: string; html: string },
    asked: string,
    read: Engine["readPage"],
  ): Found {
    const at = this.#exit.origins.toCanonical(url, asked);
    const found = read(html, at, { status, headers });
    return { ...trusted(this.#name, found, { url: at, status, html }), status };
  }
}

function toCookies(header: string): { name: string; value: string }[] {
  return header
    .split("; ")
    .filter(Boolean)
    .map((pair) => {
      const at = pair.indexOf("=");
      return { name: pair.slice(0, at), value: pair.slice(at + 1) };
    });
}
