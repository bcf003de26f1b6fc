// The arguments of `npm run listen`.
import { parseArguments, readInteger } from "../options.ts";

export const LISTEN_PORT = 8789;
/** The host:port entries that `npm start` allows for webhooks, so that `npm run listen` works without options. */
export const LISTEN_HOSTS = [`127.0.0.1:${LISTEN_PORT}`, `localhost:${LISTEN_PORT}`];

export const USAGE = `npm run listen -- [options]

  --set              replaces a webhook URL that is already set, until you stop
  --port N           the port to listen on (default ${LISTEN_PORT})
  --status N         the status of every response, for example 500 (default 200)
  --full             prints the whole JSON of each event
  --persist-to DIR   the state folder of the service (default .wrangler/state)
  --help             prints this help

Receives the webhooks of the service that npm start runs, and prints them with
the result of the verification of their signatures. If no webhook URL is set,
the command sets its own URL and removes it when you stop it with Ctrl-C. To
send a single job to it, use "webhook_url": "http://127.0.0.1:${LISTEN_PORT}/".`;

export interface ListenArguments {
  replace: boolean;
  port: number;
  status: number;
  full: boolean;
  persistTo: string;
}

/** Parses the arguments. Throws an Error with a message for the user if one is invalid. */
export function readArguments(argv: string[]): ListenArguments {
  const { values } = parseArguments({
    args: argv,
    options: {
      set: { type: "boolean", default: false },
      port: { type: "string", default: String(LISTEN_PORT) },
      status: { type: "string", default: "200" },
      full: { type: "boolean", default: false },
      "persist-to": { type: "string", default: ".wrangler/state" },
    },
  });
  return {
    replace: values.set,
    port: readInteger("--port", values.port, { least: 1, most: 65_535 }),
    status: readInteger("--status", values.status, { least: 200, most: 599 }),
    full: values.full,
    persistTo: values["persist-to"],
  };
}
