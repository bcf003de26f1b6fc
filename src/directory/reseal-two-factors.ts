import { parseEnvelope, symmetricDecrypt, symmetricEncrypt } from "better-auth/crypto";
import { log, toLogged } from "../lib/log";
import { listTwoFactorSecrets, replaceTwoFactorSecrets } from "../store/two-factors";
import { readAuthSecrets } from "./auth-secrets";

const ROWS = 100;

/**
 * Encrypts the secrets of two-factor sign-in with the current SIGNING_SECRET. The call can be repeated at any time,
 * because values that are already encrypted with the current secret don't change. Values that no secret decrypts are
 * counted as `unreadable`.
 */
export async function resealTwoFactors(env: Env): Promise<{ resealed: number; unreadable: number }> {
  const secrets = await readAuthSecrets(env);
  const done = { resealed: 0, unreadable: 0 };
  const [{ version }] = secrets;
  const config = { keys: new Map(secrets.map(({ version, value }) => [version, value])), currentVersion: version };

  async function reencrypt(data: string): Promise<string> {
    return await symmetricEncrypt({ key: config, data: await symmetricDecrypt({ key: config, data }) });
  }

  const isCurrent = (data: string) => parseEnvelope(data)?.version === version;
  for (let after: string | null = ""; after !== null; ) {
    const rows = await listTwoFactorSecrets(env.DB, { after, limit: ROWS });
    for (const from of rows) {
      if (isCurrent(from.secret) && isCurrent(from.backupCodes)) continue;
      try {
        const to = { secret: await reencrypt(from.secret), backupCodes: await reencrypt(from.backupCodes) };
        if (await replaceTwoFactorSecrets(env.DB, { from, to })) done.resealed++;
      } catch (error) {
        log("error", "two_factor_not_opened", toLogged(error));
        done.unreadable++;
      }
    }
    after = rows.length < ROWS ? null : (rows.at(-1)?.id ?? null);
  }
  return done;
}
