import { useContext } from "hono/jsx";
import { RequestContext } from "hono/jsx-renderer";
import { toText } from "../../lib/env";
import type { DashboardContext } from "./env";

/** The words "the operator of this service", with a link if SUPPORT_URL is set. */
export function Operator({ text = "the operator of this service" }: { text?: string }) {
  const url = toText(useVariables()?.SUPPORT_URL);
  return url === null ? text : <a href={url}>{text}</a>;
}

/** The links to the operator's support and terms. Renders nothing if neither is set. */
export function OperatorLinks() {
  const variables = useVariables();
  const [support, terms] = [toText(variables?.SUPPORT_URL), toText(variables?.TERMS_URL)];
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
