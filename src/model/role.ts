/**
 * The roles of users in an account, from the lowest to the highest. Each role has the permissions of all lower roles:
 *
 * - `read_only` reads everything except secrets.
 * - `member` uses the account: manages keys and webhooks, and spends credits in the playground.
 * - `owner` manages the account itself: its name, plan and members, and its deletion.
 */
export const ROLES = ["read_only", "member", "owner"] as const;
export type Role = (typeof ROLES)[number];

export const ROLE_LABELS: Record<Role, string> = { read_only: "read-only", member: "member", owner: "owner" };

export function hasRole(role: Role, least: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(least);
}

export function toRole(text: string): Role | null {
  return ROLES.find((role) => role === text) ?? null;
}
