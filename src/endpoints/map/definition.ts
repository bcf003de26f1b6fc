import type { MapRequest } from "../../contract/map";
import { toCount } from "../../lib/count";
import type { Prices } from "../../model/prices";
import type { PriceLine } from "../../model/receipt";
import type { RunPlan } from "../../model/run-plan";
import { type EndpointDefinition, FETCH_ERROR_CODES, type RequestContext } from "../shared/definition";
import { checkProxy } from "../shared/proxy";

export const map: EndpointDefinition<"map"> = {
  label: "Map",
  errorCodes: {
    400: ["invalid_target", "proxy_unavailable"],
    422: ["invalid_target", "unusable_page", "unsupported_content", "target_too_large"],
    500: ["render_failed"],
    502: [...FETCH_ERROR_CODES, "proxy_unavailable"],
  },
  describePrice: ({ map: credits, rendering }) =>
    `The price is ${toCount(credits, "credit")}${rendering > 0 ? `, or ${toCount(credits + rendering, "credit")} if the page is rendered` : ""}.`,
  validateRequest: ({ proxy_country }: MapRequest, context: RequestContext) => checkProxy(context, proxy_country),
  needsBrowser: () => false,
  plans: ({ render }, { prices }) => {
    const plain: RunPlan = { method: "plain", lines: toMapLines(prices, false) };
    return render === "auto" ? [{ method: "plain_then_browser", lines: toMapLines(prices, true) }, plain] : [plain];
  },
};

/** Returns the lines of the price of a map. */
export function toMapLines({ map, rendering }: Prices, rendered: boolean): PriceLine[] {
  const line: PriceLine = { item: "map", credits: map };
  return rendered ? [line, { item: "rendering", credits: rendering }] : [line];
}
