import { ANY_GOOGLE, BING, YANDEX } from "./hosts";

type Variables = Pick<Env, "SERP_GOOGLE_ORIGIN" | "SERP_BING_ORIGIN" | "SERP_YANDEX_ORIGIN">;

const HOSTS: readonly [keyof Variables, RegExp][] = [
  ["SERP_GOOGLE_ORIGIN", ANY_GOOGLE],
  ["SERP_BING_ORIGIN", BING],
  ["SERP_YANDEX_ORIGIN", YANDEX],
];

/** Gateways and tests stand for an engine under an origin of their own; its pages are read as if they were the engine's. */
export class OriginMap {
  readonly #origins: readonly { origin: URL; engine: RegExp }[];

  /** Throws an Error that names the variable that isn't an origin. */
  constructor(env: Variables) {
    this.#origins = HOSTS.flatMap(([variable, engine]) => {
      const text = (env[variable] ?? "").trim();
      if (text === "") return [];
      const origin = URL.parse(text);
      if (origin === null || !/^https?:$/.test(origin.protocol) || origin.pathname !== "/")
        throw new Error(`${variable}: "${text}" is not an origin, like https://gateway.example.com.`);
      return [{ origin, engine }];
    });
  }

  /** As ALLOWED_PRIVATE_HOSTS writes them: what the operator configured may be asked. */
  get hosts(): string[] {
    return this.#origins.map(({ origin }) => {
      const port = origin.port || (origin.protocol === "https:" ? "443" : "80");
      return `${origin.hostname}:${port}`;
    });
  }

  /** The address to ask for an engine's own. */
  toAsked(url: string): string {
    const asked = new URL(url);
    const origin = this.#origins.find(({ engine }) => engine.test(asked.hostname))?.origin;
    return origin === undefined ? url : origin.origin + asked.pathname + asked.search;
  }

  /** The engine's own address for one that was asked, or led to; `canonical` is what was asked for in the beginning. */
  toCanonical(url: string, canonical: string): string {
    const asked = new URL(url);
    const isStandIn = this.#origins.some(({ origin }) => origin.origin === asked.origin);
    return isStandIn ? new URL(canonical).origin + asked.pathname + asked.search : url;
  }
}
