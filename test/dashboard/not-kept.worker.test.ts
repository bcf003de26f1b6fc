import { describe, expect, it } from "vitest";
import { awaitBatch, postBatch } from "../support/batches";
import { refOf } from "../support/client";
import { expectNothing, objectsOf } from "../support/not-kept";
import { signUpWithTestKey } from "../support/visitor";

const SMALL = { url: "https://example.com/lamps", formats: ["markdown"] };
const LARGE = { url: "https://large.test/", formats: ["markdown"] };

async function endBatch(requests: object[]) {
  const { visitor, client } = await signUpWithTestKey();
  const account = await refOf(client.accountId);
  const { batch_id: id } = await postBatch(client, { requests, defaults: { store: false } });
  const { pages } = await awaitBatch(client, id);
  return { visitor, account, id, jobs: pages.map(({ job_id }) => job_id ?? "") };
}

describe("a result that isn't kept", () => {
  it("is shown once by the page of its job, with a notice instead of downloads", async () => {
    const { visitor, account, jobs } = await endBatch([SMALL]);
    const first = await visitor.read(`/dashboard/jobs/${jobs[0]}`);
    expect(first).toContain("Copy what you need");
    expect(first).toContain("result-source");
    expect(first).not.toContain(`/dashboard/jobs/${jobs[0]}/result`);
    await expectNothing(account, 1);
    const second = await visitor.read(`/dashboard/jobs/${jobs[0]}`);
    expect(second).toContain("deleted after it was read");
    expect(second).not.toContain("result-source");
  });

  it("is deleted after it was downloaded as JSON", async () => {
    const { visitor, account, jobs } = await endBatch([SMALL]);
    expect(await (await visitor.get(`/dashboard/jobs/${jobs[0]}/result`)).json()).toHaveProperty("markdown");
    await expectNothing(account, 1);
  });

  it("can be downloaded as JSON if it is too large for the page, and is then deleted", async () => {
    const { visitor, account, jobs } = await endBatch([LARGE]);
    expect(await visitor.read(`/dashboard/jobs/${jobs[0]}`)).toContain("so it can&#39;t be shown here");
    const path = `/dashboard/jobs/${jobs[0]}/result`;
    await (await visitor.get(`${path}/markdown`)).text();
    expect(await objectsOf(account)).toHaveLength(1);
    expect((await (await visitor.get(path)).text()).length).toBeGreaterThan(1_000_000);
    await expectNothing(account, 1);
  });

  it("is deleted after the zip file that has all of it, but not if the file has only a part of it", async () => {
    const { visitor, account, id } = await endBatch([SMALL, { ...SMALL, formats: ["markdown", "links"] }]);
    await (await visitor.get(`/dashboard/batches/${id}/pages.zip`)).arrayBuffer();
    expect((await visitor.read(`/dashboard/batches/${id}`)).split("The URL is no longer stored")).toHaveLength(2);
    await (await visitor.get(`/dashboard/batches/${id}/pages.ndjson`)).text();
    await expectNothing(account, 2);
  });
});
