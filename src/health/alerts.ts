// Evaluates the conditions of alerts every minute, and tells the operator when one begins and when it ends.
import { toIso } from "../lib/clock";
import { toHttpOrigin, toPositiveNumber, toText } from "../lib/env";
import { log, toLogged } from "../lib/log";
import { MINUTE_MS, SECOND_MS, WEBHOOK_TIMEOUT_MS } from "../model/limits";
import type { PeriodCounts } from "../model/service-counts";
import { canSendEmail, sendEmail } from "../net/email";
import { outboundFetch } from "../net/outbound-fetch";
import { signatureHeaders } from "../webhooks/signature";
import { type AlertChannel, type AlertEntry, type AlertState, writeAlertState } from "./alert-state";
import { isSlow, PART_NAMES, type PartCheck } from "./checks";
import type { EngineState } from "./engines";
import type { Figures } from "./figures";
import { toShare } from "./verdict";

/** The number of checks in a row that a part must fail. One slow check isn't an outage. */
const FAILED_CHECKS = 2;
/** The number of checks in a row in which a part must be slow. */
const SLOW_CHECKS = 3;
/** The alert of a part also begins if it failed this many of its last checks, because it may fail only sometimes. */
const FAILED_OF_LAST = 4;
const LAST_CHECKS = 10;
/** The time after which results are too old to count. The checks run once a minute, unless the service is stopped. */
const RESULTS_MS = LAST_CHECKS * MINUTE_MS;
/** An alert ends when its condition has been false for this time, so that a value near a threshold causes few emails. */
const CLEAR_MS = 5 * MINUTE_MS;
/** The minimum number of jobs for evaluating the share of failures. */
const MIN_JOBS = 20;
const PERCENT_DEFAULT = 5;
const QUEUE_SECONDS_DEFAULT = 300;
const ABANDONED_DEFAULT = 100;

/**
 * A condition that is true. The alert begins when `times` evaluations in a row find it true. If `times` is above 1, the
 * alert also begins when FAILED_OF_LAST of the last LAST_CHECKS evaluations find it true.
 */
export interface Condition {
  name: string;
  text: string;
  times: number;
}

/** The values that are compared with the thresholds. A value is null if it couldn't be read. */
export interface AlertValues {
  checks: readonly PartCheck[];
  /** The figures of the last 20 to 30 minutes. */
  recent: Figures | null;
  /** The deliveries that were abandoned in the last hour. */
  abandoned: number | null;
  queueAgeMs: number | null;
  engines: readonly EngineState[];
}

interface Thresholds {
  failurePercent: number;
  queueMs: number;
  abandoned: number;
}

/** Returns the thresholds that the variables set. */
export function toThresholds(env: Env): Thresholds {
  return {
    failurePercent: toPositiveNumber(env.ALERT_FAILURE_PERCENT, PERCENT_DEFAULT),
    queueMs: toPositiveNumber(env.ALERT_QUEUE_SECONDS, QUEUE_SECONDS_DEFAULT) * SECOND_MS,
    abandoned: toPositiveNumber(env.ALERT_ABANDONED_DELIVERIES, ABANDONED_DEFAULT),
  };
}

/** The start of the names of conditions that don't need the database. */
const PART_PREFIX = "part:";
/** The end of the names of conditions of parts that respond slowly. */
const SLOW_SUFFIX = "/slow";

export function toConditions(values: AlertValues, thresholds: Thresholds): Condition[] {
  const { checks, recent, abandoned, queueAgeMs, engines } = values;
  const conditions: Condition[] = checks.flatMap((check) => {
    const name = PART_PREFIX + check.part;
    const subject = `The check of the ${PART_NAMES[check.part]}`;
    if (check.result !== "ok") return [{ name, text: `${subject} fails.`, times: FAILED_CHECKS }];
    if (!isSlow(check)) return [];
    return [{ name: name + SLOW_SUFFIX, text: `${subject} takes more than one second.`, times: SLOW_CHECKS }];
  });
  if (recent !== null && recent.jobs >= MIN_JOBS) {
    const own = recent.causes.service;
    if (own * 100 >= recent.jobs * thresholds.failurePercent) {
      const text = `${toShare(own, recent.jobs)} of the jobs of the last 30 minutes failed because of this service.`;
      conditions.push({ name: "failures", text, times: 1 });
    }
  }
  if (queueAgeMs !== null && queueAgeMs >= thresholds.queueMs) {
    const text = `The oldest job has waited in the queue for ${Math.round(queueAgeMs / MINUTE_MS)} minutes.`;
    conditions.push({ name: "queue", text, times: 1 });
  }
  if (abandoned !== null && abandoned >= thresholds.abandoned) {
    const text = `${abandoned.toLocaleString("en")} webhook deliveries were abandoned in the last hour.`;
    conditions.push({ name: "deliveries", text, times: 1 });
  }
  for (const { engine, label, isFailing, lastOutcome } of engines) {
    const text = `The last two checks of ${label} failed (${lastOutcome}).`;
    if (isFailing) conditions.push({ name: `engine:${engine}`, text, times: 1 });
  }
  return conditions;
}

/** The conditions of one minute. */
interface Evaluation {
  conditions: readonly Condition[];
  /** False if only the conditions of parts were evaluated, because the other values couldn't be read. */
  isComplete: boolean;
}

/** The beginning or the end of an alert. Every channel reports it. */
interface AlertChange {
  name: string;
  kind: "began" | "ended";
  text: string;
  since: number;
}

/** Returns the next state, and the changes to report. An alert doesn't end if its condition wasn't evaluated. */
export function nextAlerts(
  stored: AlertState,
  { conditions, isComplete }: Evaluation,
  now: number,
): { state: AlertState; changes: AlertChange[] } {
  const alerts: Record<string, AlertEntry> = {};
  const changes: AlertChange[] = [];
  const isStale = now - stored.at >= RESULTS_MS;
  const entries = Object.entries(stored.alerts).filter(([, { isActive }]) => isActive || !isStale);
  const earlier = new Map(entries.filter(([, entry]) => !isEnding(entry, now)));
  for (const { name, text, times } of conditions) {
    const old = earlier.get(name);
    const count = (old?.times ?? 0) + 1;
    const recent = addResult(old, TRUE);
    const failed = recent.split(TRUE).length - 1;
    const isFlapping = times > 1 && count < times && failed >= FAILED_OF_LAST;
    const isActive = old?.isActive === true || count >= times || isFlapping;
    const shown = isFlapping ? `${text} This was so in ${failed} of the last ${recent.length} checks.` : text;
    const since = old?.isActive === true ? old.since : now - (isFlapping ? toAge(recent) : count - 1) * MINUTE_MS;
    alerts[name] = {
      text: shown,
      since,
      times: count,
      recent,
      clearSince: null,
      isActive,
      isTold: old?.isTold ?? false,
      told: old?.told,
    };
    if (isActive && old?.isTold !== true) changes.push({ name, kind: "began", text: shown, since });
  }
  for (const [name, previous] of entries) {
    if (alerts[name] !== undefined) continue;
    // It isn't known if a part that fails is still slow.
    if (conditions.some((condition) => condition.name + SLOW_SUFFIX === name)) {
      alerts[name] = previous;
      continue;
    }
    const old = name.startsWith(PART_PREFIX) ? { ...previous, recent: addResult(previous, FALSE) } : previous;
    if (!old.isActive) {
      // Keeps the results of a part that failed a short time ago.
      if (old.recent?.includes(TRUE)) alerts[name] = { ...old, times: 0 };
      continue;
    }
    if (!isComplete && !name.startsWith(PART_PREFIX)) {
      alerts[name] = old;
      continue;
    }
    const clearSince = old.clearSince ?? now;
    if (now - clearSince < CLEAR_MS) alerts[name] = { ...old, times: 0, clearSince };
    else if (old.isTold || (old.told ?? []).length > 0) {
      // Keeps the entry until every channel has accepted the end.
      alerts[name] = { ...old, times: 0, clearSince };
      changes.push({ name, kind: "ended", text: old.text, since: old.since });
    }
  }
  return { state: { at: now, alerts }, changes };
}

/** Returns true if the end of the alert is being reported. If its condition is true again, a new alert begins. */
function isEnding({ isTold, clearSince }: AlertEntry, now: number): boolean {
  return !isTold && clearSince !== null && now - clearSince >= CLEAR_MS;
}

const TRUE = "1";
const FALSE = "0";

/** Returns the results of the last evaluations with the new one, newest last. */
function addResult(entry: AlertEntry | undefined, result: string): string {
  return `${entry?.recent ?? ""}${result}`.slice(-LAST_CHECKS);
}

/** Returns the number of evaluations since the first one of `recent` in which the condition was true. */
function toAge(recent: string): number {
  return recent.length - 1 - recent.indexOf(TRUE);
}

/**
 * Updates the alerts and reports the changes. `stored` is null if the state can't be read. Stores `uncounted` with the
 * state. If a channel doesn't accept a change, the change is sent again to this channel in the next minute.
 */
export async function sendAlerts(
  env: Env,
  stored: AlertState | null,
  { evaluation, uncounted, now }: { evaluation: Evaluation; uncounted: PeriodCounts[]; now: number },
): Promise<number> {
  if (stored === null) {
    for (const { name, text } of evaluation.conditions) log("error", "alert_not_sent", { alert: name, text });
    return 0;
  }
  const { state, changes } = nextAlerts(stored, evaluation, now);
  const channels = toChannels(env);
  // The changes are sent in parallel. Otherwise, the time limit of the cron's part could end before the state is stored,
  // and the accepted changes would be sent again every minute.
  const send = async (change: AlertChange) => {
    const { name, kind, text, since } = change;
    log(kind === "began" ? "error" : "info", `alert_${kind}`, { alert: name, text, since });
    const entry = state.alerts[name];
    if (entry === undefined) return;
    const told = entry.told ?? (entry.isTold ? channels : []);
    const due = channels.filter((channel) => told.includes(channel) === (kind === "ended"));
    const accepted = await Promise.all(due.map((channel) => SENDERS[channel](env, change, now)));
    const failed = due.filter((_, index) => accepted[index] === false);
    entry.isTold = kind === "began" && failed.length === 0;
    entry.told = kind === "began" ? channels.filter((channel) => !failed.includes(channel)) : failed;
    if (kind === "ended" && failed.length === 0) delete state.alerts[name];
  };
  await Promise.all(changes.map(send));
  const next = { ...state, uncounted };
  const toText = ({ alerts, uncounted: periods = [] }: AlertState) => JSON.stringify([alerts, periods]);
  if (toText(stored) !== toText(next)) await writeAlertState(env, next);
  return changes.length;
}

const HEALTH_PATH = "/dashboard/admin/health";

/** Each sender returns true if the channel accepted the change. Otherwise, it logs the error. */
const SENDERS: Record<AlertChannel, (env: Env, change: AlertChange, now: number) => Promise<boolean>> = {
  email: emailChange,
  webhook: postChange,
};

/** Returns the channels that are configured. */
function toChannels(env: Env): AlertChannel[] {
  const channels: AlertChannel[] = [];
  if (toText(env.ALERT_EMAIL) !== null && canSendEmail(env)) channels.push("email");
  if (toHttpOrigin(env.ALERT_WEBHOOK) !== null && toText(env.ALERT_WEBHOOK_SECRET) !== null) channels.push("webhook");
  return channels;
}

async function emailChange(env: Env, { kind, text, since }: AlertChange, now: number): Promise<boolean> {
  const minutes = Math.max(1, Math.round((now - since) / MINUTE_MS));
  const subject = kind === "began" ? `Alert: ${text}` : `Ended: ${text}`;
  const explained =
    kind === "began"
      ? "You will get another email when the problem has ended."
      : `The problem has ended. It began ${minutes === 1 ? "1 minute" : `${minutes} minutes`} ago.`;
  const link = `${toHttpOrigin(env.PUBLIC_URL)}${HEALTH_PATH}`;
  const to = env.ALERT_EMAIL.trim();
  return await sendEmail(env, { to, subject, text: `${text}\n\n${explained}\n\nOpen the health page:\n\n${link}\n` });
}

/** Posts the change to ALERT_WEBHOOK. It is the operator's own URL, so it may also be a private address. */
async function postChange(env: Env, { name, kind, text, since }: AlertChange, now: number): Promise<boolean> {
  const origin = toHttpOrigin(env.PUBLIC_URL);
  const url = origin === null ? null : `${origin}${HEALTH_PATH}`;
  const body = JSON.stringify({ type: `alert.${kind}`, name, text, since: toIso(since), at: toIso(now), url });
  const secrets = { current: env.ALERT_WEBHOOK_SECRET?.trim() ?? "", previous: null };
  try {
    // The id is the same in each attempt, so that the receiver can recognize a change that it already knows.
    const signatures = await signatureHeaders({ id: `${name}:${kind}:${since}`, body, secrets }, now);
    const response = await outboundFetch(env.ALERT_WEBHOOK.trim(), {
      method: "POST",
      redirect: "manual",
      headers: { "content-type": "application/json", ...signatures },
      body,
      signal: AbortSignal.timeout(WEBHOOK_TIMEOUT_MS),
    });
    await response.body?.cancel();
    if (!response.ok) log("error", "alert_webhook_refused", { alert: name, status: response.status });
    return response.ok;
  } catch (error) {
    log("error", "alert_webhook_failed", { alert: name, ...toLogged(error) });
    return false;
  }
}
