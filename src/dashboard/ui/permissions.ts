import { hasRole, type Role } from "../../model/role";

/**
 * The lowest role that each path requires for changes. The first match applies. Null: no role is required, because the
 * action concerns only the user, or because it is for admins. A path without a match requires the role `member`.
 */
const RULES: readonly (readonly [path: RegExp, role: Role | null])[] = [
  [/^\/dashboard\/(?:mode|sign-out|admin\/.+|settings(?:\/.*)?)$/, null],
  [/^\/dashboard\/account\/(?:switch|leave)$/, null],
  // The page checks the role in the account that the user chooses.
  [/^\/dashboard\/authorize$/, null],
  // Requires only the role for reading, because it returns parts of the page for the form's values and changes nothing.
  [/^\/dashboard\/playground(?:\/(?:batch|crawl))?\/preview$/, null],
  [/^\/dashboard\/(?:account|plan)(?:\/.*)?$/, "owner"],
];

/** The pages that only show a form, with the lowest role that the form requires. */
const FORM_PAGES: readonly (readonly [path: RegExp, role: Role])[] = [
  [/^\/dashboard\/account\/delete$/, "owner"],
  [/^\/dashboard\/keys\/[^/]+(?:\/(?:rotate|revoke))?$/, "member"],
  [/^\/dashboard\/webhooks\/endpoints\/new$/, "member"],
];

/** The actions that don't depend on the selected account. */
const USER_ACTIONS = /^\/dashboard\/(?:mode|sign-out|authorize|account\/switch|admin\/.+|settings(?:\/.*)?)$/;

/** Returns the role that a request requires, or null if it requires none. */
export function findRequiredRole(method: string, path: string): Role | null {
  const rules = method === "GET" || method === "HEAD" ? FORM_PAGES : RULES;
  const rule = rules.find(([pattern]) => pattern.test(path));
  if (rule !== undefined) return rule[1];
  return rules === RULES ? "member" : null;
}

/** Returns true if the role may send a form to the action. `role` is undefined on pages without an account. */
export function maySend(role: Role | undefined, action: string): boolean {
  const [path = ""] = action.split("?");
  const required = findRequiredRole("POST", path);
  return role === undefined || required === null || hasRole(role, required);
}

/** Returns true if the effect of the action depends on the mode. The playground checks the mode itself. */
export function isModeAction(action: string): boolean {
  return action.startsWith("/dashboard/webhooks/");
}

/** Returns true if the action changes the selected account. */
export function isAccountAction(action: string): boolean {
  const [path = ""] = action.split("?");
  return !USER_ACTIONS.test(path);
}
