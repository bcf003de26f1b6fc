import type { UsageReport } from "../../../account/usage";
import { Endpoint } from "../../../contract/common";
import { ENDPOINTS } from "../../../endpoints/endpoints";
import { toIso } from "../../../lib/clock";
import { DAY_MS } from "../../../model/limits";

const PLOT_HEIGHT = 190;
/** The space above the plot, for the highest label of the axis and the number over the highest bar. */
const TOP = 18;
/** The space below the plot, for the dates. */
const BOTTOM = 26;
const HEIGHT = TOP + PLOT_HEIGHT + BOTTOM;
const BASELINE = TOP + PLOT_HEIGHT;
const AXIS_WIDTH = 44;
/** The number of days between two dates on the axis. The last date is today. */
const DATE_EVERY = 7;
const BAR_SHARE = 0.7;

/** The quantity that the chart shows. */
export type Measure = "requests" | "credits";

type UsageDay = Pick<UsageReport["days"][number], "date" | "endpoint" | Measure>;

/** One day (UTC) of the chart. */
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

/** Returns the total of each endpoint. */
function toTotals(days: readonly ChartDay[]): Record<Endpoint, number> {
  return toCounts((endpoint) => sum(days.map(({ counts }) => counts[endpoint])));
}

function toCounts(count: (endpoint: Endpoint) => number): Record<Endpoint, number> {
  return { scrape: count("scrape"), parse: count("parse"), serp: count("serp") };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/**
 * Returns the values on the axis, from 0 to `max` or to the next step above it. A step is 1, 2 or 5 times a power of
 * ten.
 */
export function toTicks(max: number): number[] {
  const rough = Math.max(max, 1) / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(1, [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough) ?? rough);
  const ticks = [0];
  while ((ticks.at(-1) ?? 0) < max || ticks.length < 2) ticks.push((ticks.at(-1) ?? 0) + step);
  return ticks;
}

/** Formats a date as `24 Oct`. */
function toShortDate(date: string): string {
  return new Date(date).toLocaleDateString("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });
}

/**
 * A bar chart by day, stacked by endpoint. Horizontal positions are percentages and there is no viewBox, so that the
 * text keeps its size on narrow screens.
 */
export function UsageChart({ days, measure }: { days: ChartDay[]; measure: Measure }) {
  const peak = days.reduce((highest, day) => (day.total > highest.total ? day : highest));
  const ticks = toTicks(peak.total);
  const top = ticks.at(-1) ?? 1;
  const toHeight = (value: number) => round((value / top) * PLOT_HEIGHT);
  return (
    <figure class="chart">
      <Legend days={days} />
      <div class="chart-picture" role="img" aria-label={describe(days, measure, peak)}>
        <svg width={AXIS_WIDTH} height={HEIGHT} class="chart-axis" aria-hidden="true">
          {ticks.map((tick) => (
            <text x={AXIS_WIDTH - 8} y={BASELINE - toHeight(tick) + 4} text-anchor="end">
              {toLabel(tick)}
            </text>
          ))}
        </svg>
        <svg width="100%" height={HEIGHT} class="chart-plot" aria-hidden="true">
          {ticks.map((tick) => (
            <line
              x1="0"
              x2="100%"
              y1={BASELINE - toHeight(tick)}
              y2={BASELINE - toHeight(tick)}
              class={tick === 0 ? "baseline" : "grid-line"}
            />
          ))}
          {days.map((day, i) => (
            <Day {...{ day, measure, toHeight, slot: 100 / days.length, at: i, isPeak: day === peak }} />
          ))}
          {days.map((day, i) =>
            (days.length - 1 - i) % DATE_EVERY === 0 ? <DateLabel day={day} at={i} count={days.length} /> : null,
          )}
        </svg>
      </div>
      <figcaption class="small muted">Days are in UTC. Point at a day to see its numbers.</figcaption>
    </figure>
  );
}

interface DayProps {
  day: ChartDay;
  measure: Measure;
  toHeight: (value: number) => number;
  /** The width of a day, in percent of the chart's width. */
  slot: number;
  at: number;
  isPeak: boolean;
}

function Day({ day, measure, toHeight, slot, at, isPeak }: DayProps) {
  const x = `${round(slot * (at + (1 - BAR_SHARE) / 2))}%`;
  const width = `${round(slot * BAR_SHARE)}%`;
  let y = BASELINE;
  return (
    <g class="day">
      <title>{toSentence(day, measure)}</title>
      <rect x={`${round(slot * at)}%`} width={`${round(slot)}%`} y={TOP} height={PLOT_HEIGHT} class="day-area" />
      {Endpoint.options
        .filter((endpoint) => day.counts[endpoint] > 0)
        .map((endpoint) => {
          // Makes bars with small values visible.
          const height = Math.max(1.5, toHeight(day.counts[endpoint]));
          y -= height;
          return <rect x={x} width={width} y={round(y)} height={height} class={`series ${endpoint}`} />;
        })}
      {day.total === 0 ? <rect x={x} width={width} y={BASELINE - 3} height="3" class="day-empty" /> : null}
      {isPeak ? <PeakLabel total={day.total} middle={slot * (at + 0.5)} y={y - 5} /> : null}
    </g>
  );
}

function PeakLabel({ total, middle, y }: { total: number; middle: number; y: number }) {
  const anchor = middle > 97 ? "end" : middle < 3 ? "start" : "middle";
  const x = anchor === "end" ? 100 : anchor === "start" ? 0 : middle;
  return (
    <text x={`${round(x)}%`} y={round(y)} text-anchor={anchor} class="peak">
      {total.toLocaleString("en")}
    </text>
  );
}

function DateLabel({ day, at, count }: { day: ChartDay; at: number; count: number }) {
  const isLast = at === count - 1;
  return (
    <text
      x={isLast ? "100%" : `${round((100 / count) * (at + 0.5))}%`}
      y={HEIGHT - 6}
      text-anchor={isLast ? "end" : "middle"}
      class={(count - 1 - at) % (2 * DATE_EVERY) === 0 ? undefined : "odd-week"}
    >
      {toShortDate(day.date)}
    </text>
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

/** The chart's values as a table. */
export function UsageTable({ days, measure }: { days: ChartDay[]; measure: Measure }) {
  return (
    <details>
      <summary>Show table</summary>
      <section class="table-scroll chart-table" aria-label={`${capitalize(measure)} by day`} tabindex={0}>
        <table class="figures">
          <caption class="visually-hidden">{capitalize(measure)} by day and endpoint, newest first</caption>
          <thead>
            <tr>
              <th scope="col">Day (UTC)</th>
              {Endpoint.options.map((endpoint) => (
                <th scope="col" class="number">
                  {ENDPOINTS[endpoint].label}
                </th>
              ))}
              <th scope="col" class="number">
                Total
              </th>
            </tr>
          </thead>
          <tbody>
            {days.toReversed().map((day) => (
              <tr>
                <th scope="row">{day.date}</th>
                {Endpoint.options.map((endpoint) => (
                  <td class="number">{day.counts[endpoint].toLocaleString("en")}</td>
                ))}
                <td class="number">{day.total.toLocaleString("en")}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </details>
  );
}

function describe(days: ChartDay[], measure: Measure, peak: ChartDay): string {
  const totals = toTotals(days);
  const parts = Endpoint.options.map(
    (endpoint) => `${ENDPOINTS[endpoint].label} ${totals[endpoint].toLocaleString("en")}`,
  );
  return `Chart of the ${measure} in the last ${days.length} days: ${parts.join(", ")}. The maximum was ${peak.total.toLocaleString("en")} on ${toShortDate(peak.date)}. A table with the numbers follows.`;
}

function toSentence(day: ChartDay, measure: Measure): string {
  const date = toShortDate(day.date);
  if (day.total === 0) return `${date}: no ${measure}`;
  const parts = Endpoint.options
    .filter((endpoint) => day.counts[endpoint] > 0)
    .map((endpoint) => `${ENDPOINTS[endpoint].label} ${day.counts[endpoint].toLocaleString("en")}`);
  return `${date}: ${day.total.toLocaleString("en")} ${measure} (${parts.join(", ")})`;
}

function toLabel(value: number): string {
  return value.toLocaleString("en", { notation: value >= 10_000 ? "compact" : "standard" });
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
