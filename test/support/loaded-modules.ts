// Makes dynamic imports of loaded modules end immediately. Vitest sends each import to its main process, even if the
// module is loaded, and simultaneous imports of a module share the promise of the first one. better-auth imports its
// adapter on each request. Requests that run at the same time would therefore wait for each other's promises, which the
// Workers runtime doesn't support: it reports "Cannot perform I/O on behalf of a different request" or that the code had
// hung.

interface LoadedModule {
  /** The response of the main process, or undefined before the first load. */
  meta?: unknown;
  /** The exports, or undefined if the module hasn't been evaluated since it was last invalidated. */
  promise?: Promise<unknown>;
  evaluated: boolean;
}

/** The parts of Vite's module runner that are used here. `cachedModule` is private. */
interface ModuleRunner {
  evaluatedModules: { getModuleByUrl(url: string): LoadedModule | undefined };
  cachedModule(url: string, importer?: string): Promise<LoadedModule>;
}

const patched = globalThis as unknown as {
  __vitest_mocker__: { moduleRunner: ModuleRunner };
  patchedRunner?: ModuleRunner;
};
const runner = patched.__vitest_mocker__.moduleRunner;
// The test files of a runtime share its module runner.
if (patched.patchedRunner !== runner) {
  const load = runner.cachedModule.bind(runner);
  runner.cachedModule = async (url, importer) => {
    const module = runner.evaluatedModules.getModuleByUrl(url);
    const isLoaded = module?.meta !== undefined && module.promise !== undefined && module.evaluated;
    return isLoaded ? module : await load(url, importer);
  };
  patched.patchedRunner = runner;
}
