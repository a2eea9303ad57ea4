/**
 * Who asks, and what each route needs of a person. A route that does not say it cannot be added, and
 * is answered to nobody whose role allows less.
 */

import type { NamedPerson } from "@catalog/runs";
import { type Actor, allows, type Role } from "@catalog/team";
import type { FastifyInstance, FastifyRequest } from "fastify";

import { RequestError } from "./site.ts";

/**
 * The role in the store, or over all stores where the route belongs to none; `all-stores`: an
 * administrator of all stores; `person`: anybody who has signed in; `open`: nobody has to be signed in.
 */
export type Needs = Role | "all-stores" | "person" | "open";

/** The person of a request. */
export interface Asker {
  /** Name that others see; what the person makes carries it. */
  readonly name: string;
  /** In the store of the request, or over all stores; `null` for none. */
  readonly role: Role | null;
  /** Whether it is an administrator of all stores. @default false */
  readonly isOverAll?: boolean | undefined;
  /** As the audit names the person. */
  readonly actor: Actor;
}

declare module "fastify" {
  interface FastifyContextConfig {
    readonly needs?: Needs;
  }
  interface FastifyRequest {
    /** `null` without a session. */
    asker: Asker | null;
  }
}

/** The person of a request that has passed {@link checkNeeds}. */
export function askerOf({ asker }: FastifyRequest): Asker {
  if (asker === null) throw new TypeError("nobody has signed in");
  return asker;
}

/** The person of a request as the one for whom something is made. */
export function makerOf(request: FastifyRequest): NamedPerson {
  return toMaker(askerOf(request));
}

/** The asker as the one for whom something is made. */
export const toMaker = ({ name, actor }: Asker): NamedPerson => ({
  name,
  id: actor.person ?? undefined,
});

/** Whose uploads are counted: a person is one, and the keys in the name of that person are, too. */
export const toUploader = ({ name, actor }: Asker): string => String(actor.person ?? name);

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

function isAllowed({ role, isOverAll }: Asker, needed: Exclude<Needs, "open">): boolean {
  if (needed === "person") return true;
  if (needed === "all-stores") return isOverAll === true;
  return role !== null && allows(role, needed);
}

/** Refuses the request of a person who may not do what the route does. */
export async function checkNeeds(request: FastifyRequest): Promise<void> {
  const { needs: needed = "administrator" } = request.routeOptions.config;
  if (needed === "open") return;
  if (isAllowed(askerOf(request), needed)) return;
  throw new RequestError(403, "E_ROLE", {
    tr: "Bunun için yetkiniz yok. Gerekiyorsa yöneticinizden isteyin.",
    en: "Your role does not allow this. Ask your administrator if you need it.",
  });
}
