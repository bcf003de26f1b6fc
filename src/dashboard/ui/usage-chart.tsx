// Calculates the numbers of the usage chart.

import type { UsageReport } from "../../account/credits/usage";
import { Endpoint } from "../../contract/common";
import { ENDPOINTS } from "../../endpoints/endpoints";
import { toIso } from "../../lib/clock";
import { toCount } from "../../lib/count";
import { DAY_MS } from "../../model/limits";
import { LinkTabs } from "./components";

const PLOT_HEIGHT = 190;
/** The space above the plot, for the highest label of the axis. */
const TOP = 18;
/** The space below the plot, for the dates. */
const BOTTOM = 26;
const HEIGHT = TOP + PLOT_HEIGHT + BOTTOM;
const BASELINE = TOP + PLOT_HEIGHT;
const AXIS_WIDTH = 44;

/** Formats a date as `24 Oct`, or as `Oct 2026` for a month. */
function toShortDate(date: string, unit: Unit = "day"): string {
  const options = unit === "month" ? ({ month: "short", year: "numeric" } as const) : SHORT_DATE;
  return new Date(date).toLocaleDateString("en-GB", { ...options, timeZone: "UTC" });
}

const SHORT_DATE = { day: "numeric", month: "short" } as const;

interface ChartProps {
  days: ChartDay[];
  measure: Measure;
  unit?: Unit;
}

/**
 * A bar chart by day, stacked by endpoint. Horizontal positions are percentages, and the texts aren't in a viewBox, so
 * they keep their size on narrow screens. Each bar is a button that shows its numbers above the chart, so that they can
 * be read with a mouse, a keyboard and a touch screen. A script moves between the bars with the arrow keys.
 */
export function UsageChart({ days, measure, unit = "day" }: ChartProps) {
  const dateEvery = days.length > 14 ? 7 : days.length > 7 ? 2 : 1;
  const peak = days.reduce((highest, day) => (day.total > highest.total ? day : highest));
  const ticks = chooseTicks(peak.total);
  const top = ticks.at(-1) ?? 1;
  const toHeight = (value: number) => round((value / top) * PLOT_HEIGHT);
  return (
    <figure class="chart">
      <Legend days={days} />
      <div class="chart-picture">
        <svg width={AXIS_WIDTH} height={HEIGHT} class="chart-axis" aria-hidden="true">
          {ticks.map((tick) => (
            <text x={AXIS_WIDTH - 8} y={BASELINE - toHeight(tick) + 4} text-anchor="end">
              {tick.toLocaleString("en", { notation: tick >= 10_000 ? "compact" : "standard" })}
            </text>
          ))}
        </svg>
        <div class="chart-plot">
          <svg width="100%" height={HEIGHT} aria-hidden="true">
            {ticks.map((tick) => {
              const y = BASELINE - toHeight(tick);
              return <line x1="0" x2="100%" y1={y} y2={y} class={tick === 0 ? "baseline" : "grid-line"} />;
            })}
            {days.map(({ date }, i) => {
              const barsAfter = days.length - 1 - i;
              if (barsAfter % dateEvery !== 0) return null;
              return (
                <text
                  x={barsAfter === 0 ? "100%" : `${round((100 / days.length) * (i + 0.5))}%`}
                  y={HEIGHT - 6}
                  text-anchor={barsAfter === 0 ? "end" : "middle"}
                  class={barsAfter % (2 * dateEvery) === 0 ? undefined : "odd-week"}
                >
                  {toShortDate(date, unit)}
                </text>
              );
            })}
          </svg>
          <ul class="chart-bars" aria-label={describe(days, measure, peak, unit)}>
            {days.map((day) => (
              <li>
                <button type="button">
                  <span>{toSentence(day, measure, unit)}</span>
                </button>
              </li>
            ))}
          </ul>
          <Bars days={days} toHeight={toHeight} />
        </div>
      </div>
      <figcaption class="small muted">Each bar is a {unit} (UTC). Select a bar to see its numbers.</figcaption>
    </figure>
  );
}

/**
 * The bars: one path per endpoint, because an element per bar would double the size of the page. Each bar is a vertical
 * line. The horizontal unit is the width of a day. The browser stretches the path, including the width of its lines.
 */
function Bars({ days, toHeight }: Pick<ChartProps, "days"> & { toHeight: (value: number) => number }) {
  const paths: Record<Endpoint | "none", string> = { scrape: "", parse: "", serp: "", map: "", none: "" };
  for (const [i, day] of days.entries()) {
    let y = BASELINE;
    const toBar = (height: number) => {
      const line = `M${i + 0.5} ${y}v-${height}`;
      y = round(y - height);
      return line;
    };
    for (const endpoint of Endpoint.options) {
      const count = day.counts[endpoint];
      // Bars with small values get a visible height.
      if (count > 0) paths[endpoint] += toBar(Math.max(1.5, toHeight(count)));
    }
    if (day.total === 0) paths.none += toBar(3);
  }
  return (
    <svg class="chart-series" viewBox={`0 0 ${days.length} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      {Object.entries(paths).map(([name, path]) => (path === "" ? null : <path class={`series ${name}`} d={path} />))}
    </svg>
  );
}

function Legend({ days }: { days: ChartDay[] }) {
  const totals = toTotals(days);
  return (
    <ul class="legend">
      {Endpoint.options.map((endpoint) => (
        <li>
          <svg width="12" height="12" aria-hidden="true">
            <rect width="12" height="12" rx="3" class={`series ${endpoint}`} />
          </svg>
          {ENDPOINTS[endpoint].label} <strong>{totals[endpoint].toLocaleString("en")}</strong>
        </li>
      ))}
    </ul>
  );
}

function describe(days: ChartDay[], measure: Measure, peak: ChartDay, unit: Unit): string {
  const totals = toTotals(days);
  const parts = Endpoint.options.map(
    (endpoint) => `${ENDPOINTS[endpoint].label} ${totals[endpoint].toLocaleString("en")}`,
  );
  return `Chart of the ${measure} in ${days.length} ${unit}s: ${parts.join(", ")}. The maximum was ${peak.total.toLocaleString("en")} in the ${unit} of ${toShortDate(peak.date, unit)}.`;
}

function toSentence(day: ChartDay, measure: Measure, unit: Unit): string {
  const date = `${unit === "week" ? "Week from " : ""}${toShortDate(day.date, unit)}`;
  if (day.total === 0) return `${date}: no ${measure}`;
  const parts = Endpoint.options
    .filter((endpoint) => day.counts[endpoint] > 0)
    .map((endpoint) => `${ENDPOINTS[endpoint].label} ${day.counts[endpoint].toLocaleString("en")}`);
  return `${date}: ${toCount(day.total, measure === "credits" ? "credit" : "request")} (${parts.join(", ")})`;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

/** The links that select what the chart shows. */
export function MeasureSwitch({ measure, toHref }: { measure: Measure; toHref: (measure: Measure) => string }) {
  const links = [
    ["requests", toHref("requests"), "Jobs"],
    ["credits", toHref("credits"), "Credits"],
  ] as const;
  return <LinkTabs label="Chart data" current={measure} links={links} />;
}

/** The quantity that the chart shows. */
export type Measure = "requests" | "credits";

type UsageDay = Pick<UsageReport["days"][number], "date" | "endpoint" | Measure>;

/** The period that one bar of the chart represents. */
type Unit = "day" | "week" | "month";

/** The approximate maximum number of bars, so that each bar is wide enough on a phone. */
const MAX_BARS = 31;

/** One bar of the chart: a day, or the week or month that starts on this day (UTC). */
export interface ChartDay {
  /** YYYY-MM-DD. */
  date: string;
  counts: Record<Endpoint, number>;
  total: number;
}

/** Returns the last `count` days including today, oldest first. A day without usage has zeros. */
export function toChartDays(usage: readonly UsageDay[], measure: Measure, count: number, now: number): ChartDay[] {
  const found = new Map(usage.map((day) => [`${day.date} ${day.endpoint}`, day[measure]]));
  return Array.from({ length: count }, (_, i) => {
    const date = toIso(now - (count - 1 - i) * DAY_MS).slice(0, 10);
    const of = (endpoint: Endpoint) => found.get(`${date} ${endpoint}`) ?? 0;
    const counts = toCounts(of);
    return { date, counts, total: sum(Object.values(counts)) };
  });
}

/** Returns the bars of a range of days, oldest first. A long range has a bar for each week or month. */
export function toChart(
  usage: readonly UsageDay[],
  measure: Measure,
  { from, to }: { from: string; to: string },
): { unit: Unit; days: ChartDay[] } {
  const count = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
  const days = toChartDays(usage, measure, count, Date.parse(to));
  const unit = count <= MAX_BARS ? "day" : count <= 7 * MAX_BARS ? "week" : "month";
  if (unit === "day") return { unit, days };
  const bars = new Map<string, ChartDay>();
  for (const [i, day] of days.entries()) {
    const date = unit === "week" ? (days[i - (i % 7)]?.date ?? day.date) : `${day.date.slice(0, 7)}-01`;
    const earlier = bars.get(date);
    const counts = toCounts((endpoint) => (earlier?.counts[endpoint] ?? 0) + day.counts[endpoint]);
    bars.set(date, { date, counts, total: (earlier?.total ?? 0) + day.total });
  }
  return { unit, days: [...bars.values()] };
}

function toTotals(days: readonly ChartDay[]): Record<Endpoint, number> {
  return toCounts((endpoint) => sum(days.map(({ counts }) => counts[endpoint])));
}

function toCounts(count: (endpoint: Endpoint) => number): Record<Endpoint, number> {
  return { scrape: count("scrape"), parse: count("parse"), serp: count("serp"), map: count("map") };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** Returns the labels of the axis, from 0 to at least `max`. A step is 1, 2 or 5 times a power of ten. */
export function chooseTicks(max: number): number[] {
  const rough = Math.max(max, 1) / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(1, [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough) ?? rough);
  const ticks = [0];
  while ((ticks.at(-1) ?? 0) < max || ticks.length < 2) ticks.push((ticks.at(-1) ?? 0) + step);
  return ticks;
}
