import type { KeyCredits } from "./credits";
import { DeliveringObject } from "./delivering-object";
import { readKeyCredits } from "./key-credits";
import { type Located, locate } from "./locate";
import { type Overview, type OverviewQuery, readOverview } from "./overview";
import type { Gone } from "./types";
import { readUsage, type UsageQuery, type UsageReport } from "./usage";

/** Adds the methods for reports about usage to the account's Durable Object. */
export abstract class ReportingObject extends DeliveringObject {
  /** Returns the balance, and the usage of one mode in a range of days. */
  usage(query: UsageQuery): ({ kind: "usage" } & UsageReport) | Gone {
    return this.transact((tx) => ({ kind: "usage", ...readUsage(tx, query) }));
  }

  /** Returns the credits that each live key has used in this period. */
  keyCredits(): ({ kind: "credits" } & KeyCredits) | Gone {
    return this.transact((tx) => ({ kind: "credits", ...readKeyCredits(tx) }));
  }

  /** Returns the jobs, batches, crawls and deliveries with this id or `X-Request-Id`. */
  locate(id: string): { kind: "located"; found: Located[] } | Gone {
    return this.transact((tx) => ({ kind: "located", found: locate(tx, id) }));
  }

  /** Returns the data for the dashboard's overview page. */
  overview(query: OverviewQuery): ({ kind: "overview" } & Overview) | Gone {
    return this.transact((tx) => ({ kind: "overview", ...readOverview(tx, query) }));
  }
}
