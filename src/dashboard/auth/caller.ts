import { type ApiKey, SCOPES } from "../../model/api-key";
import type { DashboardContext } from "../ui/env";

/** The id of the dashboard as the caller of its jobs. Other jobs have the id of an API key. */
export const DASHBOARD_CALLER = "dashboard";

/** Returns the user of the dashboard as a caller of the API: a key of the account with all scopes and no credit limit. */
export function toDashboardCaller({ var: { account, mode } }: DashboardContext): ApiKey {
  return {
    id: DASHBOARD_CALLER,
    account,
    mode,
    scopes: [...SCOPES],
    allowedIps: [],
    revokedAt: null,
    expiresAt: null,
    creditLimit: null,
    prices: account.prices,
  };
}
