import type { UsageRange } from "../../../account/usage-range";
import { toIso } from "../../../lib/clock";
import { DAY_MS } from "../../../model/limits";
import { FormErrorNotice, type FormErrors, TextField } from "../../ui/form";
import type { Measure } from "../../ui/usage-series";

/** The ranges that end today, in days. */
const PRESETS = [7, 30, 90, 365] as const;

interface RangeFormProps {
  /** The values of the form. They can be invalid. */
  range: UsageRange;
  measure: Measure;
  now: number;
  errors?: FormErrors | undefined;
}

/** Returns the range of the last `days` days, including today. */
export function toLastDays(days: number, now: number): UsageRange {
  return { from: toIso(now - (days - 1) * DAY_MS).slice(0, 10), to: toIso(now).slice(0, 10) };
}

/** Returns the URL of the page. */
export function toUsageHref(range: UsageRange, measure: Measure): string {
  return `/dashboard/usage?${new URLSearchParams({ ...range, chart: measure })}`;
}

/** The form that selects the range of days. */
export function RangeForm({ range, measure, now, errors }: RangeFormProps) {
  return (
    <form method="get" action="/dashboard/usage" class="card fields">
      <FormErrorNotice errors={errors} />
      <nav class="tabs" aria-label="Range">
        {PRESETS.map((days) => {
          const preset = toLastDays(days, now);
          const isCurrent = preset.from === range.from && preset.to === range.to;
          return (
            <a href={toUsageHref(preset, measure)} aria-current={isCurrent ? "page" : undefined}>
              {days} days
            </a>
          );
        })}
      </nav>
      <div class="range">
        <TextField name="from" label="From" type="date" value={range.from} errors={errors} />
        <TextField name="to" label="To" type="date" value={range.to} errors={errors} />
        <input type="hidden" name="chart" value={measure} />
        <button class="button" type="submit">
          Show
        </button>
      </div>
    </form>
  );
}
