/** Repeatable random numbers: the same seed gives the same sequence on every machine. */

export interface Random {
  /** A number from 0 up to 1, exclusive. */
  next(): number;
  /** A whole number from 0 up to `limit`, exclusive. */
  below(limit: number): number;
  /** A whole number from `least` to `most`, inclusive. */
  between(min: number, max: number): number;
  chance(share: number): boolean;
  pick<T>(items: readonly [T, ...T[]]): T;
  /** One of the items, with a probability proportional to its weight. */
  weigh<T extends { readonly weight: number }>(items: readonly [T, ...T[]]): T;
  /** A separate source, so that one more draw here does not shift the draws elsewhere. */
  fork(name: string): Random;
}

export function createRandom(seed: number): Random {
  let state = seed >>> 0;

  // Mulberry32.
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (limit: number): number => Math.floor(next() * limit);

  return {
    next,
    below,
    between: (min, max) => min + below(max - min + 1),
    chance: (share) => next() < share,
    pick: ([first, ...others]) => {
      const at = below(others.length + 1);
      return at === 0 ? first : (others[at - 1] ?? first);
    },
    weigh(items) {
      let left = next() * items.reduce((sum, { weight }) => sum + weight, 0);
      for (const item of items) {
        left -= item.weight;
        if (left < 0) return item;
      }
      return items[0];
    },
    fork: (name) => createRandom(mix(seed, name)),
  };
}

/** FNV-1a over the name, starting from the seed. */
function mix(seed: number, name: string): number {
  let hash = (0x811c9dc5 ^ Math.imul(seed >>> 0, 0x9e3779b1)) >>> 0;
  for (let at = 0; at < name.length; at += 1) {
    hash = Math.imul(hash ^ name.charCodeAt(at), 0x01000193) >>> 0;
  }
  return hash;
}
