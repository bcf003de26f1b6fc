import { describe, expect, it } from "vitest";
import { StartLog } from "../../scripts/start-log.ts";

const REQUEST = '{"level":"info","event":"request"}';
const CRON = '{"level":"info","event":"cron"}';
const WARNING = '{"level":"warn","event":"models_missing"}';
const ERROR = '{"level":"error","event":"account_alarm_failed"}';
const RUNTIME = "e = kj::Exception; wdErrId = abc";

const printed = (log: StartLog) =>
  [REQUEST, CRON, WARNING, ERROR, RUNTIME, "text"].filter((line) => log.isPrinted(line));

describe("the log of npm start", () => {
  it("has only errors and plain text until the service is ready", () => {
    expect(printed(new StartLog({ verbose: false }))).toEqual([ERROR, "text"]);
  });

  it("has requests afterwards, and no routine work", () => {
    const log = new StartLog({ verbose: false });
    log.ready();
    expect(printed(log)).toEqual([REQUEST, WARNING, ERROR, "text"]);
  });

  it("has everything with --verbose", () => {
    expect(printed(new StartLog({ verbose: true }))).toHaveLength(6);
  });
});
