import type { Endpoint } from "../model/endpoint";
import { AppError } from "../model/errors";
import { toScript } from "./mock/outcome";
import { insufficientCredits, toPrice } from "./price";

interface Scripted {
  endpoint: Endpoint;
  rendered: boolean;
  request: { url?: string | undefined; query?: string | undefined };
}

/** The outcomes that a test key can ask for which end a request before there is a job: throws them. */
export function refuseByScript({ endpoint, rendered, request }: Scripted): void {
  const script = toScript(endpoint, request);
  if (script.kind !== "refused") return;
  if (script.code === "insufficient_credits") throw insufficientCredits(toPrice(endpoint, rendered), 0);
  throw new AppError("rate_limited", "This target plays a used-up rate window. Try again in 60 seconds.", {
    headers: { "Retry-After": "60" },
  });
}
