/** What only a sandbox has: a look behind the counter, without token, quota or version. */

import { type FastifyInstance } from "fastify";

import { type SandboxProduct } from "./store/store-state.ts";
import { type SandboxStats } from "./tally.ts";

export interface InspectionOptions {
  readonly stats: () => SandboxStats;
  readonly products: () => readonly SandboxProduct[];
  readonly reset: () => void;
}

/** Adds `/_sandbox/stats`, `/_sandbox/products?code=` and `/_sandbox/reset`; none is counted. */
export function addInspection(server: FastifyInstance, options: InspectionOptions): void {
  server.get("/_sandbox/stats", async () => ({ data: options.stats() }));

  server.get<{ Querystring: { readonly code?: string } }>(
    "/_sandbox/products",
    async ({ query: { code } }) => ({
      data: options
        .products()
        .filter(({ product_code }) => code === undefined || product_code === code),
    }),
  );

  server.post("/_sandbox/reset", async () => {
    options.reset();
    return { data: { status: true } };
  });
}
