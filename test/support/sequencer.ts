import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Test files that wait for timeouts. They start first, so that the other files run in the meantime. */
const LONGEST = [
  "test/hostile/hostile.test.ts",
  "test/hostile/plain.test.ts",
  "test/e2e/product.test.ts",
  "test/e2e/deploy-loopback.test.ts",
  "test/browser/dead-browser.test.ts",
];

/**
 * The order of the projects. Vitest ends a runtime when a file of another project starts. Therefore, all files of a
 * project run before the next project.
 */
const PROJECTS = ["start", "worker", "platform", "pure"];

/** Starts the longest files first, and then the files of each project. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => rank(a) - rank(b));
  }
}

function rank({ moduleId, project }: TestSpecification): number {
  const place = LONGEST.findIndex((name) => moduleId.endsWith(name));
  return place === -1 ? LONGEST.length + PROJECTS.indexOf(project.name) : place;
}
