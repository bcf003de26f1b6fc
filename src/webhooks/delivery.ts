import { DurableObject } from "cloudflare:workers";
import { now } from "../lib/clock";
import { log, toLogged } from "../lib/log";
import { DAY_MS, MINUTE_MS, WEBHOOK_ANSWER_MS } from "../limits";
import { getDelivery, recordProgress } from "../store/deliveries";
import type { Attempt, Delivery, DeliveryStatus } from "./delivery-log";
import { readBody } from "./prepare";
import { countAnswered, judge, pauseAfter, postponement } from "./schedule";
import { type Outcome, send } from "./send";
import { readSigningSecrets } from "./settings";

/** What it would send can't be read for so long: it never will be. */
const PREPARING_MAX_MS = DAY_MS;
const DIED = "This attempt was interrupted on our side: whether it arrived isn't known.";
/** The log in the database couldn't be written: again after this. */
const RECORD_RETRY_MS = MINUTE_MS / 2;

/** One round of a delivery, kept in the object until the database knows how it ended. */
interface Round {
  id: string;
  round: number;
  /** Unix ms. */
  startedAt: number;
  status: DeliveryStatus;
  /** Those that have ended. */
  attempts: Attempt[];
  /** Unix ms at which the one under way began. */
  begunAt: number | null;
  /** Unix ms at which the next attempt is due. */
  nextAt: number;
  /** Times in a row that an attempt couldn't be prepared. */
  unprepared: number;
  /** Whether the database knows of it as it stands. */
  recorded: boolean;
}

/**
 * One per delivery, named by its id: sends the event, and again until it was taken or given up. The alarm is the clock, the
 * object's storage the truth about a round, the row in D1 whether there is one to be done, and its log.
 *
 * An attempt and the alarm after it are written before the POST, the outcome directly after: alarms run at least once, and
 * what was answered isn't sent again for that.
 */
export class WebhookDelivery extends DurableObject<Env> {
  /** Ends the attempt under way, when its round is started over. */
  #underWay: AbortController | null = null;

  /** Begins this round, unless it has begun; one that is under way is left. May be repeated. */
  async start(id: string, round: number): Promise<void> {
    const present = this.#read();
    if (present === undefined || present.round < round) {
      this.#write({
        id,
        round,
        startedAt: now(),
        status: "pending",
        attempts: [],
        begunAt: null,
        nextAt: now(),
        unprepared: 0,
        recorded: true,
      });
      this.ctx.storage.kv.delete("body");
      this.#underWay?.abort(new Error("The delivery was started over."));
      await this.ctx.storage.setAlarm(now());
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

  async #advance(round: Round): Promise<void> {
    if (round.begunAt !== null) return await this.#settle(round, round.begunAt, interruption(DIED));
    if (round.status !== "pending" || now() < round.nextAt) return await this.#record(round);
    const delivery = await this.#readRow(round);
    if (delivery === "unreadable") return;
    if (delivery === null || delivery.status !== "pending" || delivery.round < round.round) return await this.#clear();
    if (delivery.round > round.round) return await this.start(round.id, delivery.round);
    const prepared = await this.#prepare(round, delivery);
    // Meanwhile it may have been started over: the alarm of that is set.
    if (prepared === null || !this.#isPresent(round)) return;
    const begunAt = now();
    round.begunAt = begunAt;
    round.unprepared = 0;
    // Should this object die now, the next attempt is due after this one's time and a pause.
    round.nextAt = begunAt + WEBHOOK_ANSWER_MS + pauseAfter(countAnswered(round.attempts) + 1);
    this.#write(round);
    await this.ctx.storage.setAlarm(round.nextAt);
    const controller = new AbortController();
    this.#underWay = controller;
    const { url, origin } = delivery;
    const parcel = { id: round.id, url, origin, attempt: round.attempts.length + 1, ...prepared };
    const outcome = await send(this.env, parcel, controller.signal);
    this.#underWay = null;
    if (!this.#isPresent(round)) return;
    const once = delivery.event === "webhook.test";
    await this.#settle(round, begunAt, outcome, { body: prepared.body, once });
  }

  /** Writes down what came of the attempt under way, and what follows. */
  async #settle(
    round: Round,
    begunAt: number,
    outcome: Outcome & { interrupted?: true },
    { body, once = false }: { body?: string; once?: boolean } = {},
  ): Promise<void> {
    const attempt: Attempt = { at: begunAt, ...outcome };
    round.attempts.push(attempt);
    round.begunAt = null;
    const verdict = judge(round.attempts, { once, now: now() });
    round.status = verdict.status;
    if (verdict.status === "pending" && !attempt.interrupted) round.nextAt = verdict.nextAt;
    round.recorded = false;
    this.#write(round);
    // Every attempt sends the same bytes, whatever is deployed until then.
    if (body !== undefined && verdict.status === "pending") {
      this.ctx.storage.kv.put("body", new TextEncoder().encode(body));
    }
    log("info", "webhook", {
      delivery_id: round.id,
      attempt: round.attempts.length,
      status: round.status,
      status_code: attempt.status_code,
      duration_ms: attempt.duration_ms,
    });
    await this.#record(round);
  }

  /** Tells the database how the round stands, and lets it go when it has ended. */
  async #record(round: Round): Promise<void> {
    const isOver = round.status !== "pending";
    await this.ctx.storage.setAlarm(isOver ? now() + RECORD_RETRY_MS : Math.max(now(), round.nextAt));
    if (!round.recorded) {
      try {
        await recordProgress(this.env.DB, {
          id: round.id,
          round: round.round,
          status: round.status,
          attempts: round.attempts,
          nextAttemptAt: isOver ? null : round.nextAt,
        });
      } catch (error) {
        log("warn", "delivery_not_recorded", { delivery_id: round.id, ...toLogged(error) });
        if (this.#isPresent(round)) {
          await this.ctx.storage.setAlarm(Math.min(now() + RECORD_RETRY_MS, isOver ? Infinity : round.nextAt));
        }
        return;
      }
      if (!this.#isPresent(round)) return;
      round.recorded = true;
      this.#write(round);
    }
    if (isOver) await this.#clear();
  }

  async #readRow(round: Round): Promise<Delivery | null | "unreadable"> {
    try {
      return await getDelivery(this.env.DB, round.id);
    } catch (error) {
      await this.#postpone(round, error);
      return "unreadable";
    }
  }

  async #prepare(round: Round, delivery: Delivery) {
    try {
      const kept = this.ctx.storage.kv.get<Uint8Array>("body");
      return {
        body: kept === undefined ? await readBody(this.env, delivery) : new TextDecoder().decode(kept),
        secrets: await readSigningSecrets(this.env, delivery, now()),
      };
    } catch (error) {
      await this.#postpone(round, error);
      return null;
    }
  }

  /** What must be read can't be: no attempt of the receiver's is lost for that. */
  async #postpone(round: Round, error: unknown): Promise<void> {
    if (!this.#isPresent(round)) return;
    log("error", "delivery_not_prepared", { delivery_id: round.id, ...toLogged(error) });
    round.unprepared++;
    if (now() - round.startedAt > PREPARING_MAX_MS) {
      round.attempts.push({
        at: now(),
        ...interruption("It could not be prepared for a day, for a reason on our side."),
      });
      round.status = "abandoned";
      round.recorded = false;
    }
    this.#write(round);
    await this.ctx.storage.setAlarm(now() + postponement(round.unprepared));
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

/** An attempt that failed on our side. */
function interruption(error: string): Outcome & { interrupted: true } {
  return { status_code: null, duration_ms: null, error, response: null, interrupted: true };
}
