// Stores captures, which are pages as they were loaded. An object consists of one line of JSON, which is a
// `StoredPage`, and the bytes of its parts in the order of `PARTS`.
import { captureKey } from "./objects";

/** The parts of a page. `source` is the body of a plain page, or the markup of a rendered one. */
const PARTS = ["source", "visibility", "body"] as const;
type Part = (typeof PARTS)[number];

/** The facts about a captured page, without its content. */
export interface CaptureFacts {
  rendered: boolean;
  /** The URL after redirects. */
  url: string;
  status: number;
  contentType: string | null;
  /** The response headers `Last-Modified`, `ETag` and `Content-Disposition`. */
  lastModified: string | null;
  etag: string | null;
  disposition: string | null;
  partialLoad: boolean;
  /** The time at which the page was loaded (Unix ms). */
  capturedAt: number;
}

interface StoredPage extends CaptureFacts {
  /** The SHA-256 of the source, in hex. */
  sha256: string;
  /** The size of each part in bytes. Null if the page doesn't have the part. */
  sizes: Record<Part, number | null>;
}

/** The bytes of a captured page. The visibility and the body have the format of `RenderedPage`. */
export type PageParts = Record<Part, Uint8Array | null>;

interface CaptureId {
  jobId: string;
  run: number;
}

/** Stores a capture. If the run has already stored one, replaces it. */
export async function putCapture(
  store: R2Bucket,
  { jobId, run }: CaptureId,
  facts: CaptureFacts & { sha256: string },
  parts: PageParts,
): Promise<void> {
  const sizes = Object.fromEntries(PARTS.map((part) => [part, parts[part]?.byteLength ?? null]));
  const head = new TextEncoder().encode(`${JSON.stringify({ ...facts, sizes })}\n`);
  const chunks = [head, ...PARTS.map((part) => parts[part])].filter((chunk) => chunk !== null);
  // Streams the parts, because joining them would need a copy of all of them.
  const { readable, writable } = new FixedLengthStream(chunks.reduce((bytes, { byteLength }) => bytes + byteLength, 0));
  const write = async () => {
    const writer = writable.getWriter();
    for (const chunk of chunks) await writer.write(chunk);
    await writer.close();
  };
  await Promise.all([store.put(captureKey(jobId, run), readable), write()]);
}

/** Returns a capture. Returns null if it doesn't exist. Calls `beforeReading` with the size of the object in bytes. */
export async function getCapture(
  store: R2Bucket,
  { jobId, run }: CaptureId,
  beforeReading: (bytes: number) => Promise<void>,
): Promise<{ facts: CaptureFacts; parts: PageParts } | null> {
  const object = await store.get(captureKey(jobId, run));
  if (object === null) return null;
  await beforeReading(object.size);
  const bytes = new Uint8Array(await object.arrayBuffer());
  const end = bytes.indexOf(10);
  const { sizes, ...facts }: StoredPage = JSON.parse(new TextDecoder().decode(bytes.subarray(0, end)));
  const parts: PageParts = { source: null, visibility: null, body: null };
  let at = end + 1;
  for (const part of PARTS) {
    const size = sizes[part];
    if (size === null) continue;
    parts[part] = bytes.subarray(at, at + size);
    at += size;
  }
  return { facts, parts };
}
