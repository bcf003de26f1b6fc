import { DurableObject } from "cloudflare:workers";
import { now } from "../lib/clock";
import { log, toLogged } from "../lib/log";
import type { Attempt, Delivery, DeliveryStatus } from "../model/delivery";
import { DAY_MS, SECOND_MS, WEBHOOK_ANSWER_MS } from "../model/limits";
import { getDelivery, recordEarlierAttempt, recordProgress } from "../store/deliveries";
import { EventGone, readEventBody } from "./event";
import { countAttempts, delayAfter, judge, postponement } from "./schedule";
import { type Parcel, readExcerpt, send } from "./send";
import { readSigningSecrets } from "./settings";

/** What it would send can't be read for so long: it never will be. */
const PREPARING_MAX_MS = DAY_MS;
/** The log in the database couldn't be written: again after this. */
const RECORD_RETRY_MS = 30 * SECOND_MS;

const DIED = "This attempt was interrupted on our side: whether it arrived isn't known.";
const STARTED_OVER = "This attempt was cut short: the delivery was started over.";
const UNPREPARED = "It could not be prepared for a day, for a reason on our side.";

/** One round of a delivery, kept in the object until the database knows how it ended. Times are Unix ms. */
interface Round {
  id: string;
  round: number;
  status: DeliveryStatus;
  /** Those that have ended. */
  attempts: Attempt[];
  /** When the one under way began. */
  begunAt: number | null;
  /** When the next attempt is due. */
  nextAt: number;
  /** A test event, which isn't repeated. */
  once: boolean;
  /** Since when the next attempt can't be prepared, and how often that was tried; null: it can. */
  unprepared: { since: number; times: number } | null;
  /** Whether the database knows of it as it stands. */
  recorded: boolean;
}

type Prepared = Pick<Parcel, "body" | "secrets">;

/**
 * One per delivery, named by its id: sends the event, and again until it was taken or given up. The alarm is the clock, the
 * object's storage the truth about a round, the row in D1 whether there is one to be done, and its log.
 *
 * An attempt and the alarm after it are written before the POST, the outcome as soon as the status is there: alarms run at
 * least once, and what was answered isn't sent again for that.
 */
export class WebhookDelivery extends DurableObject<Env> {
  /** Ends the attempt under way, when its round is started over. */
  #underWay: AbortController | null = null;

  /** Begins this round, unless it has begun; one that is under way is left. May be repeated. */
  async start(id: string, round: number): Promise<void> {
    const present = this.#read();
    if (present === undefined || present.round < round) {
      const nextAt = now();
      const begun = { id, round, status: "pending", attempts: [], begunAt: null, nextAt } as const;
      this.#write({ ...begun, attempts: [], once: false, unprepared: null, recorded: true });
      this.ctx.storage.kv.delete("body");
      this.#underWay?.abort(new Error(STARTED_OVER));
      await this.ctx.storage.setAlarm(nextAt);
    } else if ((await this.ctx.storage.getAlarm()) === null) {
      await this.ctx.storage.setAlarm(Math.max(now(), present.nextAt));
    }
  }

  /** Never throws: the platform repeats a throwing alarm six times, and then no more. */
  override async alarm(): Promise<void> {
    const round = this.#read();
    if (round === undefined) return;
    try {
      await this.#advance(round);
    } catch (error) {
      log("error", "delivery_failed", { delivery_id: round.id, ...toLogged(error) });
      await this.ctx.storage.setAlarm(now() + RECORD_RETRY_MS);
    }
  }

  /** Does what is due, if anything is. */
  async #advance(round: Round): Promise<void> {
    // Alarms don't overlap: whoever began this attempt is dead.
    if (round.begunAt !== null) this.#settle(round, { at: round.begunAt, ...failureOfOurs(DIED) });
    if (round.status !== "pending" || now() < round.nextAt) return await this.#record(round);
    const delivery = await this.#orPostpone(round, () => getDelivery(this.env.DB, round.id));
    if (delivery === undefined) return;
    if (delivery === null) log("error", "delivery_without_row", { delivery_id: round.id });
    if (delivery === null || delivery.status !== "pending") return await this.#clear();
    if (delivery.round > round.round) return await this.start(round.id, delivery.round);
    const prepared = await this.#orPostpone(round, () => this.#prepare(delivery));
    // It may have been started over meanwhile, and has an alarm for that.
    if (prepared !== undefined && this.#isPresent(round)) await this.#attempt(round, delivery, prepared);
  }

  async #prepare(delivery: Delivery): Promise<Prepared> {
    const kept = this.ctx.storage.kv.get<Uint8Array>("body");
    return {
      body: kept === undefined ? await readEventBody(this.env, delivery) : new TextDecoder().decode(kept),
      secrets: await readSigningSecrets(this.env, delivery, now()),
    };
  }

  async #attempt(round: Round, { event, url, origin }: Delivery, prepared: Prepared): Promise<void> {
    const at = now();
    round.begunAt = at;
    round.once = event === "webhook.test";
    round.unprepared = null;
    const attempt = countAttempts(round.attempts) + 1;
    // Should this object die now, the next attempt is due after this one's time and a pause.
    round.nextAt = at + WEBHOOK_ANSWER_MS + delayAfter(attempt);
    this.#write(round);
    await this.ctx.storage.setAlarm(round.nextAt);

    const controller = new AbortController();
    this.#underWay = controller;
    const { outcome, response } = await send(
      this.env,
      { id: round.id, url, origin, attempt, ...prepared },
      controller.signal,
    );
    this.#underWay = null;
    if (!this.#isPresent(round)) {
      await response?.body?.cancel();
      return await this.#recordCutShort(round.id, { at, ...outcome, error: STARTED_OVER, response: null });
    }
    const ended: Attempt = { at, ...outcome, response: null };
    this.#settle(round, ended, prepared.body);
    // How it went is kept by now: what the answer says is for the log alone.
    if (response !== undefined) ended.response = await readExcerpt(response);
    if (!this.#isPresent(round)) return;
    this.#write(round);
    await this.#record(round);
  }

  /** Keeps how an attempt ended, and what follows from it. */
  #settle(round: Round, attempt: Attempt, body?: string): void {
    round.attempts.push(attempt);
    round.begunAt = null;
    const verdict = judge(round.attempts, { once: round.once, now: now() });
    round.status = verdict.status;
    if (verdict.status === "pending" && !attempt.interrupted) round.nextAt = verdict.nextAt;
    round.recorded = false;
    this.#write(round);
    void this.ctx.storage.setAlarm(verdict.status === "pending" ? round.nextAt : now() + RECORD_RETRY_MS);
    // Every further attempt sends the same bytes, whatever is deployed until then.
    if (body !== undefined && verdict.status === "pending") {
      this.ctx.storage.kv.put("body", new TextEncoder().encode(body));
    }
    log("info", "webhook", {
      delivery_id: round.id,
      attempt: countAttempts(round.attempts),
      status: round.status,
      status_code: attempt.status_code,
      duration_ms: attempt.duration_ms,
    });
  }

  /** Tells the database how the round stands, and lets it go when it has ended. Sets the alarm for what is next. */
  async #record(round: Round): Promise<void> {
    const isOver = round.status !== "pending";
    await this.ctx.storage.setAlarm(isOver ? now() + RECORD_RETRY_MS : Math.max(now(), round.nextAt));
    if (!round.recorded) {
      const { id, status, attempts } = round;
      const nextAttemptAt = isOver ? null : round.nextAt;
      try {
        await recordProgress(this.env.DB, { id, round: round.round, status, attempts, nextAttemptAt });
      } catch (error) {
        log("warn", "delivery_not_recorded", { delivery_id: id, ...toLogged(error) });
        if (!this.#isPresent(round)) return;
        return await this.ctx.storage.setAlarm(Math.min(now() + RECORD_RETRY_MS, nextAttemptAt ?? Infinity));
      }
      if (!this.#isPresent(round)) return;
      round.recorded = true;
      this.#write(round);
    }
    if (isOver) await this.#clear();
  }

  /** An attempt whose round was started over counts for nothing, but was made. */
  async #recordCutShort(id: string, attempt: Attempt): Promise<void> {
    try {
      await recordEarlierAttempt(this.env.DB, id, attempt);
    } catch (error) {
      log("warn", "delivery_not_recorded", { delivery_id: id, ...toLogged(error) });
    }
  }

  /** What the work reads; undefined, and the attempt put off, when it can't be read. */
  async #orPostpone<T>(round: Round, work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      if (this.#isPresent(round)) await this.#postpone(round, error);
      return undefined;
    }
  }

  /** No attempt of the receiver's is lost for what fails on our side. */
  async #postpone(round: Round, error: unknown): Promise<void> {
    log("error", "delivery_not_prepared", { delivery_id: round.id, ...toLogged(error) });
    const { since, times } = round.unprepared ?? { since: now(), times: 0 };
    round.unprepared = { since, times: times + 1 };
    const reason = error instanceof EventGone ? error.message : now() - since > PREPARING_MAX_MS ? UNPREPARED : null;
    if (reason !== null) {
      round.attempts.push({ at: now(), ...failureOfOurs(reason) });
      round.status = "abandoned";
      round.recorded = false;
    }
    this.#write(round);
    await this.ctx.storage.setAlarm(reason === null ? now() + postponement(times + 1) : now());
  }

  #read(): Round | undefined {
    return this.ctx.storage.kv.get<Round>("round");
  }

  #write(round: Round): void {
    this.ctx.storage.kv.put("round", round);
  }

  /** False once the delivery was started over. */
  #isPresent(round: Round): boolean {
    return this.#read()?.round === round.round;
  }

  async #clear(): Promise<void> {
    await Promise.all([this.ctx.storage.deleteAlarm(), this.ctx.storage.deleteAll()]);
  }
}

/** An attempt that the receiver isn't to blame for. */
function failureOfOurs(error: string): Omit<Attempt, "at"> {
  return { status_code: null, duration_ms: null, error, response: null, interrupted: true };
}
