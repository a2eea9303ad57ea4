/**
 * Creates a function that runs one piece of work per key at a time: concurrent callers get the same
 * result.
 */
export function createSingleFlight<T>(): (key: string, work: () => Promise<T>) => Promise<T> {
  const underWay = new Map<string, Promise<T>>();
  return (key, work) => {
    const started = underWay.get(key);
    if (started !== undefined) return started;
    const begun = forgetAfter(key, work);
    underWay.set(key, begun);
    return begun;
  };

  async function forgetAfter(key: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } finally {
      underWay.delete(key);
    }
  }
}
