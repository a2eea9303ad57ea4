/** Creates the value at the first call and returns the same value from then on. */
export function lazy<Value>(create: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => {
    made ??= { value: create() };
    return made.value;
  };
}
