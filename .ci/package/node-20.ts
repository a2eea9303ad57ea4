/**
 * What the libraries use and Node 20 lacks. The bundler puts these functions in the places of the
 * built-in ones, so nothing global is changed.
 */

interface Resolvers<T> {
  readonly promise: Promise<T>;
  readonly resolve: (value: T | PromiseLike<T>) => void;
  readonly reject: (reason?: unknown) => void;
}

/** `Promise.withResolvers`, of Node 22. */
export function withResolvers<T>(): Resolvers<T> {
  let settle: Omit<Resolvers<T>, "promise"> | undefined;
  // oxlint-disable-next-line promise/avoid-new -- this is the function that replaces it elsewhere
  const promise = new Promise<T>((resolve, reject) => {
    settle = { resolve, reject };
  });
  if (settle === undefined) throw new Error("a promise runs its executor at once");
  return { promise, ...settle };
}

/** `Map.groupBy`, of Node 21. */
export function groupBy<Key, Item>(
  items: Iterable<Item>,
  keyOf: (item: Item, index: number) => Key,
): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  let index = 0;
  for (const item of items) {
    const key = keyOf(item, index);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
    index += 1;
  }
  return groups;
}
