import type { Protocol } from "devtools-protocol";
import { isOwnSite } from "../net/session";
import type { CDPSession } from "./connection";
import { type Snapshot, toExpression, toSnapshot } from "./evaluate";
import { PAGE_SCRIPTS } from "./page-scripts.generated.mjs";
import type { Tab } from "./tab";

/** The maximum number of frames that are read, and the time limit for each command. Busy frames are left out. */
const MAX_FRAMES = 20;
const FRAME_MS = 2_000;

/**
 * Returns the markup of a snapshot with the frames of the same site that the page itself can't read: frames of other
 * hosts of the site, and sandboxed frames. Without such frames, returns the markup unchanged.
 */
export async function withClosedFrames(
  tab: Tab,
  { html, hasClosedFrames }: Snapshot,
  maxChars: number,
): Promise<string> {
  if (!hasClosedFrames) return html;
  try {
    const { frameTree } = await tab.sendToPage("Page.getFrameTree", undefined);
    const { executionContextId } = await createWorld(tab, tab.session, tab.frameId);
    const frames = await Promise.all(
      (await listFrames(tab, frameTree)).map((frame) => readFrame(tab, frame, executionContextId)),
    );
    const found = frames.filter((frame) => frame !== null);
    if (found.length === 0) return html;
    const { result } = await tab.sendToPage("Runtime.callFunctionOn", {
      functionDeclaration: `function (...parameters) { return ${PAGE_SCRIPTS.takeSnapshot}(...parameters) }`,
      arguments: [{ value: maxChars }, { value: false }, ...found.flat()],
      executionContextId,
      returnByValue: true,
    });
    return toSnapshot(result.value)?.html ?? html;
  } catch (error) {
    if (tab.signal.aborted) throw error;
    // The page or a frame has navigated in the meantime.
    return html;
  }
}

interface ClosedFrame {
  id: string;
  session: CDPSession;
}

/** Returns the first frames with documents of the page's site. A frame that the page can read doesn't say so. */
async function listFrames(tab: Tab, main: Protocol.Page.FrameTree): Promise<ClosedFrame[]> {
  const remote = [...tab.frames.values()].map(async (session) => {
    const { frameTree } = await tab.race(session.send("Page.getFrameTree", undefined, { timeout: FRAME_MS }));
    return toFrames(frameTree).map((frame) => ({ frame, session }));
  });
  const read = await Promise.allSettled(remote);
  const all = [
    ...toFrames(main).map((frame) => ({ frame, session: tab.session })),
    ...read.flatMap((result) => (result.status === "fulfilled" ? result.value : [])),
  ];
  const page = new URL(main.frame.url);
  return all
    .filter(({ frame }) => frame.id !== tab.frameId)
    .filter(({ frame: { url } }) => url === "about:srcdoc" || (URL.canParse(url) && isOwnSite(new URL(url), page)))
    .slice(0, MAX_FRAMES)
    .map(({ frame, session }) => ({ id: frame.id, session }));
}

function toFrames({ frame, childFrames = [] }: Protocol.Page.FrameTree): Protocol.Page.Frame[] {
  return [frame, ...childFrames.flatMap(toFrames)];
}

/** Returns the frame's element and its contents, as parameters of `takeSnapshot`. Returns null if they can't be read. */
async function readFrame(tab: Tab, { id: frameId, session }: ClosedFrame, executionContextId: number) {
  try {
    const { executionContextId: contextId } = await createWorld(tab, session, frameId);
    const expression = toExpression("readFrame");
    const options = { timeout: FRAME_MS };
    const { result } = await tab.race(
      session.send("Runtime.evaluate", { expression, contextId, returnByValue: true }, options),
    );
    const { backendNodeId } = await tab.sendToPage("DOM.getFrameOwner", { frameId });
    const { object } = await tab.sendToPage("DOM.resolveNode", { backendNodeId, executionContextId });
    const { objectId } = object;
    return typeof result.value === "string" && objectId ? [{ objectId }, { value: result.value }] : null;
  } catch (error) {
    if (tab.signal.aborted) throw error;
    return null;
  }
}

async function createWorld(tab: Tab, session: CDPSession, frameId: string) {
  return await tab.race(session.send("Page.createIsolatedWorld", { frameId }, { timeout: FRAME_MS }));
}
