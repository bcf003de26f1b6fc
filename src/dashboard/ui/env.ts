import type { Mode } from "../../model/api-key";
import type { AppEnv } from "../../model/env";
import type { Account } from "../../store/accounts";

/** The signed-in user. */
export interface User {
  id: string;
  email: string;
  name: string;
  emailVerified: boolean;
}

/** The bindings and variables of the dashboard's handlers. */
export interface DashboardEnv {
  Bindings: AppEnv["Bindings"];
  Variables: AppEnv["Variables"] & {
    /** The caller's IP address, or null if it is unknown. */
    address: string | null;
    /** Null on pages that need no session. */
    user: User | null;
    /** The token of the current session. */
    sessionToken: string;
    account: Account;
    /** The mode whose data is shown. It is kept in a cookie and is live by default. */
    mode: Mode;
    isAdmin: boolean;
  };
}
