import { describeRules } from "../../../endpoints/parse/learned/describe";
import type { StoredExtractor } from "../../../model/extractor";
import { Card, PostButton, Stat, StatusBadge, TableCell, Time } from "../../ui/components";
import { describePlaces } from "./describe-place";
import { toHitRateParts } from "./list";

/** The number of places of a value that are shown. */
const SHOWN_PLACES = 4;

/** The figures of an extractor. */
export function FiguresCard({ extractor }: { extractor: StoredExtractor }) {
  const { status, pages, uses, misses, checks, createdAt, learnedAt, usedAt, drift, driftedAt } = extractor;
  const number = (value: number) => value.toLocaleString("en");
  const hitRate = toHitRateParts(extractor);
  return (
    <Card title="Use">
      <dl class="stats">
        <Stat label="Status" value={<StatusBadge is={status} />} />
        <Stat label="Hit rate" value={hitRate?.rate ?? "–"} note={hitRate?.of ?? "not used yet"} />
        <Stat label="Pages" value={number(uses)} note={misses > 0 ? `${number(misses)} read by a model` : undefined} />
        <Stat label="Comparisons with a model" value={number(checks)} />
        <Stat label="Learned from" value={number(pages)} note={pages === 1 ? "parse" : "parses"} />
      </dl>
      <dl class="facts">
        <dt>Last drift</dt>
        <dd>
          {drift === null || driftedAt === null ? (
            "none"
          ) : (
            <>
              <Time at={driftedAt} />: {drift}
            </>
          )}
        </dd>
        <dt>Created</dt>
        <dd>
          <Time at={createdAt} />
        </dd>
        <dt>Active since</dt>
        <dd>{learnedAt === null ? "still learning" : <Time at={learnedAt} />}</dd>
        <dt>Last used</dt>
        <dd>
          <Time at={usedAt} />
        </dd>
      </dl>
    </Card>
  );
}

/** The places from which the extractor reads each value. */
export function RulesCard({ extractor: { rules } }: { extractor: StoredExtractor }) {
  return (
    <Card title="Rules">
      <p class="small muted">
        All places of a value must show the same value. Otherwise, or if the page has a new part, a language model reads
        the page.
      </p>
      <table class="stacking">
        <caption class="visually-hidden">The places of each value</caption>
        <thead>
          <tr>
            <th scope="col">Value</th>
            <th scope="col">Places</th>
          </tr>
        </thead>
        <tbody>
          {describeRules(rules).map((rule) => {
            const places = describePlaces(rule.places);
            return (
              <tr>
                <TableCell of="Value">
                  <code>{rule.pointer}</code>
                </TableCell>
                <TableCell of="Places">
                  {places.slice(0, SHOWN_PLACES).map((place) => (
                    <div>{place}</div>
                  ))}
                  {places.length > SHOWN_PLACES ? <div>and {places.length - SHOWN_PLACES} more</div> : null}
                </TableCell>
              </tr>
            );
          })}
        </tbody>
      </table>
    </Card>
  );
}

/** The buttons of an extractor's page. */
export function ExtractorActions({ id }: { id: string }) {
  return (
    <>
      <a class="button" href="/dashboard/extractors">
        Show all extractors
      </a>
      <PostButton
        action={`/dashboard/extractors/${id}/delete`}
        label="Delete extractor"
        tone="danger"
        small={false}
        confirm="Delete this extractor? The next parses of its pages need a language model again, and learn a new extractor."
      />
    </>
  );
}
