import { env } from "cloudflare:workers";
import puppeteer from "@cloudflare/puppeteer";
import { site } from "./client";

/** Counts the running browser processes of this test file. Other files run their own browsers at the same time. */
export async function countBrowsers(): Promise<number> {
  return await signalOwnBrowsers("browsers");
}

/** Kills this file's browsers to simulate a crash. Returns their number. */
export async function killBrowsers(): Promise<number> {
  return await signalOwnBrowsers("kill-browsers");
}

/** Stops this file's browser processes to simulate a hang. Returns their number. */
export async function stopBrowsers(): Promise<number> {
  return await signalOwnBrowsers("stop-browsers");
}

async function signalOwnBrowsers(action: "browsers" | "kill-browsers" | "stop-browsers"): Promise<number> {
  const sessions = await puppeteer.sessions(env.BROWSER);
  const ids = sessions.map(({ sessionId }) => sessionId).join();
  return await (await fetch(`${site}/__${action}?sessions=${ids}`)).json();
}
