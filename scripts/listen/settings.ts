import { readLocalAdmin, readSecrets } from "../local-state.ts";
import { MODES, type Mode, type Secrets } from "./verify.ts";

const CALL_TIMEOUT_MS = 10_000;

interface Settings {
  url: string | null;
  secret: string;
}

/** Returns the URL of the service that uses the state folder. Throws an Error with a message for the user. */
export function findLocalService(stateFolder: string): string {
  const local = readLocalAdmin(stateFolder);
  if (local !== null) return local.url;
  throw new Error(`No running service uses the state in ${stateFolder}. Run npm start in another terminal first.`);
}

/** Reads the webhook secrets of both modes. */
export async function readWebhookSecrets(stateFolder: string): Promise<Secrets> {
  const [live, test] = await Promise.all(MODES.map((mode) => call(stateFolder, mode, "GET")));
  return { live: live?.secret ?? "", test: test?.secret ?? "" };
}

/** The webhook URL of a mode. `previous` is the URL that it had before. */
export interface Registration {
  mode: Mode;
  previous: string | null;
}

/**
 * Makes `url` the webhook URL of each mode that has none. With `replace`, also of modes that have one. Prints what was
 * done. Returns the modes whose webhook URL is `url`.
 */
export async function register(
  stateFolder: string,
  url: string,
  { replace }: { replace: boolean },
): Promise<Registration[]> {
  const registrations: Registration[] = [];
  try {
    for (const mode of MODES) {
      const current = (await call(stateFolder, mode, "GET")).url;
      if (current !== null && current !== url && !replace) {
        console.log(`${mode} jobs: the webhook URL stays ${current}. Use --set to replace it.`);
        continue;
      }
      await call(stateFolder, mode, "PUT", url);
      // If the URL is already set, an earlier `npm run listen` was killed before it could remove the URL.
      const previous = current === url ? null : current;
      registrations.push({ mode, previous });
      console.log(
        previous === null
          ? `${mode} jobs: the webhook URL was set. It is removed when you stop this command.`
          : `${mode} jobs: the webhook URL was set. ${previous} is restored when you stop this command.`,
      );
    }
  } catch (error) {
    await restore(stateFolder, url, registrations);
    throw error;
  }
  return registrations;
}

/** Restores the earlier webhook URLs, except where another program has changed the URL since. Prints what was done. */
export async function restore(stateFolder: string, url: string, registrations: Registration[]): Promise<void> {
  for (const { mode, previous } of registrations) {
    try {
      if ((await call(stateFolder, mode, "GET")).url !== url) continue;
      await call(stateFolder, mode, "PUT", previous);
      console.log(`${mode} jobs: the webhook URL was ${previous === null ? "removed" : `restored to ${previous}`}.`);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      const next =
        previous === null ? "The next npm run listen removes it." : `Use PUT /v1/webhooks to restore ${previous}.`;
      console.error(`${mode} jobs: the webhook URL is still ${url}. ${next}\n${reason}`);
    }
  }
}

/**
 * Calls the webhook settings of a mode with the local key. Reads the service's URL and key for each call, because
 * the service may have been restarted. Throws an Error with the service's message.
 */
async function call(stateFolder: string, mode: Mode, method: "GET" | "PUT", url?: string | null): Promise<Settings> {
  const base = findLocalService(stateFolder);
  const response = await fetch(`${base}/v1/webhooks`, {
    method,
    headers: { authorization: `Bearer ${readSecrets(stateFolder)[mode]}`, "content-type": "application/json" },
    signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
    ...(url === undefined ? {} : { body: JSON.stringify({ url }) }),
  }).catch((cause) => {
    throw new Error(`The service at ${base} can't be reached.`, { cause });
  });
  const { data, error } = (await response.json()) as { data?: Settings; error?: { message: string } };
  if (data !== undefined) return data;
  throw new Error(error?.message ?? `The service at ${base} responded with status ${response.status}.`);
}
