import type { z } from "@hono/zod-openapi";
import type { Endpoint } from "../model/endpoint";
import { MapData, MapMeta, MapRequest, MapResponse } from "./map";
import { ParseData, ParseMeta, ParseRequest, ParseResponse } from "./parse";
import { ScrapeData, ScrapeMeta, ScrapeRequest, ScrapeResponse } from "./scrape";
import { SerpData, SerpMeta, SerpRequest, SerpResponse } from "./serp";

interface EndpointSchemas {
  /** The prefix of the endpoint's component names in the OpenAPI document, such as `ScrapeJob`. */
  name: string;
  request: z.ZodType;
  /** The `data` of a synchronous response, and the `result` of a job. */
  data: z.ZodType;
  /** The `meta` of a completed job. */
  meta: z.ZodType;
  /** The body of a synchronous response. */
  response: z.ZodType;
}

/** The schemas of each endpoint. Jobs and webhook events are derived from them. */
export const ENDPOINT_SCHEMAS = {
  scrape: { name: "Scrape", request: ScrapeRequest, data: ScrapeData, meta: ScrapeMeta, response: ScrapeResponse },
  parse: { name: "Parse", request: ParseRequest, data: ParseData, meta: ParseMeta, response: ParseResponse },
  serp: { name: "Serp", request: SerpRequest, data: SerpData, meta: SerpMeta, response: SerpResponse },
  map: { name: "Map", request: MapRequest, data: MapData, meta: MapMeta, response: MapResponse },
} as const satisfies { [E in Endpoint]: EndpointSchemas };

type Schemas = typeof ENDPOINT_SCHEMAS;

export type EndpointRequests = { [E in Endpoint]: z.output<Schemas[E]["request"]> };

/** Returns the values of a table with one entry per endpoint, as the tuple type that zod's unions require. */
export function valuesOf<Table extends { [E in Endpoint]: unknown }>(table: Table) {
  return Object.values(table) as [Table[Endpoint], ...Table[Endpoint][]];
}
