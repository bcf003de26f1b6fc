// Shows the API reference from the service's OpenAPI document. Sends no requests to other hosts.
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
});
