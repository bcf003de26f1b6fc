import { Hono } from "hono";
import { deleteExtractor, getExtractor, listExtractors } from "../../../jobs/extractors";
import { now } from "../../../lib/clock";
import { AppError } from "../../../model/errors";
import type { StoredExtractor } from "../../../model/extractor";
import { Card, ErrorPage } from "../../ui/components";
import type { DashboardEnv } from "../../ui/env";
import { DoneNotice } from "../../ui/notices";
import { ExtractorActions, FiguresCard, RulesCard } from "./detail";
import { ExtractorTable, NoExtractors, toPropertyList } from "./list";

/** The confirmations by the values of `?done=`. */
const DONE = { deleted: "The extractor was deleted." };

/** The pages about learned extractors. */
export const extractors = new Hono<DashboardEnv>();

extractors.get("/extractors", async (c) => {
  const list = await listExtractors(c.env, c.var);
  return c.render(
    <div class="stack">
      <DoneNotice word={c.req.query("done")} texts={DONE} />
      {list.length === 0 ? (
        <NoExtractors mode={c.var.mode} />
      ) : (
        <Card>
          <ExtractorTable extractors={list} now={now()} />
        </Card>
      )}
    </div>,
    {
      title: "Extractors",
      lead: "Rules that were learned from parses. They read similar pages without a language model.",
      section: "extractors",
    },
  );
});

extractors.get("/extractors/:id", async (c) => {
  const extractor = await findExtractor(c.env, c.var, c.req.param("id"));
  if (extractor === null) {
    c.status(404);
    const message = `Your ${c.var.mode} data doesn't contain this extractor. It was deleted, or it belongs to another mode.`;
    return c.render(<ErrorPage title="Extractor not found" message={message} />, {
      title: "Not found",
      section: "extractors",
    });
  }
  return c.render(
    <div class="stack">
      <FiguresCard extractor={extractor} />
      <RulesCard extractor={extractor} />
    </div>,
    {
      title: extractor.host,
      lead: toPropertyList(extractor),
      actions: (
        <div class="row">
          <ExtractorActions id={extractor.id} />
        </div>
      ),
      section: "extractors",
    },
  );
});

extractors.post("/extractors/:id/delete", async (c) => {
  await deleteExtractor(c.env, c.var, c.req.param("id"));
  return c.redirect("/dashboard/extractors?done=deleted", 303);
});

/** Returns an extractor, or null if there is none. */
async function findExtractor(
  env: Env,
  owner: Parameters<typeof getExtractor>[1],
  id: string,
): Promise<StoredExtractor | null> {
  try {
    return await getExtractor(env, owner, id);
  } catch (error) {
    if (error instanceof AppError && error.code === "not_found") return null;
    throw error;
  }
}
