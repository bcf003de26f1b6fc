import type { Service } from "./service.ts";
import type { Targets } from "./targets.ts";

/** The input of each check. */
export interface Context {
  service: Service;
  targets: Targets;
  /** The id of the run, which is part of names and URLs. */
  run: string;
  /** True if the service runs on Cloudflare. Some expectations differ elsewhere. */
  onCloudflare: boolean;
  /** The browsers as the admin API describes them before the checks. */
  browsers: BrowserReport;
}

/** The response of `GET /admin/v1/browsers`. */
export interface BrowserReport {
  network: string;
  shared: boolean;
  fetch_via: string;
  browsers: {
    running: boolean;
    product: string | null;
    intercepts_whole_browser: boolean | null;
    pauses_targets: boolean | null;
  }[];
}
