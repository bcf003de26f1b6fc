/** Memoizes `make`, which runs on the first call. */
export function lazy<Value>(make: () => Value): () => Value {
  let made: { value: Value } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
