import type { Mode } from "../../model/api-key";
import type { AppEnv } from "../../model/env";
import type { Account } from "../../store/accounts";

/** Who is signed in. */
export interface User {
  id: string;
  email: string;
  name: string;
  emailVerified: boolean;
}

/** Hono's generic for the dashboard: what its middleware leaves for the pages behind the sign-in. */
export interface DashboardEnv {
  Bindings: AppEnv["Bindings"];
  Variables: AppEnv["Variables"] & {
    /** The caller's; null when it isn't known. */
    address: string | null;
    /** Null on the pages that need no session. */
    user: User | null;
    /** The present session's token, by which the list of sessions knows it. */
    sessionToken: string;
    account: Account;
    /** Which of an account's two worlds is looked at: kept in a cookie, live at first. */
    mode: Mode;
    isAdmin: boolean;
  };
}
