// The account and the key of a verification.
import type { AdminClient } from "../../admin/client.ts";
import { Service } from "./service.ts";

const ACCOUNT_NAME = "Verification of deployments";
/** The key of a run that was killed is revoked by a later run after this time. */
const ABANDONED_MS = 15 * 60 * 1_000;
/** The credits of the account per month. A run uses about 50. */
const MONTHLY_CREDITS = 10_000;

interface Account {
  id: string;
  name: string;
  suspended_at: string | null;
}

/** A key as the admin API lists it. */
interface Key {
  id: string;
  name: string | null;
  created_at: string;
  revoked_at: string | null;
}

/** A service that can be called with a new key. `revoke` revokes the key. It never throws, and can be called again. */
export interface Access {
  service: Service;
  /** Returns null if the key is revoked, or else an error that says what to do. */
  revoke: () => Promise<string | null>;
}

/**
 * Creates a key in the account for verifications, and the account if it doesn't exist. Revokes keys of earlier runs that
 * were killed. Throws if the admin API refuses a call.
 */
export async function openAccess(admin: AdminClient, run: string): Promise<Access> {
  const account = await findAccount(admin);
  const path = `/accounts/${account.id}`;
  if (account.suspended_at !== null) await admin.call("PATCH", path, { suspended: false });
  const name = `Verification ${run}`;
  const { key } = await admin.call<{ key: string }>("POST", `${path}/keys`, { mode: "live", name });
  const service = new Service(admin.url, key);
  let revoking: Promise<string | null> | null = null;

  async function revoke(): Promise<string | null> {
    try {
      const keys = await admin.call<Key[]>("GET", `${path}/keys`);
      const own = keys.find((listed) => listed.name === name);
      if (own === undefined) throw new Error("it isn't in the list of keys");
      const abandoned = keys.filter(
        (listed) => listed.revoked_at === null && Date.now() - Date.parse(listed.created_at) > ABANDONED_MS,
      );
      for (const { id } of [...abandoned, own]) {
        const { status, text } = await service.call("DELETE", `/v1/keys/${id}`);
        if (status !== 204) throw new Error(`status ${status}: ${text.slice(0, 200)}`);
      }
      return null;
    } catch (error) {
      return await suspend(error);
    }
  }

  /** Suspends the account, so that the key can't be used although it wasn't revoked. */
  async function suspend(cause: unknown): Promise<string> {
    const reason = cause instanceof Error ? cause.message : String(cause);
    try {
      await admin.call("PATCH", path, { suspended: true });
      return `The key '${name}' could not be revoked (${reason}). The account ${account.id} was suspended instead. The next verification resumes it.`;
    } catch {
      return `The key '${name}' could not be revoked (${reason}). Run npm run admin -- set ${account.id} --suspend --url ${admin.url}.`;
    }
  }

  return {
    service,
    revoke: () => {
      revoking ??= revoke();
      return revoking;
    },
  };
}

async function findAccount(admin: AdminClient): Promise<Account> {
  const found = await admin.call<Account[]>("GET", `/accounts?search=${encodeURIComponent(ACCOUNT_NAME)}`);
  const account = found.find(({ name }) => name === ACCOUNT_NAME);
  if (account !== undefined) return account;
  const created = { name: ACCOUNT_NAME, plan: "business", monthly_credits: MONTHLY_CREDITS };
  return await admin.call<Account>("POST", "/accounts", created);
}
