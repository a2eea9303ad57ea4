/** Pseudo-random numbers that are the same in every run. */
export interface Random {
  /** A whole number from 0 up to, not including, `limit`. */
  below(limit: number): number;
  pick<Value>(values: readonly Value[]): Value;
}

/** The generator is mulberry32. */
export function createRandom(seed: number): Random {
  let state = seed;
  const below = (limit: number): number => {
    state = Math.trunc(state + 0x6d2b79f5);
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit);
  };
  return {
    below,
    pick(values) {
      const value = values[below(values.length)];
      if (value === undefined) throw new RangeError("nothing to pick from");
      return value;
    },
  };
}
