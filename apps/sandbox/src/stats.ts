/** Counts since the sandbox started or was reset. */
export interface SandboxStats {
  /** Number of products in the store now, in any status. */
  readonly products: number;
  /** Calls of product/add that were answered with a product's id. */
  readonly adds: number;
  /** Calls of product/update that changed a product; an update with equal values does not count. */
  readonly updates: number;
  /** Number of tokens issued. */
  readonly tokens: number;
  /**
   * Number of requests received, refused ones and unknown paths included, admin routes excepted.
   */
  readonly requests: number;
  /**
   * The same by endpoint, such as "product.add", without unknown paths; a missing key means none.
   */
  readonly byEndpoint: Readonly<Record<string, number>>;
}

/** Counts requests and their effects while the sandbox runs. */
export interface StatsCounter {
  /** `endpoint` is undefined for an unknown path. */
  countRequest(endpoint: string | undefined): void;
  count(what: "adds" | "updates" | "tokens"): void;
  read(): Omit<SandboxStats, "products">;
  reset(): void;
  /** Continues from the counts of another one. */
  load(counts: Omit<SandboxStats, "products">): void;
}

export function createStatsCounter(): StatsCounter {
  const byEndpoint = new Map<string, number>();
  const counts = { adds: 0, updates: 0, tokens: 0, requests: 0 };

  return {
    countRequest(endpoint) {
      counts.requests += 1;
      if (endpoint !== undefined) byEndpoint.set(endpoint, (byEndpoint.get(endpoint) ?? 0) + 1);
    },
    count(what) {
      counts[what] += 1;
    },
    read: () => ({ ...counts, byEndpoint: Object.fromEntries(byEndpoint) }),
    reset() {
      byEndpoint.clear();
      Object.assign(counts, { adds: 0, updates: 0, tokens: 0, requests: 0 });
    },
    load({ byEndpoint: named, ...rest }) {
      byEndpoint.clear();
      for (const [name, count] of Object.entries(named)) byEndpoint.set(name, count);
      Object.assign(counts, rest);
    },
  };
}
