import { ALLOW_ALL, countSteps, isAllowed } from "../site/robots";
import type { Frontier } from "./frontier";
import { type Hosts, MAX_PER_HOST } from "./hosts";
import type { CrawlState } from "./state";

/**
 * The approximate number of steps for comparing URLs with robots.txt in one call. If a large robots.txt forbids all pages
 * of a large sitemap, one call for all of them would exceed the CPU time of an invocation.
 */
const MAX_STEPS = 500_000;
/** The cost of reading and skipping a URL. */
const STEPS_PER_URL = 50;

export interface Choice {
  /** The hosts whose robots.txt must be read before their pages can start. */
  unknownHosts: string[];
  /** The time (Unix ms) at which the first delay of a host ends, or null if no host is delayed. */
  nextAt: number | null;
}

/**
 * Gives numbers to the next pages, breadth first. Stops at the limit of pages, and chooses only as many pages of each
 * host as its limits allow. Changes `state`, which the caller stores. Must be called within a transaction.
 */
export function choosePages(
  { frontier, hosts, state }: { frontier: Frontier; hosts: Hosts; state: CrawlState },
  now: number,
): Choice {
  const choice: Choice = { unknownHosts: [], nextAt: null };
  let spent = 0;
  for (const host of frontier.listQueuedHosts()) {
    if (state.nextNumber > state.options.limit) break;
    const row = hosts.read(host);
    if (row === null) throw new Error(`The crawl ${state.id} has no row for a host.`);
    if (row.next_at > now) {
      choice.nextAt = Math.min(choice.nextAt ?? row.next_at, row.next_at);
      continue;
    }
    const robots = needsRobots(state) ? hosts.robotsOf(host) : ALLOW_ALL;
    if (robots === null) {
      choice.unknownHosts.push(host);
      continue;
    }
    const delayMs = Math.max(state.options.delayMs ?? 0, needsRobots(state) ? (row.delay_ms ?? 0) : 0);
    let free = countFree(frontier.countStarted(host, now), { delayMs, penaltyMs: row.penalty_ms });
    while (free > 0 && state.nextNumber <= state.options.limit) {
      const [next] = frontier.listNext(host, 1);
      if (next === undefined) break;
      if (spent >= MAX_STEPS) return { ...choice, nextAt: now };
      spent += STEPS_PER_URL + countSteps(robots, next.url.length);
      if (frontier.shapes.isRepeating(next.url)) {
        frontier.skip(next.id, "trap");
        continue;
      }
      if (!isAllowed(robots, next.url)) {
        frontier.skip(next.id, "robots");
        if (next.depth === 0) state.note ??= toRobotsNote(host);
        continue;
      }
      frontier.start(next.id, state.nextNumber++);
      free--;
      if (delayMs === 0) continue;
      hosts.delayNext(host, now + delayMs);
      choice.nextAt = Math.min(choice.nextAt ?? Number.POSITIVE_INFINITY, now + delayMs);
      break;
    }
  }
  return choice;
}

/**
 * Returns the number of pages of a host that may start. A page that waits for a retry doesn't block the other pages,
 * because a single URL can be unavailable permanently. But one slot is kept for the waiting page, so that its retry can
 * start. If the host has a delay, its pages run one after the other.
 */
function countFree(
  { running, waiting }: { running: number; waiting: number },
  { delayMs, penaltyMs }: { delayMs: number; penaltyMs: number },
): number {
  if (delayMs > 0) return 1 - running - waiting;
  return (penaltyMs > 0 || waiting > 0 ? 1 : MAX_PER_HOST) - running;
}

/** Returns true if no other page can be chosen until a page ends or another URL is found. */
export function isFinal({ unknownHosts, nextAt }: Choice): boolean {
  return unknownHosts.length === 0 && nextAt === null;
}

/** Returns true if the crawl must read robots.txt. A test key makes no requests, so it reads none. */
export function needsRobots({ mode, options }: CrawlState): boolean {
  return mode === "live" && options.robots === "respect";
}

function toRobotsNote(host: string): string {
  return `The robots.txt of ${host} doesn't allow the start URL. Set 'robots' to 'ignore' if you may crawl the site anyway.`;
}
