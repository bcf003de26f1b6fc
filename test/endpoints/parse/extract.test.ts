import { expect, it } from "vitest";
import { extract } from "../../../src/endpoints/parse/extract";
import { AppError } from "../../../src/model/errors";
import type { Model } from "../../../src/models/provider";

it("a part whose model call fails aborts the calls of the other parts", async () => {
  const signals: AbortSignal[] = [];
  const model: Model = {
    id: "refusing-model",
    complete: (_, signal) => {
      signals.push(signal);
      if (signals.length === 3) throw new AppError("model_refused", "The model refused.");
      return new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    },
  };
  const parts = ["The first part.", "The second part.", "The third part."];
  const page = { parts, text: parts.join("\n"), maxTokens: 1_000 };
  const request = { prompt: "The parts.", schema: null, wantsEvidence: false };
  await expect(extract(model, request, page, new AbortController().signal)).rejects.toMatchObject({
    code: "model_refused",
  });
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, true, true]);
});
