import { describe, expect, it } from "vitest";
import { sqlIn } from "../support/account";
import { type Client, page, read, refOf } from "../support/client";
import { signUpWithTestKey } from "../support/visitor";

const COMPARE = "/dashboard/jobs/compare";

/** Scrapes the URL, and replaces the result of the job. */
async function scrape(client: Client, url: string, result: object, body: object = {}): Promise<string> {
  const { job_id: id } = await read(await client.call("POST", "/v1/scrape?wait=true", { url, ...body }));
  const account = await refOf(client.accountId);
  await sqlIn(account, "UPDATE jobs SET result_in = 'payload' WHERE id = ?1", id);
  const insert = "INSERT OR REPLACE INTO payloads (mode, id, result) VALUES ('test', ?1, ?2)";
  await sqlIn(account, insert, id, JSON.stringify(result));
  return id;
}

function toText(html: string): string {
  return html.replace(/<[^>]*>/g, " ").replace(/\s+/g, " ");
}

describe("the comparison of two runs", () => {
  it("is reached from a job, lists the other runs of its URL, and shows what changed", async () => {
    const { visitor, client } = await signUpWithTestKey();
    const url = "https://shop.example/lamp";
    const first = await scrape(client, url, {
      markdown: "# Lamp\n\nIt costs $20.",
      text: "Lamp",
      metadata: { title: "Lamp", status_code: 200 },
    });
    const other = await scrape(client, `${url}/other`, { markdown: "Other" });
    const second = await scrape(
      client,
      url,
      { markdown: "# Lamp\n\nIt costs $18 <b>now</b>.", text: "Lamp", metadata: { title: "Sale", status_code: 200 } },
      { only_main_content: false },
    );
    expect(await visitor.read(`/dashboard/jobs/${second}`)).toContain(`href="${COMPARE}?a=${second}"`);
    const list = await visitor.read(`${COMPARE}?a=${second}`);
    expect(list).toContain(`href="${COMPARE}?a=${first}&amp;b=${second}"`);
    expect(list).not.toContain(other);

    const html = await visitor.read(`${COMPARE}?a=${first}&b=${second}`);
    expect(html).toMatch(/<del><span class="visually-hidden"> \[removed\] <\/span>20<\/del>/);
    expect(html).toMatch(/<ins><span class="visually-hidden"> \[added\] <\/span>18 &lt;b&gt;now&lt;\/b&gt;<\/ins>/);
    const text = toText(html);
    expect(text).toContain("4 words added, 1 removed, 3 unchanged.");
    expect(text).toContain("Metadata and data Field A B metadata.title [removed] Lamp [added] Sale");
    expect(text).toContain("only_main_content [removed] true [added] false");
  });

  it("compares two formats of one job", async () => {
    const { visitor, client } = await signUpWithTestKey();
    const id = await scrape(client, page("article"), { markdown: "# Lamp", text: "Lamp" });
    const html = await visitor.read(`${COMPARE}?a=${id}&b=${id}&a_format=markdown&b_format=text`);
    expect(toText(html)).toContain("Markdown and Text 0 words added, 0 removed, 1 unchanged.");
    expect(html).toContain('<option value="text" selected="">Text</option>');
    // An unknown format is ignored.
    expect(await visitor.read(`${COMPARE}?a=${id}&b=${id}&a_format=toString`)).toContain("Both texts are the same");
  });

  it("says why a run has no result to compare", async () => {
    const { visitor, client } = await signUpWithTestKey();
    const id = await scrape(client, page("article"), { markdown: "# Lamp" });
    const temporary = await read(await client.call("POST", "/v1/scrape", { url: page("article"), store: false }));
    const failed = await read(await client.call("POST", "/v1/scrape?wait=true", { url: "https://timeout.test/" }));
    const text = toText(await visitor.read(`${COMPARE}?a=${id}&b=${failed.job_id}`));
    expect(text).toContain("Run B has no result, because it hasn't completed.".replace("'", "&#39;"));
    const hidden = toText(await visitor.read(`${COMPARE}?a=${id}&b=${temporary.job_id}`));
    expect(hidden).toMatch(/Run B has no (?:stored )?result/);
  });

  it("refuses jobs of another account or mode, and ids that aren't jobs", async () => {
    const { visitor, client } = await signUpWithTestKey();
    const own = await scrape(client, page("article"), { markdown: "Own" });
    const stranger = await signUpWithTestKey();
    const foreign = await scrape(stranger.client, page("article"), { markdown: "A secret" });
    for (const query of [`a=${foreign}`, `a=${own}&b=${foreign}`, `a=${own}&b=none`, "", "a="]) {
      const response = await visitor.get(`${COMPARE}?${query}`);
      expect([query, response.status]).toEqual([query, 404]);
      expect(await response.text()).not.toContain("A secret");
    }
    await visitor.post("/dashboard/mode", { mode: "live" });
    expect((await visitor.get(`${COMPARE}?a=${own}&b=${own}`)).status).toBe(404);
  });
});
