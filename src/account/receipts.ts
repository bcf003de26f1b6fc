// The column `receipt` of the table `jobs`. While a job is unfinished, it has the parts of the reserved price and the
// prices at the job's creation. When the job ends, the receipt replaces them.
import type { Prices } from "../model/prices";
import type { PriceLine, Receipt } from "../model/receipt";

/** The columns of a job that the functions of this file read. */
interface ReceiptColumns {
  receipt: string;
}

type StoredReceipt = { planned: PriceLine[]; prices: Prices } | Receipt;

/**
 * Returns the value of the column for an unfinished job. `lines` are the parts of the price, as a live key would pay
 * them.
 */
export function writePlanned(lines: PriceLine[], prices: Prices): string {
  return JSON.stringify({ planned: lines, prices } satisfies StoredReceipt);
}

/** Returns the parts of the price of an unfinished job. Throws if the job has ended. */
export function readPlanned(row: ReceiptColumns): PriceLine[] {
  const stored = parse(row);
  if (!("planned" in stored)) throw new Error("The job has ended, so its receipt has replaced the parts of its price.");
  return stored.planned;
}

/** Returns the prices at the creation of an unfinished job, or null if the job has ended. */
export function readPrices(row: ReceiptColumns): Prices | null {
  const stored = parse(row);
  return "planned" in stored ? stored.prices : null;
}

/** Returns the receipt of a job that has ended, or null for an unfinished job. */
export function readReceipt(row: ReceiptColumns): Receipt | null {
  const stored = parse(row);
  return "total" in stored ? stored : null;
}

function parse({ receipt }: ReceiptColumns): StoredReceipt {
  return JSON.parse(receipt);
}
