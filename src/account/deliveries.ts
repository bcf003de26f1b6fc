import type { Job } from "../model/job";
import type { Transaction } from "./transaction";

/** Inserts the delivery of a job's event, once, and begins its first attempt unless it has to wait. */
export function insertDelivery(_tx: Transaction, _job: Job): void {}

/** Handles up to `limit` deliveries whose time has come. Returns how many it handled. */
export function recoverDeliveries(_tx: Transaction, _limit: number): number {
  return 0;
}
