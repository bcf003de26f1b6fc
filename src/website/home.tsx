import type { OperatorVariables } from "../model/operator";
import { toBrand } from "../model/operator";
import { SUMMARY } from "./guide";

/** The links of the JSON answer of `/`. */
export const LINKS = [
  { name: "dashboard", path: "/dashboard" },
  { name: "docs", path: "/docs" },
  { name: "errors", path: "/docs/errors" },
  { name: "status", path: "/status" },
  { name: "openapi", path: "/openapi.json" },
  { name: "llms", path: "/llms.txt" },
] as const;

/** Returns the home page. */
export function home(env: OperatorVariables) {
  const { name } = toBrand(env);
  return {
    title: name,
    description: SUMMARY,
    path: "/",
    children: (
      <>
        <h1>{name}</h1>
        <p class="lead">{SUMMARY}</p>
      </>
    ),
  };
}
