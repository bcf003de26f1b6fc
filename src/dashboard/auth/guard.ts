import { now } from "../../lib/clock";
import { MAX_EMAIL_CHARS, MINUTE_MS, SECOND_MS } from "../../limits";

/** Tries of one user's password a minute, from all addresses together. */
const TRIES_A_MINUTE = 10;
/** Letters a minute to one address, whoever asks for them. */
const LETTERS_A_MINUTE = 3;

export interface Guard {
  /** Counts a try; the seconds to wait when there were too many. */
  take: (email: string) => Promise<number | null>;
  /** The password was right: it isn't counted. */
  forgive: (email: string) => Promise<void>;
}

/**
 * Against many addresses that guess one user's password. A window is a minute, so that nobody's guesses lock the user out
 * for longer; whether there is such a user makes no difference.
 */
export function toGuard(env: Env): Guard {
  return {
    take: async (email) => {
      const { allowed, resetAt } = await toGate(env, "sign-in", email).take(TRIES_A_MINUTE);
      return allowed ? null : Math.max(1, Math.ceil(Math.min(resetAt - now(), MINUTE_MS) / SECOND_MS));
    },
    forgive: async (email) => await toGate(env, "sign-in", email).forgive(),
  };
}

/** Whether this address may be sent one more letter. */
export async function mayWrite(env: Env, email: string): Promise<boolean> {
  return (await toGate(env, "letters", email).take(LETTERS_A_MINUTE)).allowed;
}

function toGate(env: Env, what: string, email: string) {
  return env.ADDRESS_GATE.getByName(`${what}:${email.toLowerCase().slice(0, MAX_EMAIL_CHARS)}`);
}
