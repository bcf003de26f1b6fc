import type { RenderMode } from "../../contract/load-options";
import type { NewPageCapture } from "../../model/page-capture";
import type { MockContext } from "./definition";
import { type CaptureFields, captureNotFound, PageCaptures, type UsedCapture } from "./page-captures";

/** The URL of a mock page, and the capture that the request uses or keeps. */
export interface MockPage {
  url: string;
  /** The capture that `meta` reports. Null if there is none. */
  used: UsedCapture | null;
  /** The capture that is recorded at the end of the job. Missing if the job keeps none. */
  capture?: NewPageCapture;
}

/**
 * Uses or keeps a capture for a test key's request, as a run does for a live key. The capture contains only the URL.
 */
export async function mockCapture({ run }: MockContext, request: CaptureFields, mode: RenderMode): Promise<MockPage> {
  const captures = new PageCaptures(run, request, mode);
  const found = await captures.find();
  const foundUrl = found && (await captures.readUrl(found));
  if (found !== null && foundUrl !== null) return { url: foundUrl, used: { ...found, isReplayed: true } };
  const { url } = request;
  if (url === undefined) throw captureNotFound(request.capture_id ?? "");
  if (captures.keepsPage)
    await captures.keep({
      rendered: mode === "always",
      ...{ url: new URL(url).href, status: 200, contentType: "text/html; charset=utf-8" },
      ...{ header: () => null, source: "", visibility: null, body: null, partialLoad: false },
    });
  return { url, used: captures.kept, ...(await captures.toNewCapture(true)) };
}
