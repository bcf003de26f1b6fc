import { invalidParameter } from "../../contract/invalid-request";
import type { PageFields } from "../../contract/scrape";
import { AppError } from "../../model/errors";
import type { ClaimedJob } from "../../model/job";
import { chooseProxy, type ProxyAddress, parseProxies } from "../../net/proxy-config";
import { suggestCountry } from "../../search/places/places";
import { COUNTRIES } from "../../search/places/tables";
import type { RequestContext } from "./definition";

/** The ISO codes of places without inhabitants. The table of countries doesn't contain them. */
const UNINHABITED = ["AQ", "BV", "GS", "HM"];

/** Throws AppError if the country doesn't exist, or if no proxy is configured for it. Test keys don't need a proxy. */
export function checkProxy({ env, mode }: RequestContext, country: string | undefined): void {
  if (country === undefined) return;
  if (!UNINHABITED.includes(country) && !COUNTRIES.some(({ code }) => code === country)) {
    const rule = "must be an ISO 3166-1 alpha-2 country code, such as TR, US or DE";
    throw invalidParameter("proxy_country", rule, { given: country, suggestion: suggestCountry(country) });
  }
  if (mode === "test") return;
  if (chooseProxy(parseProxies(env.PROXIES), country, "check") !== null) return;
  const message = `No proxy is configured for the country ${country}. Use another country, or omit 'proxy_country'.`;
  throw new AppError("proxy_unavailable", message, {
    status: 400,
    retryable: false,
    details: [{ path: "proxy_country", message }],
    hint: "Use another country, omit proxy_country, or ask the operator of this service to add a proxy for the country.",
  });
}

/** Returns the proxy for the country, or null. Its session has the job's id, so that the job uses one IP address. */
export function findProxy(env: Env, { proxy_country }: PageFields, job: Pick<ClaimedJob, "id">): ProxyAddress | null {
  if (proxy_country === undefined) return null;
  const proxy = chooseProxy(parseProxies(env.PROXIES), proxy_country, job.id.replaceAll("-", ""));
  if (proxy !== null) return proxy;
  // The proxy was removed after the job was created. The page is never fetched from another country instead.
  throw new AppError("proxy_unavailable", `The proxy for the country ${proxy_country} is no longer configured.`);
}
