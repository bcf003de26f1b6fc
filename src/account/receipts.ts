// The column `receipt` of the table `jobs`. While a job is unfinished, it has the parts of the reserved price and the
// prices at the job's creation. When the job ends, the receipt replaces them.
import type { Prices } from "../model/prices";
import type { PriceLine, Receipt } from "../model/receipt";

/** The columns of a job that the functions of this file read. */
interface ReceiptColumns {
  receipt: string | null;
  endpoint: string;
  credits: number;
}

type StoredReceipt = { planned: PriceLine[]; prices?: Prices } | Receipt;

/**
 * Returns the value of the column for an unfinished job. `lines` are the parts of the price, as a live key would pay
 * them.
 */
export function writePlanned(lines: PriceLine[], prices?: Prices): string {
  return JSON.stringify({ planned: lines, ...(prices && { prices }) } satisfies StoredReceipt);
}

/** Returns the parts of the price of an unfinished job. A job of an earlier version has one part. */
export function readPlanned({ receipt, endpoint, credits }: ReceiptColumns): PriceLine[] {
  const stored = parse(receipt);
  return stored !== null && "planned" in stored ? stored.planned : [{ item: endpoint, credits }];
}

/** Returns the prices at the creation of an unfinished job, or null if an earlier version created it. */
export function readPrices({ receipt }: Pick<ReceiptColumns, "receipt">): Prices | null {
  const stored = parse(receipt);
  return (stored !== null && "planned" in stored ? stored.prices : null) ?? null;
}

/**
 * Returns the receipt of a job that has ended. Returns null for an unfinished job, and for a job that an earlier version
 * has ended.
 */
export function readReceipt({ receipt }: Pick<ReceiptColumns, "receipt">): Receipt | null {
  const stored = parse(receipt);
  return stored !== null && "total" in stored ? stored : null;
}

function parse(json: string | null): StoredReceipt | null {
  return json === null ? null : JSON.parse(json);
}
