import { createRoute, z } from "@hono/zod-openapi";
import { NoQuery, PAGE } from "../contract/common";
import { PAGINATION } from "../contract/examples";
import { EXTRACTOR_EXAMPLE, ExtractorId, ExtractorList, ExtractorResponse } from "../contract/extractors";
import { headersOf } from "../contract/headers";
import { describeErrors, describeResponse } from "../contract/responses";
import { toPage } from "../http/responses";
import { createRouter, guard } from "../http/router";
import {
  deleteExtractor,
  getExtractor,
  listExtractors,
  toExtractorRecord,
  toExtractorWithRules,
} from "../jobs/extractors";

export const extractors = createRouter();

const params = z.object({ id: ExtractorId });
const { rules: _, ...SUMMARY } = EXTRACTOR_EXAMPLE;

const listRoute = createRoute({
  method: "get",
  path: "/extractors",
  operationId: "listExtractors",
  summary: "List learned extractors, last used first",
  description:
    "After three parses with `strategy: auto` of similar pages of one host, with the same schema and prompt, the service learns an extractor. The extractor then reads such pages without a language model. An account has at most 200 extractors in each mode.",
  tags: ["Extraction"],
  ...guard("parse"),
  request: { query: z.strictObject(PAGE) },
  responses: {
    200: describeResponse("A page of extractors.", ExtractorList, {
      example: { success: true, data: [SUMMARY], pagination: PAGINATION },
    }),
    ...describeErrors({ 400: ["invalid_request"] }),
  },
});

extractors.openapi(listRoute, async (c) => {
  const { limit, offset } = c.req.valid("query");
  const all = await listExtractors(c.env, c.var.caller);
  const shown = all.slice(offset, offset + limit).map(toExtractorRecord);
  return c.json(toPage(shown, { total: all.length, limit, offset }), 200);
});

const getRoute = createRoute({
  method: "get",
  path: "/extractors/{id}",
  operationId: "getExtractor",
  summary: "Read a learned extractor",
  description: "Returns the extractor with the places of the page that it reads each value from.",
  tags: ["Extraction"],
  ...guard("parse"),
  request: { params, query: NoQuery },
  responses: {
    200: describeResponse("The extractor.", ExtractorResponse, { example: { success: true, data: EXTRACTOR_EXAMPLE } }),
    ...describeErrors({ 400: ["invalid_request"], 404: ["not_found"] }),
  },
});

extractors.openapi(getRoute, async (c) => {
  const extractor = await getExtractor(c.env, c.var.caller, c.req.valid("param").id);
  return c.json({ success: true as const, data: toExtractorWithRules(extractor) }, 200);
});

const deleteRoute = createRoute({
  method: "delete",
  path: "/extractors/{id}",
  operationId: "deleteExtractor",
  summary: "Delete a learned extractor",
  description: "The next parses of such pages use the page's own data and a language model, and learn a new extractor.",
  tags: ["Extraction"],
  ...guard("parse"),
  request: { params, query: NoQuery },
  responses: {
    204: { description: "The extractor is deleted.", headers: headersOf() },
    ...describeErrors({ 400: ["invalid_request"], 404: ["not_found"] }),
  },
});

extractors.openapi(deleteRoute, async (c) => {
  await deleteExtractor(c.env, c.var.caller, c.req.valid("param").id);
  return c.body(null, 204);
});
