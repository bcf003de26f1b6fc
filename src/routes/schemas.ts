import { createRoute, z } from "@hono/zod-openapi";
import { NoQuery } from "../contract/common";
import { describeData, describeErrors } from "../contract/responses";
import {
  READY_SCHEMAS,
  ReadySchemaList,
  ReadySchemaResponse,
  readySchema,
  SCHEMA_NAMES,
} from "../contract/schema-library";
import { createRouter, operation } from "../http/router";
import { AppError } from "../model/errors";

export const schemas = createRouter();

const SUMMARIES = READY_SCHEMAS.map(({ name, title, description }) => ({ name, title, description }));

const listRoute = createRoute({
  method: "get",
  path: "/schemas",
  ...operation("listSchemas", "parse"),
  request: { query: NoQuery },
  responses: {
    200: describeData("The schemas.", ReadySchemaList, SUMMARIES),
    ...describeErrors(),
  },
});

schemas.openapi(listRoute, (c) => c.json({ success: true as const, data: SUMMARIES }, 200));

const getRoute = createRoute({
  method: "get",
  path: "/schemas/{name}",
  ...operation("getSchema", "parse"),
  request: {
    params: z.object({
      name: z.string().openapi({ description: `One of ${SCHEMA_NAMES.join(", ")}.`, example: "product" }),
    }),
    query: NoQuery,
  },
  responses: {
    200: describeData("The schema.", ReadySchemaResponse, readySchema("product")),
    ...describeErrors({ 404: ["not_found"] }),
  },
});

schemas.openapi(getRoute, (c) => {
  const { name } = c.req.valid("param");
  const found = READY_SCHEMAS.find((schema) => schema.name === name);
  if (found === undefined) throw unknownSchema(name);
  return c.json({ success: true as const, data: found }, 200);
});

function unknownSchema(name: string): AppError {
  const names = SCHEMA_NAMES.join(", ");
  return new AppError("not_found", `There is no schema '${name.slice(0, 100)}'. Use one of ${names}.`, {
    details: [{ path: "name", message: `must be one of ${names}` }],
    hint: "GET /v1/schemas lists the schemas.",
  });
}
