import { env } from "cloudflare:workers";
import puppeteer from "@cloudflare/puppeteer";
import { site } from "./client";

/** How many browsers of this file's own runtime are alive, as processes: other files have theirs at the same time. */
export async function countBrowsers(): Promise<number> {
  return await askOwn("browsers");
}

/** Ends them as a crash would; answers how many there were. */
export async function killBrowsers(): Promise<number> {
  return await askOwn("kill-browsers");
}

/** Makes them hang, as a machine without memory does; answers how many there were. */
export async function stopBrowsers(): Promise<number> {
  return await askOwn("stop-browsers");
}

async function askOwn(question: "browsers" | "kill-browsers" | "stop-browsers"): Promise<number> {
  const sessions = await puppeteer.sessions(env.BROWSER);
  const ids = sessions.map(({ sessionId }) => sessionId).join();
  return await (await fetch(`${site}/__${question}?sessions=${ids}`)).json();
}
