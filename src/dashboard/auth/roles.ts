import { createMiddleware } from "hono/factory";
import { AppError } from "../../model/errors";
import { hasRole, ROLE_LABELS, type Role } from "../../model/role";
import type { DashboardEnv } from "../ui/env";

/**
 * The lowest role that each path requires for changes. The first match applies. Null: the action concerns only the user
 * or is for admins, who need no role in the account. A path without a match requires the role `member`.
 */
const RULES: readonly (readonly [path: RegExp, role: Role | null])[] = [
  [/^\/dashboard\/(?:mode|admin\/.+|settings(?:\/.*)?)$/, null],
  [/^\/dashboard\/account\/(?:switch|leave)$/, null],
  // Only returns parts of the page for the form's values.
  [/^\/dashboard\/playground\/preview$/, null],
  [/^\/dashboard\/(?:account|plan)(?:\/.*)?$/, "owner"],
];

/** The pages that only show forms for owners. */
const OWNER_PAGES = /^\/dashboard\/account\/delete$/;

/** Returns the role that a request requires, or null if it requires none. */
export function toRequiredRole(method: string, path: string): Role | null {
  if (method === "GET" || method === "HEAD") return OWNER_PAGES.test(path) ? "owner" : null;
  const rule = RULES.find(([pattern]) => pattern.test(path));
  return rule === undefined ? "member" : rule[1];
}

/**
 * Refuses requests that the user's role in the account doesn't allow. A new action requires the role `member` unless
 * `RULES` has a rule for it. Throws AppError `insufficient_scope`.
 */
export const requireRole = createMiddleware<DashboardEnv>(async (c, next) => {
  const { role } = c.var;
  const required = toRequiredRole(c.req.method, c.req.path);
  if (required !== null && !hasRole(role, required)) {
    const least = required === "owner" ? "Only an owner can do this" : "This requires the role member";
    throw new AppError(
      "insufficient_scope",
      `${least}. Your role in the account '${c.var.account.name}' is ${ROLE_LABELS[role]}. Ask an owner of the account.`,
    );
  }
  await next();
});
