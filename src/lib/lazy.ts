/** Memoizes `make`, which runs on the first call. */
export function lazy<Value>(make: () => Value): () => Value {
  let made: { value: Value } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/**
 * Returns a function that loads a module on the first call. Concurrent first calls load it separately, because in a
 * shared isolate, one Durable Object can't await the promise of another one.
 */
export function lazyModule<Module extends object>(load: () => Promise<Module>): () => Promise<Module> {
  let module: Module | null = null;
  return async () => {
    module ??= await load();
    return module;
  };
}

/** Returns the value of a key. If the map doesn't have it, adds the result of `make`. */
export function getOrMake<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}
