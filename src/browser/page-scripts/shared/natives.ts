/**
 * Returns the native getter of a property. The getter works even after the page has changed the prototype, and on an
 * element that hides the property with a child of the same name. Throws TypeError if the property has no getter.
 */
export function toGetter<Value = unknown>(prototype: object, name: string): () => Value {
  return toProperty<Value>(prototype, name).get;
}

/** Returns the native getter and setter of a property. Throws TypeError if it has no getter. */
export function toProperty<Value>(
  prototype: object,
  name: string,
): { get: () => Value; set: (this: unknown, value: Value) => void } {
  const { get, set = () => undefined } = Object.getOwnPropertyDescriptor(prototype, name) ?? {};
  if (get === undefined) throw new TypeError(`The property ${name} has no getter.`);
  return { get, set };
}
