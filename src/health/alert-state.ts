import type { PeriodCounts } from "../model/service-counts";
import { putServiceState, readServiceState } from "../store/service-hours";
import { readOrNull } from "./checks";

const NAME = "alerts";
const KEY = "service/alerts.json";

/** The ways to tell the operator about an alert. */
export type AlertChannel = "email" | "webhook";

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
  isActive: boolean;
  /** True if every channel has accepted the beginning of the alert, and none its end. */
  isTold: boolean;
  /** The channels that have accepted the beginning of the alert, but not its end. */
  told?: AlertChannel[] | undefined;
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
    readOrNull(
      "alerts",
      readServiceState<AlertState>(env.DB, NAME).then((state) => state ?? EMPTY),
    ),
    readOrNull(
      "alerts",
      env.STORE.get(KEY).then(async (object) => (await object?.json<AlertState>()) ?? EMPTY),
    ),
  ]);
  const read = copies.filter((copy) => copy !== null);
  return read.length === 0 ? null : read.reduce((latest, copy) => (copy.at > latest.at ? copy : latest));
}

const EMPTY: AlertState = { at: 0, alerts: {} };

/** Stores the state in D1 and R2. */
export async function writeAlertState(env: Env, state: AlertState): Promise<void> {
  await Promise.all([
    readOrNull("alerts", putServiceState(env.DB, NAME, state)),
    readOrNull("alerts", env.STORE.put(KEY, JSON.stringify(state))),
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
