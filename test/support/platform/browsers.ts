import { env } from "cloudflare:workers";
import type { Settings } from "./browser-settings";

/** Changes the stand-in for Cloudflare's browser service. The settings that aren't given have their defaults. */
export async function configureBrowsers(settings: Partial<Settings>): Promise<void> {
  await env.BROWSER.fetch("https://browser/settings", { method: "PUT", body: JSON.stringify(settings) });
}

/** Ends all connections to browsers, as Cloudflare does when it recycles sessions. Returns their number. */
export async function evictBrowsers(): Promise<number> {
  const response = await env.BROWSER.fetch("https://browser/evict", { method: "POST" });
  return await response.json<number>();
}

/** Returns the requested countries of all sessions. Null if the service chooses the country. */
export async function requestedCountries(): Promise<(string | null)[]> {
  return await (await env.BROWSER.fetch("https://browser/locations")).json();
}
