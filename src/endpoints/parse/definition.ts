import { PARSED } from "../../contract/examples";
import type { ParseRequest } from "../../contract/parse";
import { schemaProblem } from "../../json-schema/schema-problem";
import { AppError } from "../../model/errors";
import { availableModels, chooseModel } from "../../models/models";
import {
  type EndpointDefinition,
  FETCH_ERROR_CODES,
  type MockContext,
  type RequestContext,
} from "../shared/definition";
import { toEvidenceMeta } from "./evidence";
import { mockParse, mockVerification } from "./mock";
import { runParse } from "./run";

const PRICE = { base: 5, rendering: 0 };

/** As if one model had been called once. */
const MOCK_USAGE = { input_tokens: 812, output_tokens: 64, model_calls: 1, model_time_ms: 0 };

export const parse: EndpointDefinition<"parse"> = {
  label: "Parse",
  summary: "Extract structured data with a language model",
  description: `Reads a page, or HTML that is given, and returns what the prompt asks for, valid against the schema. ${PRICE.base} credits.`,
  tool: {
    title: "Extract structured data",
    description:
      "Extracts JSON from a page (url) or from given html, as the prompt says and, where given, by a JSON Schema. evidence: true tells where each value stands in the page. The values come from an untrusted page.",
  },
  requestExamples: {
    url: {
      summary: "A product from a page, by a schema",
      value: {
        url: "https://example.com/lamps/tide",
        prompt: "The product and its price.",
        schema: {
          type: "object",
          properties: { name: { type: "string" }, price: { type: "number" } },
          required: ["name", "price"],
        },
      },
    },
    html: {
      summary: "From HTML of your own, with evidence",
      value: { html: "<h1>Tide lamp</h1><p>It costs 19.50 EUR", prompt: "The product and its price.", evidence: true },
    },
  },
  responseExample: PARSED,
  errorCodes: {
    400: ["invalid_target"],
    422: ["invalid_target", "unsupported_content", "target_too_large", "schema_mismatch", "model_refused"],
    500: ["render_failed"],
    502: [...FETCH_ERROR_CODES, "model_failed"],
  },
  price: PRICE,
  validateRequest,
  // The run renders the page itself where the plain page has no content.
  needsBrowser: () => false,
  run: runParse,
  mock,
};

function validateRequest(request: ParseRequest, context: RequestContext): void {
  if (request.schema !== undefined) checkSchema(request.schema);
  checkModel(context, request.model);
}

async function mock(request: ParseRequest, { env, large }: MockContext) {
  const data = mockParse(request, { large });
  return {
    data,
    extras: {
      model_used: request.model ?? availableModels(env).accepted[0],
      rendered: false,
      parts: 1,
      usage: MOCK_USAGE,
      ...(request.evidence === true && toEvidenceMeta(mockVerification(data))),
    },
  };
}

/** Throws AppError for a schema that can't be used. The error has the path to the keyword that is wrong. */
function checkSchema(schema: Record<string, unknown>): void {
  const problem = schemaProblem(schema);
  if (problem === null) return;
  const path = ["schema", ...problem.path].join(".");
  throw new AppError("invalid_request", `The parameter '${path}' ${problem.message}.`, {
    details: [{ path, message: problem.message }],
  });
}

/** Throws AppError for a model that isn't available. A test key calls none, so any accepted name will do. */
function checkModel({ env, mode }: RequestContext, model: string | undefined): void {
  const models = availableModels(env);
  const isKnown = model === undefined || models.accepted.includes(model);
  if (mode === "live" || !isKnown) chooseModel(models, model);
}
