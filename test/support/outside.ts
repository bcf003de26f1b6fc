// Starts the servers that stand in for the internet: websites, models, search engines, an email service, GitHub, a
// webhook receiver, proxies, and a host that the service must never contact.
import type { TestProject } from "vitest/node";
import { configuredHosts } from "../../scripts/egress/network.ts";
import { loadPolicy } from "../../scripts/egress/policy.ts";
import { serveSocksProxy } from "../../scripts/egress/socks-proxy.ts";
import { endBrowsers } from "../../scripts/processes.ts";
import { startAnalytics } from "./analytics.ts";
import { browsersOf, isOwnBrowser, signalBrowsers } from "./browser-processes.ts";
import { CERTIFICATE } from "./certificate.ts";
import { startCrawlSites } from "./crawl-sites.ts";
import { lookup, resolveName } from "./dns-names.ts";
import { startEmailService } from "./email-service.ts";
import { startEngines, toOriginVariables } from "./engines/server.ts";
import { startForbiddenHost } from "./forbidden.ts";
import { startGateway } from "./gateway.ts";
import { startGitHub } from "./github.ts";
import { startHostileSite } from "./hostile/server.ts";
import { startOutcomeTable } from "./hostile/table.ts";
import { startMappedSites } from "./mapped-sites.ts";
import { startModels } from "./models.ts";
import { startDiagnosis } from "./platform/diagnosis.ts";
import type { EdgeBindings } from "./platform/edge.ts";
import { toNames } from "./platform/names.ts";
import "./provided.ts";
import { prepareRun } from "./prepare-run.ts";
import { startProxy } from "./proxy.ts";
import { startReceiver } from "./receiver.ts";
import { startShop } from "./shop.ts";
import { startSite } from "./site/site.ts";
import { startTurnstile } from "./turnstile.ts";
import { startUntrustedSite } from "./untrusted.ts";

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  await prepareRun();
  const forbidden = await startForbiddenHost();
  const untrusted = await startUntrustedSite(forbidden.origin);
  const hostile = await startHostileSite(CERTIFICATE);
  const receiver = await startReceiver(CERTIFICATE);
  const proxy = await startProxy(CERTIFICATE);
  const models = await startModels();
  const engines = await startEngines();
  const mail = await startEmailService();
  const github = await startGitHub();
  const turnstile = await startTurnstile();
  const analytics = await startAnalytics();
  const gateway = await startGateway();
  const shop = await startShop();
  const mappedSites = await startMappedSites();
  const crawlSites = await startCrawlSites();
  const diagnosis = await startDiagnosis(CERTIFICATE.cert);
  const table = startOutcomeTable();
  const site = await startSite(forbidden, {
    dns: (_, query) => resolveName(query),
    posts: receiver.posts,
    "gateway-requests": gateway.requests,
    "proxy-log": proxy.log,
    "model-requests": models.requests,
    searches: engines.searches,
    emails: mail.emails,
    arrivals: forbidden.arrivals,
    "add-row": (_, query) => table.add(query),
    browsers: (_, query) => browsersOf(query).length,
    "kill-browsers": (_, query) => signalBrowsers(browsersOf(query), "SIGKILL"),
    "stop-browsers": (_, query) => signalBrowsers(browsersOf(query), "SIGSTOP"),
  });

  project.provide("site", site.origin);
  project.provide("forbidden", forbidden.origin);
  project.provide("hostile", hostile.origin);
  // With HOSTILE_TABLE, the tests write the published table of outcomes. Its times must be measured with the service's
  // own limits.
  project.provide("fullLimits", process.env.HOSTILE_TABLE !== undefined);
  project.provide("untrusted", untrusted.origin);
  project.provide("shop", shop.origin);
  project.provide("mappedSites", mappedSites.origins);
  project.provide("crawlSites", crawlSites.origins);
  project.provide("hook", receiver.origin);
  project.provide("proxy", proxy.host);
  project.provide("secureProxy", proxy.secureHost);
  project.provide("models", models.origin);
  project.provide("engines", engines.origins);
  project.provide("mail", mail.url);
  project.provide("analytics", analytics.origin);
  project.provide("github", github.origin);
  project.provide("turnstile", turnstile.origin);
  project.provide("gateway", gateway.origin);
  const allowed = [
    new URL(site.origin).host,
    // The same server under another name, as another site.
    new URL(site.otherOrigin).host,
    receiver.host,
    receiver.otherHost,
    untrusted.host,
    ...hostile.hosts,
    ...shop.hosts,
    ...mappedSites.hosts,
    ...crawlSites.hosts,
  ].join();
  project.provide("allowedHosts", allowed);
  const services = [models.origin, ...Object.values(engines.origins), mail.url, github.origin, gateway.origin];
  project.provide("edge", {
    DIAGNOSIS: diagnosis.origin,
    SERVERS: [allowed, ...services.map((url) => new URL(url).host)].join(),
    NAMES: JSON.stringify(toNames({ site: site.origin, untrusted: untrusted.origin, refused: "http://127.0.0.1:1" })),
  } satisfies EdgeBindings);
  // Starts the browsers' filtering proxies as `npm start` does.
  const makePolicy = await loadPolicy(process.env.TMPDIR ?? "");
  const withEngines = configuredHosts({ ALLOWED_PRIVATE_HOSTS: allowed, ...toOriginVariables(engines.origins) });
  const browserProxy = await serveSocksProxy({ policy: makePolicy(allowed, []), lookup });
  const searchProxy = await serveSocksProxy({ policy: makePolicy(withEngines, []), lookup });
  project.provide("browserProxy", browserProxy.url);
  project.provide("searchBrowserProxy", searchProxy.url);

  return async () => {
    await endBrowsers(isOwnBrowser);
    table.write();
    for (const { close } of [
      site,
      forbidden,
      untrusted,
      hostile,
      receiver,
      proxy,
      models,
      engines,
      mail,
      github,
      turnstile,
      analytics,
      gateway,
      diagnosis,
      shop,
      mappedSites,
      crawlSites,
    ])
      close();
    browserProxy.close();
    searchProxy.close();
  };
}
