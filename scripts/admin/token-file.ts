import { join } from "node:path";

/**
 * Returns the file of an environment's admin API token, relative to the project. `npm run deploy` writes it. Null is the
 * default environment.
 */
export function toAdminTokenFile(environment: string | null): string {
  return join(".wrangler", environment === null ? "admin-token" : `admin-token-${environment}`);
}
