import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * The order of the projects. Vitest ends a runtime when a file of another project starts. Therefore, all files of a
 * project run before the next project. The projects that wait most for timeouts and browsers start first.
 */
const PROJECTS = ["worker-slow", "slow", "platform-slow", "worker", "pure"];

/** Runs the files of each project together. */
export class ByProject extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => PROJECTS.indexOf(a.project.name) - PROJECTS.indexOf(b.project.name));
  }
}
