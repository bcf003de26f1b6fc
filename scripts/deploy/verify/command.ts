import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ADMIN_OPTIONS, type AdminClient, openAdmin } from "../../admin/client.ts";
import { handleEndSignals } from "../../processes.ts";
import { readWanted } from "../wanted.ts";
import { verify } from "./verify.ts";

export interface VerifyCommand {
  project: string;
  /** Null for the default environment. */
  environment: string | null;
  /** The URL of the service. By default, the URL of its last deployment. */
  url?: string | undefined;
  /** The state folder of a local service, which is then tested instead of a deployed one. */
  "persist-to"?: string | undefined;
  receiver?: string | undefined;
  /** A JSON file with test addresses. */
  targets?: string | undefined;
  print: (text: string) => void;
}

/** Verifies the service that the command line selects. Returns false if a check failed. */
export async function runVerification(command: VerifyCommand): Promise<boolean> {
  return await verifyWith(openAdminOf(command), command);
}

/**
 * Verifies the service that was just deployed at `base`. Skips the verification if the admin token isn't known, as in
 * Workers Builds.
 */
export async function verifyDeployment(base: string | null, command: VerifyCommand): Promise<boolean> {
  const { project, environment, print } = command;
  if (base === null) return true;
  storeUrl(project, environment, base);
  let admin: AdminClient;
  try {
    admin = openAdminOf({ ...command, url: base });
  } catch (error) {
    print(`\nThe service wasn't verified. ${toReason(error)} Then run npm run deploy -- --verify.`);
    return true;
  }
  print("");
  return await verifyWith(admin, command).catch((error: unknown) => {
    throw new Error(`The service is deployed, but it could not be verified: ${toReason(error)}`, { cause: error });
  });
}

async function verifyWith(admin: AdminClient, { receiver, targets, print }: VerifyCommand): Promise<boolean> {
  return await verify({
    admin,
    print,
    ...(receiver === undefined ? {} : { receiver }),
    ...(targets === undefined ? {} : { targetsFile: targets }),
    onOpen: (revoke) => {
      handleEndSignals(() => {
        void revoke().then((problem) => {
          print(`\nCanceled. ${problem ?? "The key was revoked."}`);
          process.exit(1);
        });
      });
    },
  });
}

function openAdminOf({ project, environment, url, "persist-to": stateFolder }: VerifyCommand): AdminClient {
  if (stateFolder !== undefined) return openAdmin({ "persist-to": stateFolder });
  const base = url ?? readUrl(project, environment);
  if (base === null)
    throw new Error("The URL of the service isn't known. Set --url, for example --url=https://extraction.example.com.");
  return openAdmin({ url: base, env: environment ?? undefined, "persist-to": ADMIN_OPTIONS["persist-to"].default });
}

/** Returns the URL of the environment's last deployment, or else its PUBLIC_URL, or else null. */
function readUrl(project: string, environment: string | null): string | null {
  const path = toUrlFile(project, environment);
  if (existsSync(path)) return readFileSync(path, "utf8").trim();
  return readWanted(project, { environment, region: { location: null, jurisdiction: null } }).publicUrl;
}

function storeUrl(project: string, environment: string | null, base: string): void {
  const path = toUrlFile(project, environment);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${base}\n`);
}

function toUrlFile(project: string, environment: string | null): string {
  return join(project, ".wrangler", environment === null ? "deployed-url" : `deployed-url-${environment}`);
}

function toReason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
