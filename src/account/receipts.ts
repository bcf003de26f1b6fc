// The column `receipt` of the table `jobs`. While a job is unfinished, it has the method with the parts of its
// price, and the prices at the job's creation. When the job ends, the receipt replaces them.
import type { Prices } from "../model/prices";
import type { Receipt } from "../model/receipt";
import type { RunPlan } from "../model/run-plan";

/** The columns of a job that the functions of this file read. */
interface ReceiptColumns {
  receipt: string;
}

/** The method of an unfinished job, and the prices at its creation. */
interface Planned {
  plan: RunPlan;
  prices: Prices;
}

/** Returns the value of the column for an unfinished job. */
export function writePlanned({ plan, prices }: Planned): string {
  return JSON.stringify({ plan, prices } satisfies Planned);
}

/** Returns the method and the prices of an unfinished job. Throws if the job has ended. */
export function readPlanned(row: ReceiptColumns): Planned {
  const stored = parse(row);
  if (!("plan" in stored)) throw new Error("The job has ended, so its receipt has replaced the parts of its price.");
  return stored;
}

/** Returns the receipt of a job that has ended, or null for an unfinished job. */
export function readReceipt(row: ReceiptColumns): Receipt | null {
  const stored = parse(row);
  return "total" in stored ? stored : null;
}

function parse({ receipt }: ReceiptColumns): Planned | Receipt {
  return JSON.parse(receipt);
}
