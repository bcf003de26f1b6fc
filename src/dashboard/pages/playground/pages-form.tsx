import type { Child } from "hono/jsx";
import type { BatchDryRun } from "../../../contract/batches";
import { toCount } from "../../../lib/count";
import type { Mode } from "../../../model/api-key";
import type { BatchKind } from "../../../model/batch";
import { Card } from "../../ui/components";
import { FormErrorNotice, type FormErrors } from "../../ui/form";
import { ShownAccount } from "../../ui/post-form";
import type { FormValues } from "./form-values";

/** The props of the forms that start a batch or a crawl. */
export interface PagesFormProps {
  values: FormValues;
  errors?: FormErrors | undefined;
  /** The price, if the form was checked. */
  price: BatchDryRun | null;
  mode: Mode;
  /** False if the account is suspended or if the user can only read. */
  canRun: boolean;
}

/** The form that starts a batch or a crawl. The children are its fields. */
export function PagesForm({
  kind,
  errors,
  price,
  mode,
  canRun,
  children,
}: PagesFormProps & { kind: BatchKind; children: Child }) {
  const action = `/dashboard/playground/${kind}`;
  return (
    <Card title="Request">
      <form
        id="request"
        class="fields"
        method="post"
        action={action}
        data-preview={`${action}/preview`}
        data-preview-parts="price"
      >
        <FormErrorNotice errors={errors} />
        <ShownAccount action={action} />
        <input type="hidden" name="mode" value={mode} />
        {children}
        <div class="row">
          <button class="button primary" type="submit" disabled={!canRun}>
            Start {kind}
          </button>
          <button class="button" type="submit" formaction={`${action}/price`} disabled={!canRun}>
            Check price
          </button>
          <PagesPrice {...{ kind, price, mode }} />
        </div>
      </form>
    </Card>
  );
}

/** The highest price of all pages. A script updates it while the user edits the form. */
export function PagesPrice({ kind, price, mode }: Pick<PagesFormProps, "price" | "mode"> & { kind: BatchKind }) {
  return (
    <span id="price" class="muted" role="status">
      {price === null ? "The credits of a page are reserved when it starts." : toPriceText(kind, price, mode)}
    </span>
  );
}

function toPriceText(
  kind: BatchKind,
  { pages, max_credits: credits, balance, invalid = [] }: BatchDryRun,
  mode: Mode,
): string {
  const count = toCount(pages, "page");
  const omitted =
    invalid.length === 0 ? "" : ` ${toCount(invalid.length, "invalid URL is", "invalid URLs are")} omitted.`;
  if (mode === "test") return `${kind === "crawl" ? `At most ${count}` : count}. Test requests are free.${omitted}`;
  return `${count} cost at most ${toCount(credits, "credit")}. Your balance is ${toCount(balance, "credit")}.${omitted}`;
}
