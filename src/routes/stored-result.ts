import type { Context } from "hono";
import type { AppEnv } from "../env";
import { log, toLogged } from "../lib/log";
import { openResult } from "../store/objects";

/** Whose result, and under which name it stands in the answer. */
interface Stored {
  jobId: string;
  run: number;
  as: "data" | "result";
}

/**
 * A JSON answer with a result from the store, which goes through as it lies there: read and written again, it would be in
 * the isolate's memory several times, for as long as a slow caller takes it. Null in its place when its time is over.
 */
export async function answerStored(c: Context<AppEnv>, answer: object, { jobId, run, as }: Stored): Promise<Response> {
  const object = await openResult(c.env.STORE, jobId, run);
  if (object === null) return c.json({ ...answer, [as]: null }, 200);
  const encoder = new TextEncoder();
  const head = encoder.encode(`${JSON.stringify(answer).slice(0, -1)},"${as}":`);
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
    write().catch((error) => log("warn", "result_not_sent", { job_id: jobId, ...toLogged(error) })),
  );
  return c.body(readable, 200, { "content-type": "application/json" });
}

async function writePart(writable: WritableStream<Uint8Array>, part: Uint8Array): Promise<void> {
  const writer = writable.getWriter();
  await writer.write(part);
  writer.releaseLock();
}
