/** What a person must be for each route. A route that does not say it cannot be added. */

import type { Role } from "@catalog/team";
import type { FastifyInstance } from "fastify";

/**
 * The role in the store, or over all stores where the route belongs to none; `person`: anybody who has
 * signed in; `open`: nobody has to be signed in.
 */
export type Needs = Role | "person" | "open";

declare module "fastify" {
  interface FastifyContextConfig {
    readonly needs?: Needs;
  }
}

interface NeedsOption {
  readonly config: { readonly needs: Needs };
}

/** The option of a route that states what it needs. */
export const needs = (what: Needs): NeedsOption => ({ config: { needs: what } });

/** Throws for each route that is added afterwards and does not state what it needs. */
export function requireNeeds(app: FastifyInstance): void {
  app.addHook("onRoute", ({ method, url, config }) => {
    if (config?.needs !== undefined) return;
    throw new TypeError(`${String(method)} ${url} does not state what it needs`);
  });
}
