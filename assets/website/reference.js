// Shows the API reference from the service's OpenAPI document. Sends no requests to other hosts.

/** The colors of the other pages, and those of secondary texts and methods. The contrast of Scalar's own colors is below 4.5:1. The blocks of code stay dark in both schemes. */
const COLORS = `
body.light-mode,
body.dark-mode {
  --scalar-background-1: var(--bg);
  --scalar-background-2: var(--surface);
  --scalar-border-color: var(--line);
  --scalar-color-1: var(--text);
  --scalar-color-accent: var(--accent);
  --scalar-sidebar-background-1: var(--bg);
}
body.light-mode {
  --scalar-color-2: #636363;
  --scalar-color-3: #6b6b6b;
  --scalar-color-green: #00764a;
  --scalar-color-blue: #0069aa;
  --scalar-color-red: #c8102e;
  --scalar-color-orange: #a34a00;
  --scalar-color-yellow: #7a5c00;
}
body.dark-mode {
  --scalar-color-3: #949494;
  --scalar-color-red: #ff7a7a;
}`;

Scalar.createApiReference("#reference", {
  url: "/openapi.json",
  theme: "default",
  layout: "modern",
  withDefaultFonts: false,
  telemetry: false,
  // With "", the browser sends requests directly instead of through Scalar's proxy.
  proxyUrl: "",
  hideClientButton: true,
  showDeveloperTools: "never",
  agent: { disabled: true },
  mcp: { disabled: true },
  authentication: { preferredSecurityScheme: "bearer" },
  orderSchemaPropertiesBy: "preserve",
  defaultOpenFirstTag: true,
  customCss: COLORS,
});

// Adds what Scalar's elements lack for screen readers and keyboards. Scalar renders sections while the user scrolls.
new MutationObserver(() => {
  const all = (selector) => document.querySelectorAll(selector);
  for (const button of all(".scalar-code-copy:not([aria-label])")) button.ariaLabel = "Copy code";
  for (const button of all(".show-more[aria-label]")) button.removeAttribute("aria-label");
  for (const card of all(".response-card[role=region]")) card.removeAttribute("role");
  for (const list of all(".endpoints:not([tabindex], :has(a, button))")) list.tabIndex = 0;
}).observe(document.querySelector("#reference"), { childList: true, subtree: true });
