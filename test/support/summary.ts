import type { Reporter, TestModule } from "vitest/node";

/** Prints, at the end of a run, which tests passed only after a retry, and how many were skipped for which reason. */
export class Summary implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const retried = tests.filter((test) => test.ok() && (test.diagnostic()?.retryCount ?? 0) > 0);
    if (retried.length > 0) console.log(`\nPassed only after a retry: ${retried.length}`);
    for (const test of retried) console.log(`  ${test.module.relativeModuleId} > ${test.fullName}`);
    const reasons = tests
      .map((test) => test.result())
      .flatMap((result) => (result.state === "skipped" ? [result.note] : []));
    for (const [reason = "no reason given", { length }] of Map.groupBy(reasons, (reason) => reason))
      console.log(`\nSkipped: ${length} (${reason})`);
  }
}
