// Pages that make the browser prefetch a forbidden URL and then navigate to it. Request interception doesn't see these
// prefetches.
import { sendHtml } from "../responses.ts";
import type { Visit } from "./visit.ts";

/** The time that the page waits for the prefetch before it navigates. */
const AHEAD_MS = 700;

type Behavior = (visit: Visit) => void;

/** Returns speculation rules that prefetch or prerender the URL. */
function rules(kind: "prefetch" | "prerender", url: string): string {
  return JSON.stringify({ [kind]: [{ urls: [url], eagerness: "immediate" }] });
}

/** Returns a page that navigates to `url` after the prefetch. `body` has the markup that triggers the prefetch. */
function pageTo(url: string, body = ""): string {
  return `<!doctype html><title>Ahead</title><body><p>This page was loaded and navigates to another one.</p>${body}
<script>setTimeout(() => { location.href = ${JSON.stringify(url)}; }, ${AHEAD_MS});</script></body>`;
}

/** Serves a page whose response headers trigger the prefetch. */
function byHeaders(toHeaders: (visit: Visit, target: string) => Record<string, string>): Behavior {
  return (visit) => {
    const target = targetOf(visit);
    for (const [name, value] of Object.entries(toHeaders(visit, target))) visit.response.setHeader(name, value);
    sendHtml(visit.response, pageTo(target));
  };
}

/** Serves a page whose markup triggers the prefetch. */
function byMarkup(toMarkup: (target: string) => string): Behavior {
  return (visit) => {
    const target = targetOf(visit);
    sendHtml(visit.response, pageTo(target, toMarkup(target)));
  };
}

/** Returns the URL to prefetch: the query's `target`, or a URL of the forbidden host. */
function targetOf({ query, forbidden }: Pick<Visit, "query" | "forbidden">): string {
  return query.get("target") ?? `${forbidden.origin}/ahead`;
}

const rulesScript = (target: string) => `<script type="speculationrules">${rules("prefetch", target)}</script>`;

export const speculation: Record<string, Behavior> = {
  "speculation-header": byHeaders(({ url }) => ({
    "speculation-rules": `"${url.pathname.replace("speculation-header", "speculation-rules.json")}${url.search}"`,
  })),
  "speculation-rules.json": (visit) => {
    visit.response.setHeader("content-type", "application/speculationrules+json");
    visit.response.end(rules("prefetch", targetOf(visit)));
  },
  "speculation-data-header": byHeaders((_, target) => ({
    "speculation-rules": `"data:application/speculationrules+json,${encodeURIComponent(rules("prefetch", target))}"`,
  })),
  "speculation-prerender": byHeaders((_, target) => ({
    "speculation-rules": `"data:application/speculationrules+json,${encodeURIComponent(rules("prerender", target))}"`,
  })),
  "speculation-link-header": byHeaders((_, target) => ({
    link: `<${target}>; rel=prefetch, <${target}>; rel=preconnect`,
    nel: '{"report_to":"default","max_age":3600,"success_fraction":1}',
    "report-to": JSON.stringify({ group: "default", max_age: 3600, endpoints: [{ url: target }] }),
    "reporting-endpoints": `default="${target}"`,
  })),
  "speculation-closed-shadow": byMarkup(
    (target) => `<div><template shadowrootmode="closed">${rulesScript(target)}</template></div>`,
  ),
  "speculation-patched": byMarkup(
    (target) => `<script>
Element.prototype.remove = () => {};
Element.prototype.getAttribute = () => null;
Element.prototype.querySelectorAll = () => [];
Object.defineProperty(Node.prototype, "nodeName", { get: () => "P" });
Object.defineProperty(Element.prototype, "children", { get: () => [] });
RegExp.prototype.exec = () => null;
RegExp.prototype.test = () => false;
const rules = document.createElement("script");
rules.type = "speculationrules";
rules.textContent = ${JSON.stringify(rules("prefetch", target))};
document.head.append(rules);
</script>`,
  ),
};
