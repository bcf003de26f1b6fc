/** A constant that is made when it is first asked for: nobody who doesn't need it waits for it. */
export function lazy<Value>(make: () => Value): () => Value {
  let made: { value: Value } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
