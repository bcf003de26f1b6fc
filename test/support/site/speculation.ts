// Pages that make the browser fetch a forbidden address ahead, and then go there: by ways that request interception doesn't see.
import { html } from "../answers.ts";
import type { Visit } from "./visit.ts";

/** Time for the browser to fetch ahead before the page goes on. */
const AHEAD_MS = 700;

type Behaviour = (visit: Visit) => void;

/** The rules that fetch the address, or load it as a whole page. */
function rules(kind: "prefetch" | "prerender", url: string): string {
  return JSON.stringify({ [kind]: [{ urls: [url], eagerness: "immediate" }] });
}

/** A page that goes to `url` when the browser had time to fetch it. `body` is what makes it fetch. */
function pageTo(url: string, body = ""): string {
  return `<!doctype html><title>Ahead</title><body><p>This page was loaded, and goes on from here.</p>${body}
<script>setTimeout(() => { location.href = ${JSON.stringify(url)}; }, ${AHEAD_MS});</script></body>`;
}

/** Fetches by its response headers. */
function byHeaders(toHeaders: (visit: Visit, target: string) => Record<string, string>): Behaviour {
  return (visit) => {
    const target = targetOf(visit);
    for (const [name, value] of Object.entries(toHeaders(visit, target))) visit.response.setHeader(name, value);
    html(visit.response, pageTo(target));
  };
}

/** Fetches by its markup. */
function byMarkup(toMarkup: (target: string) => string): Behaviour {
  return (visit) => {
    const target = targetOf(visit);
    html(visit.response, pageTo(target, toMarkup(target)));
  };
}

/** Where the page tries to get: the forbidden host, or another one that the test names. */
function targetOf({ query, forbidden }: Pick<Visit, "query" | "forbidden">): string {
  return query.get("target") ?? `${forbidden.origin}/ahead`;
}

const rulesScript = (target: string) => `<script type="speculationrules">${rules("prefetch", target)}</script>`;

export const speculation: Record<string, Behaviour> = {
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
