import { OpenAPIRegistry, OpenApiGeneratorV31 } from "@asteasolutions/zod-to-openapi";
import type { z } from "@hono/zod-openapi";
import { describe, expect, it } from "vitest";
import * as common from "../../src/contract/common";
import * as endpointSchemas from "../../src/contract/endpoint-schemas";
import * as errorCodes from "../../src/contract/error-codes";
import { REQUEST_EXAMPLES } from "../../src/contract/examples";
import { HEADERS } from "../../src/contract/headers";
import * as health from "../../src/contract/health";
import * as jobs from "../../src/contract/jobs";
import * as keys from "../../src/contract/keys";
import * as modelOptions from "../../src/contract/model-options";
import * as hiddenText from "../../src/contract/outcome";
import * as outcome from "../../src/contract/outcome";
import * as parse from "../../src/contract/parse";
import * as prices from "../../src/contract/price-options";
import * as responses from "../../src/contract/responses";
import * as schemaLibrary from "../../src/contract/schema-library";
import * as scrape from "../../src/contract/scrape";
import * as serp from "../../src/contract/serp";
import * as usage from "../../src/contract/usage";
import * as webhookEndpoints from "../../src/contract/webhook-endpoints";
import * as webhookEvents from "../../src/contract/webhook-events";
import * as webhooks from "../../src/contract/webhooks";

/** The part of a schema in an OpenAPI document that this file reads. */
interface SchemaPart {
  $ref?: string;
  description?: string;
  properties?: Record<string, SchemaPart>;
  items?: SchemaPart;
  additionalProperties?: SchemaPart | boolean;
  allOf?: SchemaPart[];
  anyOf?: SchemaPart[];
  oneOf?: SchemaPart[];
}

const SCHEMAS = [
  common,
  endpointSchemas,
  errorCodes,
  health,
  hiddenText,
  jobs,
  keys,
  modelOptions,
  outcome,
  parse,
  prices,
  responses,
  schemaLibrary,
  scrape,
  serp,
  usage,
  webhookEndpoints,
  webhookEvents,
  webhooks,
].flatMap((exported) => Object.entries(exported).filter((entry): entry is [string, z.ZodType] => isSchema(entry[1])));

function isSchema(value: unknown): value is z.ZodType {
  return typeof value === "object" && value !== null && "_zod" in value;
}

function components(): Record<string, SchemaPart> {
  const registry = new OpenAPIRegistry();
  for (const [name, schema] of SCHEMAS) registry.register(name, schema);
  const { schemas = {} } = new OpenApiGeneratorV31(registry.definitions).generateComponents().components ?? {};
  return schemas as Record<string, SchemaPart>;
}

/** Returns all fields and all schemas with their paths. */
function partsOf(path: string, part: SchemaPart | boolean | undefined): [string, SchemaPart][] {
  if (typeof part !== "object") return [];
  const inner = [part.items, part.additionalProperties, ...(part.allOf ?? []), ...(part.anyOf ?? [])];
  return [
    [path, part],
    ...Object.entries(part.properties ?? {}).flatMap(([name, field]) => partsOf(`${path}.${name}`, field)),
    ...[...inner, ...(part.oneOf ?? [])].flatMap((other) => partsOf(path, other)),
  ];
}

/** The names of fields that need no description. */
const SELF_EXPLANATORY = new Set(
  (
    "success data error details path message limit offset has_more status endpoint created_at completed_at " +
    "processing_time_ms markdown text title description author site_name canonical_url favicon status_code " +
    "content_type rel model_used usage input_tokens output_tokens model_calls model_time_ms quote verified organic " +
    "position url search_time_ms pages_fetched id name prefix last4 scopes job_id query device checks source results " +
    "duration_ms checked_at period start end granted used days date credits by_endpoint key_id code event " +
    "result_truncated meta attempts at value username password"
  ).split(" "),
);

describe("the schemas of the API", () => {
  const schemas = components();
  const parts = Object.entries(schemas).flatMap(([name, schema]) => partsOf(name, schema));

  it("keep their names, because generated clients use them", () => {
    expect(Object.keys(schemas).toSorted()).toEqual(
      (
        "Accepted Alive ApiKey CompletedEvent ContentSignals ContentWarning DeliveryDetailResponse DeliveryHeaders " +
        "DeliveryId DeliveryList DeliveryListQuery DeliveryRecord DeliveryResponse DeliveryStatus DryRun DryRunResponse Endpoint " +
        "Engine ErrorBody ErrorCode FailedEvent HiddenText Instant Job JobError JobId JobListQuery " +
        "JobListResponse JobMeta JobQuery JobRecord JobResponse JobStatus JsonOptions KeyChangeRequest KeyCreated KeyId " +
        "KeyList KeyListQuery KeyRecord KeyRequest KeyResponse KeyRotateRequest KnownErrorCode LoadMethod MapCompletedEvent MapData MapFile MapJob MapJobResponse MapMeta MapRequest MapSourceError Mode NoQuery " +
        "Outcome OutlineEntry PageImage PageLink PageMetadata Pagination ParseCompletedEvent ParseData ParseJob ParseJobResponse " +
        "ParseMeta ParseRequest ParseResponse Passage PdfOptions PriceLine Ready ReadySchema ReadySchemaList ReadySchemaResponse ReadySchemaSummary Receipt RedeliveriesRequest RedeliveriesResponse " +
        "RedeliveryRequest RenderMode RevokeQuery SchemaName Scope ScrapeCompletedEvent ScrapeData ScrapeFormat ScrapeJob " +
        "ScrapeJobResponse ScrapeMeta ScrapeRequest ScrapeResponse ScreenshotOptions SerpAd SerpAiOverview SerpAiSource SerpAnswer " +
        "SerpBlockName SerpCompletedEvent SerpData SerpFact SerpFilter SerpHealth SerpImage SerpJob SerpJobResponse " +
        "SerpKnowledgeGraph SerpKnowledgeSource SerpMeta SerpNews SerpPage SerpPerspective SerpPlace SerpProduct SerpQuestion " +
        "SerpRelatedSearch SerpRequest SerpResponse SerpScrape SerpShortVideo SerpSitelink SerpSpelling SerpStory SerpVideo Strategy TargetUrl TestEvent Usage UsageQuery UsageThresholdEvent WaitQuery " +
        "WebhookDelivery WebhookDeliveryDetail WebhookDeliveryStatus WebhookEndpoint WebhookEndpointChange " +
        "WebhookEndpointId WebhookEndpointList WebhookEndpointRequest WebhookEndpointResponse " +
        "WebhookEndpointWithSecret WebhookEvent WebhookEventName WebhookSettings WebhookSettingsRequest " +
        "WebhookSettingsResponse WebhookUrl"
      ).split(" "),
    );
  });

  it("describe every field whose name doesn't explain it", () => {
    const isDescribed = ({ description, $ref, allOf }: SchemaPart) => (description ?? $ref ?? allOf) !== undefined;
    const described = new Set(parts.filter(([, part]) => isDescribed(part)).map(([path]) => path));
    const fields = new Set(parts.map(([path]) => path).filter((path) => path.includes(".")));
    const undescribed = [...fields].filter((path) => !described.has(path));
    expect(undescribed.filter((path) => !SELF_EXPLANATORY.has(path.split(".").at(-1) ?? ""))).toEqual([]);
  });

  it("have descriptions that are full sentences, or tables", () => {
    const descriptions = new Map(parts.map(([path, { description }]) => [path, description]));
    for (const [path, text = "None."] of descriptions) expect(text, path).toMatch(/^[A-Z`][\s\S]*(?:\.|\|)$/);
  });
});

it.each(Object.entries(HEADERS))("the example of the header %s has the header's type", (_, { schema, example }) => {
  expect(schema.type === "integer" ? Number.isInteger(example) : typeof example === "string").toBe(true);
});

it("there is an example of each kind of request for keys and webhook settings", () => {
  expect(REQUEST_EXAMPLES.KEY_REQUESTS).toMatchObject({
    same: { value: { name: "CI" } },
    narrow: { value: { mode: "test" } },
  });
  expect(REQUEST_EXAMPLES.WEBHOOK_REQUESTS.on.value.url).toMatch(/^https:/);
  expect(REQUEST_EXAMPLES.WEBHOOK_REQUESTS.off.value.url).toBeNull();
});

it.each([common.TargetUrl, common.WebhookUrl])("a URL may have white space around it", (schema) => {
  expect(schema.safeParse(" https://example.com/ ").success).toBe(true);
  expect(schema.safeParse("\thttps://example.com/\n").success).toBe(true);
  expect(schema.safeParse(" example.com").success).toBe(false);
});
