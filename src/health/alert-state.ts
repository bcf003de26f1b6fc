import { withTimeout } from "../lib/async";
import { log, toLogged } from "../lib/log";
import { SECOND_MS } from "../model/limits";
import type { PeriodCounts } from "../model/service-counts";
import { putServiceState, readServiceState } from "../store/service-hours";

const NAME = "alerts";
const KEY = "service/alerts.json";
const TIMEOUT_MS = 5 * SECOND_MS;

/** A condition that is true, or was true a short time ago. Times are Unix ms. */
export interface AlertEntry {
  text: string;
  since: number;
  /** The number of evaluations in a row in which the condition was true. */
  times: number;
  /** The results of the last evaluations, newest last: 1 if the condition was true, or 0. */
  recent?: string;
  /** The time since which the condition has been false. Null if it is true. */
  clearSince: number | null;
  /** True if the alert has begun. */
  isActive: boolean;
  /** True if the email that the alert began was accepted. */
  isTold: boolean;
}

export interface AlertState {
  at: number;
  alerts: Record<string, AlertEntry>;
  /** The results of checks that couldn't be stored in D1 yet, by period. */
  uncounted?: PeriodCounts[];
}

export interface ActiveAlert {
  text: string;
  since: number;
}

/**
 * Returns the stored state. D1 and R2 each have a copy, so that an outage of one of them doesn't repeat or lose alerts.
 * Returns null if both can't be read.
 */
export async function readAlertState(env: Env): Promise<AlertState | null> {
  const copies = await Promise.all([
    attempt(async () => (await readServiceState<AlertState>(env.DB, NAME)) ?? EMPTY),
    attempt(async () => (await (await env.STORE.get(KEY))?.json<AlertState>()) ?? EMPTY),
  ]);
  const read = copies.filter((copy) => copy !== null);
  return read.length === 0 ? null : read.reduce((latest, copy) => (copy.at > latest.at ? copy : latest));
}

const EMPTY: AlertState = { at: 0, alerts: {} };

/** Stores the state in D1 and R2. */
export async function writeAlertState(env: Env, state: AlertState): Promise<void> {
  await Promise.all([
    attempt(async () => await putServiceState(env.DB, NAME, state)),
    attempt(async () => await env.STORE.put(KEY, JSON.stringify(state))),
  ]);
}

/** Returns the alerts that have begun and haven't ended, the oldest first. */
export async function readActiveAlerts(env: Env): Promise<ActiveAlert[]> {
  const state = await readAlertState(env);
  if (state === null) throw new Error("The state of the alerts can't be read.");
  return Object.values(state.alerts)
    .filter(({ isActive }) => isActive)
    .map(({ text, since }) => ({ text, since }))
    .sort((a, b) => a.since - b.since);
}

async function attempt<Value>(work: () => Promise<Value>): Promise<Value | null> {
  try {
    return await withTimeout(TIMEOUT_MS, work());
  } catch (error) {
    log("warn", "alert_state_unavailable", toLogged(error));
    return null;
  }
}
