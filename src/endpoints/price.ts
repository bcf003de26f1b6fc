import type { Endpoint } from "../model/endpoint";
import { AppError } from "../model/errors";
import { CREDITS } from "../model/limits";

/** Credits of a request. Rendering adds one to a scrape; a parse costs the same whether it rendered or not. */
export function toPrice(endpoint: Endpoint, rendered: boolean): number {
  return CREDITS[endpoint] + (endpoint === "scrape" && rendered ? CREDITS.rendering : 0);
}

export function insufficientCredits(cost: number, balance: number): AppError {
  return new AppError("insufficient_credits", `This request costs ${cost} credits; the balance is ${balance}.`);
}
