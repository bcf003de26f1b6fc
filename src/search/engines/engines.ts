import type { EngineName } from "../../model/engine";
import { bing } from "./bing";
import { google } from "./google";
import type { SearchEngine } from "./search-engine";
import { yandex } from "./yandex";

/** All search engines. To add one, add its name to `EngineName` and its definition here. */
export const ENGINES: { readonly [E in EngineName]: SearchEngine } = { google, bing, yandex };

/** Returns true if the URL is a captcha, a consent page or a sign-in page of any engine. */
export function isBlockPageUrl(url: string): boolean {
  const { hostname, pathname } = new URL(url);
  return Object.values(ENGINES).some(
    ({ hosts, blockPages: { host, path } }) =>
      host.test(hostname) || (hosts.test(hostname) && path?.test(pathname) === true),
  );
}
