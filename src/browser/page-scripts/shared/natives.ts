/**
 * Returns the getter of a property. It keeps working after the page has changed the prototype, and on an element that hides the
 * property with a child of the same name. Throws TypeError if there is no getter.
 */
export function toGetter<Value = unknown>(prototype: object, name: string): () => Value {
  const getter = Object.getOwnPropertyDescriptor(prototype, name)?.get;
  if (getter === undefined) throw new TypeError(`There is no getter of ${name}.`);
  return getter;
}
