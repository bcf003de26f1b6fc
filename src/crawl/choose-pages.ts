import { Budget } from "../lib/budget";
import { refusesUse } from "../site/content-signals";
import { isAllowed } from "../site/robots";
import { type Frontier, STEPS_PER_TURN } from "./frontier";
import { type Hosts, MAX_PER_HOST } from "./hosts";
import type { CrawlState } from "./state";

/** The steps for reading a URL and changing its state. */
const STEPS_PER_URL = 2_000;
/** The steps for reading a stored rule of a robots.txt. */
const STEPS_PER_RULE = 10;
/** The maximum number of steps for comparisons with robots.txt. 10,000 pages with 200 rules take a tenth of it. */
const MAX_ROBOTS_STEPS = 40_000_000;

const TOO_MANY_RULES =
  "The crawl has ended early, because comparing the site's URLs with its robots.txt takes more than 40 million steps.";

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
  const turn = new Budget(STEPS_PER_TURN);
  for (const { host, ...row } of frontier.listQueuedHosts(now)) {
    if (state.nextNumber > state.options.limit) break;
    if (row.next_at > now) {
      choice.nextAt = Math.min(choice.nextAt ?? row.next_at, row.next_at);
      continue;
    }
    if (needsRobots(state) && row.is_unknown === 1) {
      choice.unknownHosts.push(host);
      continue;
    }
    const delayMs = Math.max(state.options.delayMs ?? 0, needsRobots(state) ? (row.delay_ms ?? 0) : 0);
    let free = countFree(row, { delayMs, penaltyMs: row.penalty_ms });
    if (free <= 0) continue;
    const parsed = hosts.parsedRules;
    const robots = needsRobots(state) ? hosts.robotsOf(host) : null;
    turn.spend(STEPS_PER_RULE * (hosts.parsedRules - parsed));
    while (free > 0 && state.nextNumber <= state.options.limit) {
      const [next] = frontier.listNext(host, 1);
      if (next === undefined) break;
      if (turn.isUsedUp) return { ...choice, nextAt: now };
      const steps = robots?.countSteps(next.url.length) ?? 0;
      turn.spend(STEPS_PER_URL + steps);
      state.robotsSteps = (state.robotsSteps ?? 0) + steps;
      if (state.robotsSteps > MAX_ROBOTS_STEPS) {
        state.options = { ...state.options, limit: state.nextNumber - 1 };
        state.note ??= TOO_MANY_RULES;
        break;
      }
      if (robots !== null && !isAllowed(robots, next.url)) {
        frontier.skip(next.id, "robots");
        if (next.depth === 0) state.note ??= toRobotsNote(host);
        continue;
      }
      const { contentUse } = state.options;
      if (refusesUse(robots?.signals ?? {}, contentUse)) {
        frontier.skip(next.id, "content_signals");
        if (next.depth === 0) state.note ??= `The robots.txt of ${host} refuses the use '${contentUse}'.`;
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
