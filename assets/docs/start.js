// Shows the reference of this service's own OpenAPI document. Nothing is asked of any other host.
Scalar.createApiReference("#reference", {
  url: "/openapi.json",
  theme: "default",
  layout: "modern",
  withDefaultFonts: false,
  telemetry: false,
  // "": requests are made from the browser, not through Scalar's proxy.
  proxyUrl: "",
  hideClientButton: true,
  showDeveloperTools: "never",
  agent: { disabled: true },
  mcp: { disabled: true },
  authentication: { preferredSecurityScheme: "bearer" },
  orderSchemaPropertiesBy: "preserve",
  defaultOpenFirstTag: true,
});
