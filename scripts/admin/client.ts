// A client for the admin API, either of the service that `npm start` runs on this machine or of a deployed service.
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { readLocalAdmin } from "../local-state.ts";
import { toAdminTokenFile } from "./token-file.ts";

const PROJECT = resolve(import.meta.dirname, "..", "..");

/** The command-line options of all scripts that call the admin API. */
export const ADMIN_OPTIONS = {
  url: { type: "string" },
  env: { type: "string" },
  "persist-to": { type: "string", default: ".wrangler/state" },
} as const;

export const ADMIN_OPTIONS_USAGE = `  --url URL          the URL of a deployed service; its token is in ADMIN_TOKEN or
                     .wrangler/admin-token
  --env NAME         the environment of the deployed service, if it isn't the default one
  --persist-to DIR   the state folder of the local service (default .wrangler/state)`;

export interface AdminClient {
  /** The URL of the service. */
  url: string;
  /** Calls an operation and returns its data. Throws with the service's error message. */
  call: <Data>(method: string, path: string, body?: unknown) => Promise<Data>;
  /** Sends a request whose body or response isn't JSON. Throws with the service's error message. */
  send: (method: string, path: string, init?: RequestInit) => Promise<Response>;
}

/** Finds the service and its token. Throws an error that says what is missing. */
export function openAdmin({
  url,
  env,
  "persist-to": stateFolder,
}: {
  url?: string | undefined;
  env?: string | undefined;
  "persist-to": string;
}): AdminClient {
  const { url: base, token } = findService({ url, environment: env ?? null }, resolve(PROJECT, stateFolder));
  const send: AdminClient["send"] = async (method, path, init = {}) => {
    const headers = new Headers(init.headers);
    headers.set("authorization", `Bearer ${token}`);
    const response = await fetch(`${base}/admin/v1${path}`, { ...init, method, headers }).catch((cause) => {
      throw new Error(`The service at ${base} can't be reached.`, { cause });
    });
    if (response.ok) return response;
    const text = await response.text();
    throw new Error(toMessage(text) ?? `The service at ${base} responded with status ${response.status}.`);
  };
  return {
    url: base,
    send,
    call: async <Data>(method: string, path: string, body?: unknown) => {
      const init =
        body === undefined ? {} : { body: JSON.stringify(body), headers: { "content-type": "application/json" } };
      const text = await (await send(method, path, init)).text();
      return (text === "" ? undefined : (JSON.parse(text) as { data: Data }).data) as Data;
    },
  };
}

function findService(
  { url, environment }: { url: string | undefined; environment: string | null },
  stateFolder: string,
): { url: string; token: string } {
  if (url === undefined) {
    const local = readLocalAdmin(stateFolder);
    if (local === null) {
      throw new Error(
        `No running service uses the state in ${stateFolder}. Run npm start, or set --url to a deployed service.`,
      );
    }
    return local;
  }
  if (!URL.canParse(url))
    throw new Error(`--url must be a URL such as https://extraction.example.com, but is '${url}'.`);
  const file = join(PROJECT, toAdminTokenFile(environment));
  const stored = existsSync(file) ? readFileSync(file, "utf8").trim() : undefined;
  const token = process.env.ADMIN_TOKEN ?? stored;
  if (token === undefined) throw new Error("Set ADMIN_TOKEN to the admin token of this service.");
  return { url: new URL(url).origin, token };
}

function toMessage(text: string): string | null {
  try {
    const { error } = JSON.parse(text) as { error?: { message?: string } };
    return error?.message ?? null;
  } catch {
    return null;
  }
}
