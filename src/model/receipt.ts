// These are type aliases, because an interface isn't assignable to the JSON values of `meta`.

/** One line of a price or a receipt. `credits` is negative for a refund. */
export type PriceLine = {
  /** The name of the charged service, such as `scrape` or `rendering`. For a refund, it is `refund`. */
  item: string;
  credits: number;
  /** The reason of a refund or of a reduced price: an outcome, an error code, or one of `REFUND_REASONS`. */
  reason?: string;
};

/** The lines of a job's charge. `total` is the sum of the lines, which are the charged credits. */
export type Receipt = {
  total: number;
  lines: PriceLine[];
};

/** The reasons of refunds and prices besides outcomes and error codes. `capture`: a kept page was used. */
export const REFUND_REASONS = ["test_key", "not_used", "capture", "no_model"] as const;
export type RefundReason = (typeof REFUND_REASONS)[number];

export function totalOf(lines: readonly PriceLine[]): number {
  return lines.reduce((sum, { credits }) => sum + credits, 0);
}

/** Returns the receipt for a charge. If the lines cost more than `charge`, adds a refund with the reason. */
export function toReceipt(lines: readonly PriceLine[], charge: number, reason: string): Receipt {
  const difference = charge - totalOf(lines);
  const refund = { item: "refund", credits: difference, reason };
  return { total: charge, lines: difference === 0 ? [...lines] : [...lines, refund] };
}
