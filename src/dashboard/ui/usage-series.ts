// Calculates the numbers of the usage chart.
import type { UsageReport } from "../../account/credits/usage";
import type { Endpoint } from "../../contract/common";
import { toIso } from "../../lib/clock";
import { DAY_MS } from "../../model/limits";

/** The quantity that the chart shows. */
export type Measure = "requests" | "credits";

type UsageDay = Pick<UsageReport["days"][number], "date" | "endpoint" | Measure>;

/** The period that one bar of the chart represents. */
export type Unit = "day" | "week" | "month";

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

/** Returns the total of each endpoint. */
export function toTotals(days: readonly ChartDay[]): Record<Endpoint, number> {
  return toCounts((endpoint) => sum(days.map(({ counts }) => counts[endpoint])));
}

function toCounts(count: (endpoint: Endpoint) => number): Record<Endpoint, number> {
  return { scrape: count("scrape"), parse: count("parse"), serp: count("serp"), map: count("map") };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/**
 * Returns the labels of the axis: from 0 to `max`, or to the next step above `max`. A step is 1, 2 or 5 times a power
 * of ten.
 */
export function toTicks(max: number): number[] {
  const rough = Math.max(max, 1) / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(1, [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough) ?? rough);
  const ticks = [0];
  while ((ticks.at(-1) ?? 0) < max || ticks.length < 2) ticks.push((ticks.at(-1) ?? 0) + step);
  return ticks;
}
