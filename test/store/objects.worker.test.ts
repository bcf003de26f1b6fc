import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { newTag, newTaggedId } from "../../src/lib/id";
import {
  deleteAccountObjects,
  deleteObjects,
  deleteRequest,
  findRequest,
  getPdf,
  getRequest,
  getScreenshot,
  getSmallResult,
  listAccountObjects,
  openAccountObject,
  openRequest,
  openResult,
  pingStore,
  putAccountObject,
  putActionScreenshot,
  putPdf,
  putRequest,
  putResult,
  putScreenshot,
} from "../../src/store/objects";

const store = env.STORE;
const KINDS = ["requests", "results", "screenshots", "archive", "captures"];

/** Returns the keys of an account's objects, sorted. */
async function keysOf(tag: string): Promise<string[]> {
  const listings = await Promise.all(KINDS.map((kind) => store.list({ prefix: `${kind}/${tag}/` })));
  return listings.flatMap(({ objects }) => objects.map(({ key }) => key)).sort();
}

describe("the objects of a job", () => {
  it("have keys with their kind, the account's tag and the job's id", async () => {
    const tag = newTag();
    const id = newTaggedId(tag);
    await putRequest(store, id, '{"a":1}');
    await putResult(store, id, 2, '{"b":2}');
    await putScreenshot(store, id, 2, new Uint8Array([1, 2]));
    expect(await keysOf(tag)).toEqual([
      `requests/${tag}/${id}`,
      `results/${tag}/${id}/2`,
      `screenshots/${tag}/${id}/2`,
    ]);
    const types = await Promise.all(
      (await keysOf(tag)).map(async (key) => (await store.head(key))?.httpMetadata?.contentType),
    );
    expect(types).toEqual(["application/json", "application/json", "image/png"]);
    expect(await getRequest(store, id)).toBe('{"a":1}');
    expect(await (await openRequest(store, id))?.text()).toBe('{"a":1}');
    expect(await (await openResult(store, id, 2))?.text()).toBe('{"b":2}');
    expect(await openResult(store, id, 1)).toBeNull();
    await deleteRequest(store, id);
    expect([await findRequest(store, id), await openRequest(store, id)]).toEqual([null, null]);
    await expect(getRequest(store, id)).rejects.toThrow(`The request of job ${id} is not in the store.`);
  });

  it("are read only up to the size limit", async () => {
    const id = newTaggedId(newTag());
    await putResult(store, id, 1, "12345");
    expect(await getSmallResult(store, id, 1, 5)).toBe("12345");
    expect(await getSmallResult(store, id, 1, 4)).toBe("too large");
    await expect(getSmallResult(store, id, 2, 9)).rejects.toThrow(`The result of job ${id} is not in the store.`);
  });

  it("include the screenshot of the highest run", async () => {
    const id = newTaggedId(newTag());
    expect(await getScreenshot(store, id)).toBeNull();
    for (const run of [10, 2, 9]) await putScreenshot(store, id, run, new Uint8Array([run]));
    for (const run of [3, 11]) await putActionScreenshot(store, { jobId: id, run, number: 1 }, new Uint8Array([run]));
    expect(await (await getScreenshot(store, id, 1))?.bytes()).toEqual(new Uint8Array([11]));
    expect(await getScreenshot(store, id, 0)).toBeNull();
    for (const run of [3, 11]) await putPdf(store, id, run, new Uint8Array([run]));
    expect(await (await getScreenshot(store, id))?.bytes()).toEqual(new Uint8Array([10]));
    expect(await (await getPdf(store, id))?.bytes()).toEqual(new Uint8Array([11]));
  });

  it.each([1, 10, 11])("are deleted for all of its %d runs, and those of other jobs stay", async (runs) => {
    const tag = newTag();
    const [id, other] = [newTaggedId(tag), newTaggedId(tag)];
    for (const job of [id, other]) {
      await putRequest(store, job, "{}");
      for (let run = 1; run <= runs; run++) {
        await putResult(store, job, run, "{}");
        await putScreenshot(store, job, run, new Uint8Array(1));
        await putPdf(store, job, run, new Uint8Array(1));
      }
    }
    await deleteObjects(store, [{ id, run: runs }]);
    const left = await keysOf(tag);
    expect(left).toHaveLength(1 + 3 * runs);
    expect(left.every((key) => key.includes(other))).toBe(true);
  });

  it("are deleted in calls with at most 1,000 keys", async () => {
    const sizes: number[] = [];
    const counting = { delete: async (keys: string[]) => void sizes.push(keys.length) } as unknown as R2Bucket;
    const jobs = Array.from({ length: 100 }, () => ({ id: newTaggedId(newTag()), run: 10 }));
    await deleteObjects(counting, jobs);
    expect(sizes).toEqual([...Array(14).fill(1_000), 200]);
    await deleteObjects(counting, []);
    expect(sizes).toHaveLength(15);
  });
});

describe("the objects of an account", () => {
  async function fill(tag: string): Promise<string[]> {
    const keys = KINDS.flatMap((kind) => [`${kind}/${tag}/a`, `${kind}/${tag}/b`]);
    for (const key of keys) await store.put(key, "12");
    return keys;
  }

  it("are listed by kind, in pages", async () => {
    const [tag, other] = [newTag(), newTag()];
    const keys = await fill(tag);
    await fill(other);
    const pages: string[][] = [];
    for (let cursor: string | undefined; ; ) {
      const page = await listAccountObjects(store, tag, cursor);
      pages.push(page.keys.map(({ key }) => key));
      expect(page.keys.every(({ size }) => size === 2)).toBe(true);
      if (page.cursor === null) break;
      cursor = page.cursor;
    }
    expect(pages).toEqual([keys.slice(0, 2), keys.slice(2, 4), keys.slice(4, 6), keys.slice(6, 8), keys.slice(8), []]);
    const middle = await listAccountObjects(store, tag, `results/${tag}/a`);
    expect(middle).toEqual({ keys: [{ key: `results/${tag}/b`, size: 2 }], cursor: `results/${tag}/b` });
    expect(await listAccountObjects(store, newTag())).toEqual({ keys: [], cursor: null });
  });

  it("are deleted without those of other accounts", async () => {
    const [tag, other] = [newTag(), newTag()];
    await fill(tag);
    const kept = await fill(other);
    expect(await deleteAccountObjects(store, tag)).toBe(10);
    expect(await deleteAccountObjects(store, tag)).toBe(0);
    expect([await keysOf(tag), await keysOf(other)]).toEqual([[], kept.toSorted()]);
  });

  it("can only be read and written by their own account", async () => {
    const [tag, other] = [newTag(), newTag()];
    await fill(tag);
    for (const kind of KINDS) {
      expect(await (await openAccountObject(store, tag, `${kind}/${tag}/a`))?.text()).toBe("12");
      expect(await openAccountObject(store, other, `${kind}/${tag}/a`)).toBeNull();
    }
    expect(await openAccountObject(store, tag, `results/${tag}/unknown`)).toBeNull();
    const put = async (key: string) =>
      await putAccountObject(store, tag, {
        ...{ key, body: null, metadata: { contentType: "text/plain" } },
      });
    for (const key of [`results/${other}/a`, `other/${tag}/a`, `results/${tag}`, `x/results/${tag}/a`]) {
      expect([key, await put(key)]).toEqual([key, false]);
      expect(await store.head(key)).toBeNull();
    }
  });

  it("are stored with their metadata", async () => {
    const tag = newTag();
    const { readable, writable } = new FixedLengthStream(3);
    const writer = writable.getWriter();
    void writer.write(new TextEncoder().encode("new")).then(() => writer.close());
    const key = `archive/${tag}/a`;
    expect(await putAccountObject(store, tag, { key, body: readable, metadata: { contentType: "text/plain" } })).toBe(
      true,
    );
    const object = await store.get(key);
    expect([await object?.text(), object?.httpMetadata?.contentType]).toEqual(["new", "text/plain"]);
  });
});

it("a check of the store fails if R2 can't be reached", async () => {
  await pingStore(store);
  const broken = { head: () => Promise.reject(new Error("R2 is down.")) } as unknown as R2Bucket;
  await expect(pingStore(broken)).rejects.toThrow("R2 is down.");
});
