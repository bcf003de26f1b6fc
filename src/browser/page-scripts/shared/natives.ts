/**
 * Returns the native getter of a property. The getter works even after the page has changed the prototype, and on an
 * element that hides the property with a child of the same name. Throws TypeError if the property has no getter.
 */
export function toGetter<Value = unknown>(prototype: object, name: string): () => Value {
  const getter = Object.getOwnPropertyDescriptor(prototype, name)?.get;
  if (getter === undefined) throw new TypeError(`The property ${name} has no getter.`);
  return getter;
}
