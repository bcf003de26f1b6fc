import { Endpoint as Endpoints } from "../../../contract/common";
import { toIso } from "../../../lib/clock";
import type { Endpoint } from "../../../model/endpoint";
import { DAY_MS } from "../../../model/limits";
import type { UsageDay } from "../../../store/accounts";

/** What the chart may count. */
export type Measure = "requests" | "credits";

/** From below, as the chart stacks them. */
export const ENDPOINTS = Endpoints.options;

export const ENDPOINT_NAMES: Record<Endpoint, string> = { scrape: "Scrape", parse: "Parse", serp: "SERP" };

/** A day (UTC) of the chart, with nothing left out. */
export interface ChartDay {
  /** YYYY-MM-DD. */
  date: string;
  counts: Record<Endpoint, number>;
  total: number;
}

/** The last `count` days up to today, oldest first; a day without any usage is one of zeros. */
export function toChartDays(usage: readonly UsageDay[], measure: Measure, count: number, now: number): ChartDay[] {
  const found = new Map(usage.map((day) => [`${day.date} ${day.endpoint}`, day[measure]]));
  return Array.from({ length: count }, (_, i) => {
    const date = toIso(now - (count - 1 - i) * DAY_MS).slice(0, 10);
    const of = (endpoint: Endpoint) => found.get(`${date} ${endpoint}`) ?? 0;
    const counts = { scrape: of("scrape"), parse: of("parse"), serp: of("serp") };
    return { date, counts, total: counts.scrape + counts.parse + counts.serp };
  });
}

/** What each endpoint adds up to. */
export function toTotals(days: readonly ChartDay[]): Record<Endpoint, number> {
  const sum = (endpoint: Endpoint) => days.reduce((total, day) => total + day.counts[endpoint], 0);
  return { scrape: sum("scrape"), parse: sum("parse"), serp: sum("serp") };
}

/** Whole numbers from 0 to `max` or just above it, in even steps of 1, 2 or 5 times a power of ten: three to six of them. */
export function toTicks(max: number): number[] {
  const rough = Math.max(max, 1) / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(1, [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough) ?? rough);
  const ticks = [0];
  while ((ticks.at(-1) ?? 0) < max || ticks.length < 2) ticks.push((ticks.at(-1) ?? 0) + step);
  return ticks;
}

/** `24 Oct`. */
export function toShortDate(date: string): string {
  return new Date(date).toLocaleDateString("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });
}
