import { expect, it } from "vitest";
import { detectOutcome } from "../../../src/html/outcome/outcome";
import { openPage, parseVisiblePage } from "../../../src/html/visible-page";

const outcomeOf = (html: string, rendered = false) =>
  detectOutcome(openPage(html), { url: "https://page.example/", status: 200, rendered });

const SCRIPT = '<script src="/static/js/main.js"></script>';

it.each([
  ["<title>404</title><h1>Page not found</h1>", "soft_404", "The title and the heading say 'Page not found'."],
  [
    "<title>Lamps</title><h1>Page not found</h1>",
    "soft_404",
    "The heading is 'Page not found', and the page has no other content.",
  ],
  ["<title>Page not found</title><p>", "soft_404", "The title is 'Page not found', and the page has no other content."],
  [
    "<title>Lamps</title><h1>Page not found</h1><p>The page you requested doesn't exist.</p>",
    "soft_404",
    "The page says 'The page you requested doesn't exist'.",
  ],
  [
    "<title>Sign in</title><h1>Sign in</h1><form><input name=u><input type=password><button>Sign in</button></form>",
    "login",
    "The page has only a sign-in form.",
  ],
  [`<div id="root"></div>${SCRIPT}`, "needs_rendering", "The page has no content until its scripts run."],
  [`<p>Loading…</p>${SCRIPT}`, "needs_rendering", "The page shows 'Loading…' until its scripts run."],
  ["<body></body>", "empty", "The page has no text, data or images."],
  ["<h1>Lamps</h1><p>This domain is for sale.</p>", "parked", "The page says 'This domain is for sale'."],
])("explains %s", (html, outcome, reason) => {
  expect(outcomeOf(html)).toEqual({ outcome, reason });
});

it("quotes at most 80 characters of the page", () => {
  const { reason } = outcomeOf(
    `<title>Page not found</title><h1>Page not found</h1><p>The page you requested doesn't exist ${"any more ".repeat(8)}.</p>`,
  );
  expect(reason).toMatch(/^The page says 'The page you requested.{10,60}…'\.$/);
});

it.each([
  [
    "a loading message",
    `<p>Loading…</p>${SCRIPT}`,
    { outcome: "empty", reason: "The rendered page shows only 'Loading…'." },
  ],
  ["no text", `<div id="root"></div>${SCRIPT}`, { outcome: "empty", reason: "The rendered page has no text." }],
  [
    "navigation around an empty element",
    `<nav><a href="/">Home</a></nav><div id="root"></div>${SCRIPT}`,
    { outcome: "empty", reason: "The rendered page has only its site's navigation." },
  ],
  [
    "a request to enable JavaScript",
    `<p>Please enable JavaScript.</p>${SCRIPT}`,
    {
      outcome: "needs_rendering",
      reason: "The page tells readers to enable JavaScript: 'Please enable JavaScript'.",
    },
  ],
  [
    "a <noscript> next to content",
    `<noscript>Please enable JavaScript.</noscript><p>Tide lamp</p>${SCRIPT}`,
    { outcome: "ok", reason: null },
  ],
])("classifies a rendered page with %s", (_, html, expected) => {
  expect(outcomeOf(html, true)).toEqual(expected);
});

it.each([
  [
    "only analytics",
    '<script async src="https://www.googletagmanager.com/gtag/js"></script><script>gtag("config")</script>',
    "empty",
  ],
  ["only data", '<script type="application/json">{"a":1}</script>', "empty"],
  ["an application", SCRIPT, "needs_rendering"],
  ["an unfinished script", "<script>render(", "needs_rendering"],
])("calls a page without text and with %s %s", (_, html, outcome) => {
  expect(outcomeOf(`<body>${html}`).outcome).toBe(outcome);
});

it.each([
  [
    "sign-in form",
    "login",
    "<title>Sign in</title><h1>Sign in</h1><form><input name=u><input type=password><button>Sign in</button></form>",
  ],
  ["notice", "maintenance", "<title>Maintenance</title><h1>Down for maintenance</h1><p>We will be back soon.</p>"],
  ["age gate", "consent", "<h1>Are you over 18 years old?</h1><button>Yes</button><button>No</button>"],
])("a page with a %s is %s, unless it has a price outside of its boilerplate", (_, outcome, html) => {
  expect(outcomeOf(`<main>${html}</main><footer><p>Free shipping for orders over €50</p></footer>`).outcome).toBe(
    outcome,
  );
  expect(outcomeOf(`<main>${html}<p>Tide lamp, €50</p></main>`).outcome).toBe("ok");
});

it("a notice of maintenance may have links with long texts, but no other long text", () => {
  const long = "How we repair the lamps of the harbor. ".repeat(60);
  const toHtml = (more: string) =>
    `<title>Maintenance</title><h1>Down for maintenance</h1><p>We will be back soon.</p><p>${more}</p>`;
  expect(outcomeOf(toHtml(`<a href="/help">${long}</a>`)).outcome).toBe("maintenance");
  expect(outcomeOf(toHtml(long)).outcome).toBe("ok");
});

it("an article about paywalls isn't behind one, although it ends like one", () => {
  const sentence =
    "The bridge over the river was opened to traffic on Monday, and the mayor thanked all of the workers.";
  const toHtml = (title: string) =>
    `<title>${title}</title><article><h1>${title}</h1>${`<p>${sentence}</p>`.repeat(3)}</article><p>Subscribe to continue reading.</p>`;
  expect(outcomeOf(toHtml("Bridge reopens")).outcome).toBe("paywall");
  expect(outcomeOf(toHtml("How a paywall works")).outcome).toBe("ok");
});

it("accepts a page that was parsed with its form fields, and a request without a URL", () => {
  const page = parseVisiblePage(
    "<title>Sign in</title><form><input><input type=password><button>Sign in</button></form>",
  );
  expect(detectOutcome(page, { url: "", status: 200, rendered: false }).outcome).toBe("login");
});
