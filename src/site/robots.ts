import type { ContentSignals } from "../model/crawl";
import { normalizeEncoding } from "./canonical-url";
import { mergeSignals, parseContentSignal } from "./content-signals";
import robotsKeys from "./robots-keys.json";

/** A parsed robots.txt. */
export interface Robots {
  groups: readonly RobotsGroup[];
  /** The absolute URLs of the sitemaps in the file, in the order of the file. */
  sitemaps: readonly string[];
  /** The uses that the file allows and refuses for this service. */
  signals?: ContentSignals | undefined;
}

interface RobotsGroup {
  /** The product tokens in lower case. `*` stands for all other user agents. */
  agents: readonly string[];
  rules: readonly RobotsRule[];
  /** The delay between two requests in seconds, or null. */
  crawlDelaySeconds: number | null;
  /** The uses that the group allows and refuses. */
  signals?: ContentSignals;
}

export interface RobotsRule {
  isAllowed: boolean;
  /** The normalized path pattern. `*` matches any characters. A `$` at the end matches the end of the URL. */
  pattern: string;
  /** The texts between the stars of the pattern, without the `$` at the end. */
  parts: readonly string[];
}

export function toRule(isAllowed: boolean, pattern: string): RobotsRule {
  return { isAllowed, pattern, parts: (pattern.endsWith("$") ? pattern.slice(0, -1) : pattern).split("*") };
}

/** The product token of this service in robots.txt files. It is the name in USER_AGENT. */
export const ROBOTS_AGENT = "WebDataExtraction";

/** RFC 9309, section 2.5: a crawler must parse at least 500 KiB. */
const MAX_ROBOTS_BYTES = 500 * 1024;

/** The rules of a site without a robots.txt. */
export const ALLOW_ALL: Robots = { groups: [], sitemaps: [] };

/** The rules of a site whose robots.txt can't be read because of an error of the server or the network. */
export const DISALLOW_ALL: Robots = {
  groups: [{ agents: ["*"], rules: [toRule(false, "/")], crawlDelaySeconds: null }],
  sitemaps: [],
};

/** The maximum length of a line. Longer ones are ignored, because no pattern is longer than a URL. */
const MAX_LINE_CHARS = 2_000;
const MAX_SITEMAPS = 1_000;
const MAX_CRAWL_DELAY_SECONDS = 86_400;
const LINE = /\r\n|\r|\n/;
/** The keys of a line, with the misspellings that Google's parser also accepts. */
const KEYS: ReadonlyMap<string, string> = new Map(Object.entries(robotsKeys));

/**
 * Parses a robots.txt by RFC 9309. Ignores the part after MAX_ROBOTS_BYTES, and every line that isn't valid. `url` is
 * the URL of the file. It is the base for relative URLs of sitemaps.
 */
export function parseRobots(bytes: Uint8Array, url: string): Robots {
  const groups: (RobotsGroup & { agents: string[]; rules: RobotsRule[] })[] = [];
  const sitemaps = new Set<string>();
  let takesAgents = false;
  for (const line of linesOf(bytes)) {
    const [key, value] = toRecord(line);
    const group = groups.at(-1);
    switch (key) {
      case "agent":
        if (takesAgents && group !== undefined) group.agents.push(toAgent(value));
        else groups.push({ agents: [toAgent(value)], rules: [], crawlDelaySeconds: null });
        takesAgents = true;
        break;
      case "allow":
      case "disallow":
        // Ignores a rule without a path, because it has no effect, and a pattern that isn't valid UTF-8, because it
        // matches no URL. Rules before the first user agent belong to no group.
        if (value !== "" && !value.includes("\ufffd")) group?.rules.push(toRule(key === "allow", toPattern(value)));
        takesAgents = false;
        break;
      case "delay":
        if (group !== undefined) group.crawlDelaySeconds ??= toSeconds(value);
        break;
      case "signals":
        if (group !== undefined) group.signals = mergeSignals(group.signals ?? {}, parseContentSignal(value));
        takesAgents = false;
        break;
      case "sitemap": {
        const sitemap = value === "" ? null : URL.parse(value, url);
        if (sitemap !== null && /^https?:$/.test(sitemap.protocol) && sitemaps.size < MAX_SITEMAPS)
          sitemaps.add(sitemap.href);
      }
    }
  }
  const own = groupsFor(groups, ROBOTS_AGENT);
  const signals = own.reduce<ContentSignals>((all, group) => mergeSignals(all, group.signals ?? {}), {});
  return { groups, sitemaps: [...sitemaps], signals };
}

function linesOf(bytes: Uint8Array): string[] {
  const isCut = bytes.byteLength > MAX_ROBOTS_BYTES;
  // The decoder removes a byte order mark.
  const lines = new TextDecoder().decode(bytes.subarray(0, MAX_ROBOTS_BYTES)).split(LINE);
  // Omits a line that was cut off or is too long, because the beginning of its pattern would match more URLs than the
  // complete pattern.
  return (isCut ? lines.slice(0, -1) : lines).filter(({ length }) => length <= MAX_LINE_CHARS);
}

/** Returns a line's key and value. As in https://github.com/google/robotstxt, the colon can be missing. */
function toRecord(line: string): [key: string | undefined, value: string] {
  const end = line.indexOf("#");
  const text = (end === -1 ? line : line.slice(0, end)).trim();
  const colon = text.indexOf(":");
  if (colon !== -1) return [KEYS.get(text.slice(0, colon).trimEnd().toLowerCase()), text.slice(colon + 1).trimStart()];
  const [key = "", value = "", ...others] = text.split(/\s+/, 3);
  return [others.length === 0 ? KEYS.get(key.toLowerCase()) : undefined, value];
}

/** Returns the product token at the start of the value. For example, it is `foobot` for `FooBot/1.0`. */
function toAgent(value: string): string {
  return /^\*(?:\s|$)/.test(value) ? "*" : (/^[a-z_-]+/i.exec(value)?.[0].toLowerCase() ?? "");
}

function toSeconds(value: string): number | null {
  const seconds = /^\d+(?:\.\d+)?$/.test(value) ? Number(value) : null;
  return seconds === null ? null : Math.min(seconds, MAX_CRAWL_DELAY_SECONDS);
}

/** Returns true if the rules for `agent` allow requests to the URL. The robots.txt itself is always allowed. */
export function isAllowed(robots: Robots, url: string, agent: string = ROBOTS_AGENT): boolean {
  const target = URL.parse(url);
  if (target === null) return false;
  if (target.pathname === "/robots.txt") return true;
  const path = toPath(target.pathname + target.search);
  let best: RobotsRule | null = null;
  for (const rule of rulesFor(robots, agent)) {
    const length = best?.pattern.length ?? -1;
    // The rule with the longest pattern applies. If two patterns are equally long, the rule that allows the URL
    // applies.
    if (rule.pattern.length < length || (rule.pattern.length === length && !rule.isAllowed)) continue;
    if (matchesParts(rule.parts, path, rule.pattern.endsWith("$"))) best = rule;
  }
  return best?.isAllowed ?? true;
}

/** Returns the rules for `agent`. */
export function rulesFor(robots: Robots, agent: string = ROBOTS_AGENT): readonly RobotsRule[] {
  const groups = groupsFor(robots.groups, agent);
  return groups.length === 1 && groups[0] !== undefined ? groups[0].rules : groups.flatMap(({ rules }) => rules);
}

/** The number of characters that a search reads in the time of one call of `startsWith`. */
const CHARS_PER_STEP = 20;

/** Returns the function that estimates the steps of about 50 ns for comparing a URL of some length with all patterns. */
export function toStepCounter(patterns: readonly { parts: readonly string[] }[]): (urlChars: number) => number {
  let [fixed, searches] = [0, 0];
  for (const { parts } of patterns) {
    fixed += parts.length;
    if (parts.length === 1) continue;
    fixed += parts.reduce((chars, part) => chars + part.length, 0) / CHARS_PER_STEP;
    searches++;
  }
  return (urlChars) => fixed + (searches * urlChars) / CHARS_PER_STEP;
}

/** Returns the delay between two requests of `agent`, or null if the file sets none for it. */
export function crawlDelayOf(robots: Robots, agent: string = ROBOTS_AGENT): number | null {
  const delays = groupsFor(robots.groups, agent).map(({ crawlDelaySeconds }) => crawlDelaySeconds ?? -1);
  const longest = Math.max(-1, ...delays);
  return longest === -1 ? null : longest;
}

/** Returns the groups that name the agent. If there is none, returns the groups for all agents. */
function groupsFor(groups: readonly RobotsGroup[], agent: string): readonly RobotsGroup[] {
  const token = agent.toLowerCase();
  const own = groups.filter(({ agents }) => agents.includes(token));
  return own.length > 0 ? own : groups.filter(({ agents }) => agents.includes("*"));
}

/** Normalizes the path of a URL. Encodes `*` and `$`, which are special characters in patterns. */
function toPath(path: string): string {
  return normalize(path).replaceAll("*", "%2A").replaceAll("$", "%24");
}

function toPattern(value: string): string {
  const hasEnd = value.endsWith("$");
  const pattern = normalize(hasEnd ? value.slice(0, -1) : value)
    .replaceAll("$", "%24")
    .replace(/\*+/g, "*");
  return hasEnd ? `${pattern}$` : pattern;
}

/** Returns a path for comparisons (RFC 9309, section 2.2.2): unreserved characters decoded, others encoded. */
function normalize(path: string): string {
  return normalizeEncoding(path.toWellFormed().replace(/[^\x21-\x7e]+/g, (part) => encodeURIComponent(part)));
}

/** The length of the longest part for which the engine's own search is always fast. */
const MAX_SHORT_PART = 16;

/**
 * Returns the same as `text.indexOf(part, from)` in linear time, by the algorithm of Knuth, Morris and Pratt. The engine's
 * own search takes time in proportion to both lengths for texts such as `aaa…`.
 */
function indexOfLong(text: string, part: string, from: number): number {
  if (text.length - from < part.length) return -1;
  const borders = new Uint16Array(part.length);
  for (let at = 1, border = 0; at < part.length; at++) {
    while (border > 0 && part.charCodeAt(at) !== part.charCodeAt(border)) border = borders[border - 1] ?? 0;
    if (part.charCodeAt(at) === part.charCodeAt(border)) border++;
    borders[at] = border;
  }
  for (let at = from, matched = 0; at < text.length; at++) {
    while (matched > 0 && text.charCodeAt(at) !== part.charCodeAt(matched)) matched = borders[matched - 1] ?? 0;
    if (text.charCodeAt(at) === part.charCodeAt(matched)) matched++;
    if (matched === part.length) return at - matched + 1;
  }
  return -1;
}

/**
 * Returns true if the parts between the stars of a pattern occur in the path in their order, from its start and, with
 * `hasEnd`, to its end. The first occurrence of each part is sufficient, because it leaves the most text for the
 * following parts.
 */
export function matchesParts(parts: readonly string[], path: string, hasEnd: boolean): boolean {
  const first = parts[0] ?? "";
  if (!path.startsWith(first)) return false;
  if (parts.length === 1) return !hasEnd || first.length === path.length;
  const last = hasEnd ? (parts.at(-1) ?? "") : "";
  let at = first.length;
  for (let index = 1; index < parts.length - (hasEnd ? 1 : 0); index++) {
    const part = parts[index] ?? "";
    const found = part.length > MAX_SHORT_PART ? indexOfLong(path, part, at) : path.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return path.length - last.length >= at && path.endsWith(last);
}
