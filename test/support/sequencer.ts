import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Files that wait for timeouts. They start first, because the other files can run in the meantime. */
const LONGEST = ["test/hostile/hostile.test.ts", "test/e2e/product.test.ts", "test/webhooks/deliveries.test.ts"];

/** Files of one project follow each other, because Vitest keeps a runtime only until a file of another project. */
const PROJECTS = ["isolated", "start", "worker", "pure"];

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
