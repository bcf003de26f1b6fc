// The world outside, in Node: web sites, models, search engines, a mail service, GitHub, a receiver of webhooks, proxies, and
// a host that nobody may reach.
import type { TestProject } from "vitest/node";
import { endBrowsers } from "../../scripts/processes.ts";
import { browsersOf, isOurs, killBrowsers } from "./browser-processes.ts";
import { readCertificate } from "./certificate.ts";
import { startEngines } from "./engines/server.ts";
import { startForbidden } from "./forbidden.ts";
import { startGateway } from "./gateway.ts";
import { startGitHub } from "./github.ts";
import { startHostileSite } from "./hostile/server.ts";
import { startTable } from "./hostile/table.ts";
import { startMail } from "./mail.ts";
import { startModels } from "./models.ts";
import { resolveName } from "./names.ts";
import "./provided.ts";
import { startProxy } from "./proxy.ts";
import { startReceiver } from "./receiver.ts";
import { startSite } from "./site/site.ts";

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  // The runtime trusts this certificate: the configuration made it before the runtime was loaded.
  const certificate = readCertificate(process.env.TMPDIR ?? "");
  const forbidden = await startForbidden();
  const hostile = await startHostileSite(certificate);
  const receiver = await startReceiver(certificate);
  const proxy = await startProxy(certificate);
  const models = await startModels();
  const engines = await startEngines();
  const mail = await startMail();
  const github = await startGitHub();
  const gateway = await startGateway();
  const table = startTable();
  const site = await startSite(forbidden, {
    dns: (_, query) => resolveName(query),
    posts: receiver.posts,
    gateway: gateway.asked,
    proxied: proxy.log,
    asked: models.asked,
    searched: engines.searched,
    letters: mail.letters,
    arrivals: forbidden.arrivals,
    row: (_, query) => table.add(query),
    browsers: (_, query) => browsersOf(query).length,
    "kill-browsers": (_, query) => killBrowsers(browsersOf(query)),
  });

  project.provide("site", site.origin);
  project.provide("forbidden", forbidden.origin);
  project.provide("hostile", hostile.origin);
  project.provide("hook", receiver.origin);
  project.provide("proxy", proxy.host);
  project.provide("secureProxy", proxy.secureHost);
  project.provide("models", models.origin);
  project.provide("engines", engines.origins);
  project.provide("mail", mail.url);
  project.provide("github", github.origin);
  project.provide("gateway", gateway.origin);
  project.provide("allowedHosts", [new URL(site.origin).host, receiver.host, ...hostile.hosts].join());

  return async () => {
    await endBrowsers(isOurs);
    table.write();
    for (const { close } of [site, forbidden, hostile, receiver, proxy, models, engines, mail, github, gateway])
      close();
  };
}
