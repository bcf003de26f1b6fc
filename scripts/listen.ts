// `npm run listen`: receives the webhooks of the service that `npm start` runs, verifies their signatures and prints
// them.
import { resolve } from "node:path";
import { styleText } from "node:util";
import { type ListenArguments, readArguments, USAGE } from "./listen/arguments.ts";
import { formatEvent, formatRefused } from "./listen/format.ts";
import { type Received, startReceiver } from "./listen/receiver.ts";
import { findLocalService, readWebhookSecrets, register, restore } from "./listen/settings.ts";
import { type Secrets, type SignedRequest, type Verifications, verifySignatures } from "./listen/verify.ts";
import { readCommandLine } from "./options.ts";
import { handleEndSignals } from "./processes.ts";

const PROJECT = resolve(import.meta.dirname, "..");

const chosen = readCommandLine(USAGE, () => readArguments(process.argv.slice(2)));
try {
  await main(chosen);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}

async function main({ persistTo, port, status, full, replace }: ListenArguments): Promise<void> {
  const stateFolder = resolve(PROJECT, persistTo);
  const service = findLocalService(stateFolder);
  const verify = await createVerifier(stateFolder);
  const print = async (received: Received) => {
    const { body } = received;
    if (body === null) return console.log(`\n${formatRefused(received)}`);
    const verified = await verify({ headers: received.headers, body });
    // styleText adds no colors if stdout isn't a terminal, or if NO_COLOR is set.
    console.log(`\n${formatEvent(received, verified, { full, paint: styleText })}`);
  };
  const url = `http://127.0.0.1:${port}/`;
  const server = await startReceiver({ port, status }, (received) => void print(received));
  console.log(`Listening on ${url} for the webhooks of ${service}.`);
  const registering = register(stateFolder, url, { replace });
  let stopping = false;
  const stop = () => {
    if (stopping) return;
    stopping = true;
    server.close();
    console.log();
    void registering.then((registrations) => restore(stateFolder, url, registrations)).finally(() => process.exit(0));
  };
  handleEndSignals(stop);
  // The terminal or the program that reads the output was closed.
  process.stdout.on("error", stop);
  await registering;
  console.log("Waiting for events. Press Ctrl-C to stop.");
}

/**
 * Returns a function that verifies both signatures of a request. If neither is valid, the function reads the secrets
 * again, because they may have been rotated.
 */
async function createVerifier(stateFolder: string): Promise<(request: SignedRequest) => Promise<Verifications>> {
  let secrets: Secrets = await readWebhookSecrets(stateFolder);
  return async (request) => {
    const first = verifySignatures(request, secrets);
    if (first.mode !== null) return first;
    // If the service can't be reached, the result for the known secrets is printed.
    secrets = await readWebhookSecrets(stateFolder).catch(() => secrets);
    return verifySignatures(request, secrets);
  };
}
