import { log, toLogged } from "./log";

/** What can be told apart by (`blobs`) and what can be added up (`doubles`), each by its place. */
export interface Count {
  account: string | undefined;
  blobs: (string | undefined)[];
  doubles: number[];
}

/** Writes a data point for Workers Analytics Engine, where a dataset is bound. Isn't waited for, and never costs an answer. */
export function count(env: Env, { account, blobs, doubles }: Count): void {
  try {
    env.ANALYTICS?.writeDataPoint({
      indexes: [account ?? ""],
      blobs: blobs.map((blob) => blob ?? ""),
      doubles,
    });
  } catch (error) {
    log("warn", "not_counted", toLogged(error));
  }
}
