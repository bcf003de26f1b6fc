import { useContext } from "hono/jsx";
import { RequestContext } from "hono/jsx-renderer";
import { toOperatorLinks } from "../../model/operator";
import type { DashboardContext } from "./env";

/** The words "the operator of this service", with a link if SUPPORT_URL is set. */
export function Operator({ text = "the operator of this service" }: { text?: string }) {
  const url = toOperatorLinks(useVariables() ?? {}).support;
  return url === null ? text : <a href={url}>{text}</a>;
}

/** The links to the operator's support and terms. Renders nothing if neither is set. */
export function OperatorLinks() {
  const { support, terms } = toOperatorLinks(useVariables() ?? {});
  if (support === null && terms === null) return null;
  return (
    <p class="small operator-links">
      {support === null ? null : <a href={support}>Support</a>} {terms === null ? null : <a href={terms}>Terms</a>}
    </p>
  );
}

/** Returns the environment's variables. Returns undefined if the component is rendered without a request. */
function useVariables(): Env | undefined {
  return (useContext(RequestContext) as DashboardContext | null)?.env;
}
