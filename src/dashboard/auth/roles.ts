import { createMiddleware } from "hono/factory";
import { AppError } from "../../model/errors";
import { hasRole, ROLE_LABELS } from "../../model/role";
import type { DashboardEnv } from "../ui/env";
import { readFormFields } from "../ui/form-data";
import { toRequiredRole } from "../ui/permissions";
import { ACCOUNT_FIELD } from "../ui/post-form";

/**
 * Refuses requests that the user's role in the account doesn't allow. A new action requires the role `member` unless
 * `ui/permissions.ts` has a rule for it. Also refuses a form if its page showed another account than the selected one.
 * Throws AppError `insufficient_scope` or `invalid_request`.
 */
export const requireRole = createMiddleware<DashboardEnv>(async (c, next) => {
  const { role, account } = c.var;
  if (c.req.method === "POST") {
    const shown = (await readFormFields(c, [ACCOUNT_FIELD]))[ACCOUNT_FIELD];
    if (shown !== "" && shown !== account.id)
      throw new AppError(
        "invalid_request",
        `Nothing was changed, because this page belongs to another account than the selected account '${account.name}'. Either you selected this account in another tab, or you no longer belong to the account of the page. Reload the page and try again.`,
      );
  }
  const required = toRequiredRole(c.req.method, c.req.path);
  if (required !== null && !hasRole(role, required)) {
    const least = required === "owner" ? "Only an owner can do this" : "This requires the role member";
    throw new AppError(
      "insufficient_scope",
      `${least}. Your role in the account '${account.name}' is ${ROLE_LABELS[role]}. Ask an owner of the account.`,
    );
  }
  await next();
});
