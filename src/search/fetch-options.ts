import type { RenderingAccount } from "../browser/render-client";
import { toPositiveNumber } from "../lib/env";
import { ENGINE_NAMES, type OriginVariable, toOriginVariable } from "../model/engine";
import { MAX_PAGE_BYTES_DEFAULT } from "../model/page-limits";
import { readChoice } from "../model/variables";
import { parseEgressPolicy } from "../net/egress";
import type { FetchOptions } from "../net/page";
import { chooseProxy, parseProxies } from "../net/proxy-config";
import { Resolver } from "../net/resolver";
import { BROWSER_PROFILES } from "./engines/browser-profile";
import { ENGINES } from "./engines/engines";
import type { SearchQuery } from "./results/result-page";

/** The bindings, identity and abort signal of one search. */
export interface SearchContext {
  env: Env;
  /** A unique id. It is part of the ids of the search's renders, and it is the name of the search's proxy session. */
  id: string;
  /** The account that searches, or null for the service's own searches. */
  account: RenderingAccount | null;
  /** The origin of this service. The egress policy refuses requests to it. */
  origin: string;
  signal: AbortSignal;
}

/** The options for requests to an engine. `overrides` replaces the engine's origin. */
export type SearchFetchOptions = FetchOptions & { overrides: OriginOverrides };

/** Returns the options for requests to an engine: the proxy of the query's country, and configured origins. */
export function toFetchOptions({ env, id, origin, signal }: SearchContext, query: SearchQuery): SearchFetchOptions {
  const overrides = new OriginOverrides(env);
  const country = query.place?.country.code;
  const allowed = [env.ALLOWED_PRIVATE_HOSTS, ...overrides.hosts].filter(Boolean).join();
  return {
    overrides,
    policy: parseEgressPolicy(allowed, [env.PUBLIC_URL, origin]),
    resolver: new Resolver(env.DNS_RESOLVER),
    via: readChoice(env, "FETCH_VIA") ?? "fetch",
    proxy: country === undefined ? null : chooseProxy(parseProxies(env.PROXIES), country, id.replace(/[^\w]/g, "")),
    userAgent: BROWSER_PROFILES[query.device].userAgent,
    maxBytes: toPositiveNumber(env.MAX_PAGE_BYTES, MAX_PAGE_BYTES_DEFAULT),
    anyStatus: true,
    signal,
  };
}

/**
 * Sends requests to the origins that the operator configured, such as a gateway, instead of the engines' origins. A
 * page from a configured origin is read as if it came from the engine.
 */
export class OriginOverrides {
  readonly #overrides: readonly { origin: URL; engineHosts: RegExp }[];

  /** Throws an Error that names the variable whose value is not an origin. */
  constructor(env: Pick<Env, OriginVariable>) {
    this.#overrides = ENGINE_NAMES.flatMap((name) => {
      const originVariable = toOriginVariable(name);
      const text = (env[originVariable] ?? "").trim();
      if (text === "") return [];
      const origin = URL.parse(text);
      if (origin === null || !/^https?:$/.test(origin.protocol) || origin.pathname !== "/")
        throw new Error(
          `${originVariable}: "${text}" is not a valid origin. Use a form like https://gateway.example.com.`,
        );
      return [{ origin, engineHosts: ENGINES[name].hosts }];
    });
  }

  /** The configured hosts as `host:port`, like ALLOWED_PRIVATE_HOSTS. The egress policy allows them. */
  get hosts(): string[] {
    return this.#overrides.map(({ origin }) => {
      const port = origin.port || (origin.protocol === "https:" ? "443" : "80");
      return `${origin.hostname}:${port}`;
    });
  }

  /** Replaces the origin of an engine's URL with the configured one, if there is one. */
  toRequested(url: string): string {
    const { hostname, pathname, search } = new URL(url);
    const origin = this.#overrides.find(({ engineHosts }) => engineHosts.test(hostname))?.origin;
    return origin === undefined ? url : origin.origin + pathname + search;
  }

  /** Converts a requested or redirected URL back to the engine's own. `canonical` is the request's first URL. */
  toCanonical(url: string, canonical: string): string {
    const requested = new URL(url);
    const isOverride = this.#overrides.some(({ origin }) => origin.origin === requested.origin);
    return isOverride ? new URL(canonical).origin + requested.pathname + requested.search : url;
  }
}
