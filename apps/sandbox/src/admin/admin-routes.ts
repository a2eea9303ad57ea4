/** Admin routes, which only a sandbox has: without token, quota or version. */

import type { FastifyInstance } from "fastify";

import { toRefusal } from "../http/refusal.ts";
import type { SandboxProduct } from "../products/product-state.ts";
import type { SandboxStats } from "../stats.ts";
import type { Inspection } from "./inspect.ts";
import { parseSnapshot, type Snapshot } from "./snapshot.ts";

export interface AdminRoutesOptions {
  readonly stats: () => SandboxStats;
  readonly products: () => readonly SandboxProduct[];
  readonly withCode: (code: string) => readonly SandboxProduct[];
  readonly inspect: () => Inspection;
  readonly approve: () => number;
  readonly endTokens: () => void;
  readonly save: () => Snapshot;
  readonly load: (snapshot: Snapshot) => void;
  readonly reset: () => void;
}

const SNAPSHOT_LIMIT_BYTES = 512 * 1024 * 1024;

/** Adds the paths below `/_sandbox/`; none of them is counted. */
export function addAdminRoutes(server: FastifyInstance, options: AdminRoutesOptions): void {
  server.get("/_sandbox/stats", async () => ({ data: options.stats() }));
  server.get("/_sandbox/inspection", async () => ({ data: options.inspect() }));
  server.get("/_sandbox/snapshot", async () => options.save());

  server.get<{ Querystring: { readonly code?: string } }>(
    "/_sandbox/products",
    async ({ query: { code } }) => ({
      data: code === undefined ? options.products() : options.withCode(code),
    }),
  );

  server.post("/_sandbox/approve", async () => ({ data: { approved: options.approve() } }));
  server.post("/_sandbox/end-tokens", async () => {
    options.endTokens();
    return { data: { status: true } };
  });
  server.post("/_sandbox/reset", async () => {
    options.reset();
    return { data: { status: true } };
  });
  server.post("/_sandbox/restore", { bodyLimit: SNAPSHOT_LIMIT_BYTES }, async ({ body }) => {
    restore(options, body);
    return { data: { status: true } };
  });
}

function restore({ load }: AdminRoutesOptions, body: unknown): void {
  try {
    load(parseSnapshot(body));
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw toRefusal(error, 400);
  }
}
