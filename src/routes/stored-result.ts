import type { Context } from "hono";
import { log, toLogged } from "../lib/log";
import type { AppEnv } from "../model/env";

/**
 * A JSON answer with a result from the store in it, as `name`, which goes through as it lies there: read and written again,
 * it would be in the isolate's memory several times, for as long as a slow caller takes it.
 */
export function answerStored(
  c: Context<AppEnv>,
  answer: { job_id: string },
  name: "data" | "result",
  object: R2ObjectBody,
): Response {
  const encoder = new TextEncoder();
  const head = encoder.encode(`${JSON.stringify(answer).slice(0, -1)},"${name}":`);
  const tail = encoder.encode("}");
  const { readable, writable } = new FixedLengthStream(head.byteLength + object.size + tail.byteLength);
  const write = async () => {
    await writePart(writable, head);
    await object.body.pipeTo(writable, { preventClose: true });
    await writePart(writable, tail);
    await writable.close();
  };
  c.executionCtx.waitUntil(
    // The caller hung up, or the store broke off: the length tells the caller that something is missing.
    write().catch((error) => log("warn", "result_not_sent", { job_id: answer.job_id, ...toLogged(error) })),
  );
  return c.body(readable, 200, { "content-type": "application/json" });
}

async function writePart(writable: WritableStream<Uint8Array>, part: Uint8Array): Promise<void> {
  const writer = writable.getWriter();
  await writer.write(part);
  writer.releaseLock();
}
