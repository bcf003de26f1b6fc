import { env } from "cloudflare:workers";
import puppeteer from "@cloudflare/puppeteer";
import { beforeAll } from "vitest";
import { site } from "./client";

/** The sessions of browsers that earlier test files of the same runtime have started. They close when they are idle. */
const earlier = new Set<string>();

beforeAll(async () => {
  for (const id of await listSessions()) earlier.add(id);
});

/** Counts the running browsers that this test file has started. */
export async function countBrowsers(): Promise<number> {
  return await signalBrowsers(
    "browsers",
    (await listSessions()).filter((id) => !earlier.has(id)),
  );
}

/** Kills the browsers of the runtime to simulate a crash. Returns their number. */
export async function killBrowsers(): Promise<number> {
  return await signalBrowsers("kill-browsers", await listSessions());
}

/** Stops the browser processes of the runtime to simulate a hang. Returns their number. */
export async function stopBrowsers(): Promise<number> {
  return await signalBrowsers("stop-browsers", await listSessions());
}

async function listSessions(): Promise<string[]> {
  return (await puppeteer.sessions(env.BROWSER)).map(({ sessionId }) => sessionId);
}

async function signalBrowsers(action: "browsers" | "kill-browsers" | "stop-browsers", ids: string[]): Promise<number> {
  return await (await fetch(`${site}/__${action}?sessions=${ids.join()}`)).json();
}
