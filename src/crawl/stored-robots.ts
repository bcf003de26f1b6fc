import { ROBOTS_AGENT, type Robots, rulesFor, toRule } from "../site/robots";

/** The stored form of a robots.txt. Each rule is `+` (allow) or `-` (disallow), followed by the pattern. */
interface StoredRobots {
  rules: string[];
  sitemaps: readonly string[];
}

/**
 * Returns the rules for this service as JSON. A row can have at most 2 MB and a robots.txt can have 64,000 rules, so
 * the stored form is short.
 */
export function toStoredRobots(robots: Robots): string {
  const rules = rulesFor(robots, ROBOTS_AGENT).map(({ isAllowed, pattern }) => `${isAllowed ? "+" : "-"}${pattern}`);
  return JSON.stringify({ rules: [...new Set(rules)], sitemaps: robots.sitemaps } satisfies StoredRobots);
}

/** Reads the stored form. */
export function fromStoredRobots(json: string): Robots {
  const stored = JSON.parse(json) as StoredRobots;
  const rules = stored.rules.map((rule) => toRule(rule.startsWith("+"), rule.slice(1)));
  return { groups: [{ agents: ["*"], rules, crawlDelaySeconds: null }], sitemaps: stored.sitemaps };
}
