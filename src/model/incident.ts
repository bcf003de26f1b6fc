import type { EngineName } from "./engine";

export const STATUS_PARTS = {
  api: "API",
  scraping: "Scraping",
  rendering: "Rendering",
  parse: "Parse",
  google: "Search: Google",
  bing: "Search: Bing",
  yandex: "Search: Yandex",
  webhooks: "Webhooks",
  dashboard: "Dashboard",
} as const satisfies Record<string, string> & Record<EngineName, string>;
export type StatusPart = keyof typeof STATUS_PARTS;
export const STATUS_PART_NAMES = Object.keys(STATUS_PARTS) as StatusPart[];

/** The states of a part, from best to worst. */
export const PART_STATES = ["up", "degraded", "down"] as const;
export type PartState = (typeof PART_STATES)[number];

export const INCIDENT_STATUSES = ["investigating", "identified", "monitoring", "resolved"] as const;
export type IncidentStatus = (typeof INCIDENT_STATUSES)[number];

export const MAX_INCIDENT_TITLE_CHARS = 120;
export const MAX_INCIDENT_TEXT_CHARS = 2_000;

/** An incident on the status page. Times are Unix ms. */
export interface Incident {
  id: number;
  title: string;
  parts: StatusPart[];
  status: IncidentStatus;
  createdAt: number;
  resolvedAt: number | null;
  /** The updates, newest first. */
  updates: { status: IncidentStatus; text: string; at: number }[];
}
