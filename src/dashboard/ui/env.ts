import type { Context } from "hono";
import type { Mode } from "../../model/api-key";
import type { AppEnv } from "../../model/env";
import { AppError } from "../../model/errors";
import type { Role } from "../../model/role";
import type { Account } from "../../store/accounts";
import type { AccountOfUser } from "../../store/memberships";

export interface User {
  id: string;
  email: string;
  name: string;
  emailVerified: boolean;
  twoFactorEnabled: boolean;
}

/** The read-only view of a customer's account. */
export interface SupportView {
  /** The admin's own account. */
  own: Account;
  /** The path of the view. The page `/dashboard/jobs` has the path `<base>/jobs` in the view. */
  base: string;
}

/** The bindings and variables of the dashboard's handlers. */
export interface DashboardEnv {
  Bindings: AppEnv["Bindings"];
  Variables: AppEnv["Variables"] & {
    /** The caller's IP address, or null if it isn't known. */
    address: string | null;
    /** Null if the user isn't signed in. */
    user: User | null;
    sessionToken: string;
    /** The time of the sign-in (Unix ms). */
    signedInAt: number;
    account: Account;
    role: Role;
    accounts: AccountOfUser[];
    /** The mode of the shown data. It is stored in a cookie. Default: live. */
    mode: Mode;
    isAdmin: boolean;
    /** Set while an admin views a customer's account. `account` is then the customer's account. */
    support?: SupportView;
  };
}

export type DashboardContext = Context<DashboardEnv>;

/** Returns the signed-in user of a request that has passed `requireUser`. */
export function requireSignedIn(c: DashboardContext): User {
  if (c.var.user === null) throw new Error("The request has no user.");
  return c.var.user;
}

/** Returns the error for a record that the data of the current mode doesn't contain. */
export function notInMode({ var: { mode } }: DashboardContext, kind: string): AppError {
  const other = mode === "live" ? "test" : "live";
  return new AppError(
    "not_found",
    `Your ${mode} data doesn't contain this ${kind}, or it was deleted. If it belongs to your ${other} data, switch to ${other} data at the top of the page.`,
  );
}
