/** Version prefix of each resource, from the environment and the configuration file. */

import type { Versions } from "@catalog/client";
import { UsageError } from "@catalog/console";
import { endpoints, type Version } from "@catalog/contract";

import type { Config, Environment } from "./settings.ts";

/** Prefixes that the specification names for each resource. */
const PREFIXES: ReadonlyMap<string, readonly Version[]> = new Map(
  Object.entries(endpoints)
    .filter(([resource]) => resource !== "token")
    .map(([resource, rows]) => [resource, versionsOf(rows)]),
);

function versionsOf(rows: object): readonly Version[] {
  const all = Object.values(rows).flatMap(
    ({ versions }: { readonly versions: readonly Version[] }) => versions,
  );
  return [...new Set(all)];
}

/** All prefixes in the specification. */
const KNOWN: readonly Version[] = [...new Set([...PREFIXES.values()].flat())].toSorted();

/**
 * `CATALOG_API_VERSION` applies to every resource that has this prefix; the configuration file
 * names single resources. Throws {@link UsageError} for a prefix that is not in the specification.
 */
export function resolveVersions(env: Environment, { versions = {} }: Config): Versions {
  const named = Object.entries(versions).map(
    ([resource, text]) => [resource, readVersion(resource, text)] as const,
  );
  const wanted = env["CATALOG_API_VERSION"];
  const forAll = wanted ? readVersion(undefined, wanted) : undefined;
  const common = [...PREFIXES].flatMap(([resource, prefixes]) =>
    forAll !== undefined && prefixes.includes(forAll) ? [[resource, forAll] as const] : [],
  );
  return Object.fromEntries([...named, ...common]);
}

/** Prefixes of a resource, the one in use first. */
export function listVersions(resource: "product", versions: Versions): readonly Version[] {
  const prefixes = PREFIXES.get(resource) ?? [];
  const used = versions[resource] ?? prefixes[0];
  return prefixes.toSorted((a, b) => Number(b === used) - Number(a === used));
}

function readVersion(resource: string | undefined, text: string): Version {
  const choices = resource === undefined ? KNOWN : PREFIXES.get(resource);
  if (choices === undefined) throw unknownResource(resource ?? "");
  const found = choices.find((version) => version === text);
  if (found !== undefined) return found;
  const setting = resource === undefined ? "CATALOG_API_VERSION" : `versions.${resource}`;
  const list = choices.join(", ");
  throw new UsageError({
    tr: `${setting} "${text}" olamaz; olabilecekler: ${list}.`,
    en: `${setting} cannot be "${text}"; it can be: ${list}.`,
  });
}

function unknownResource(name: string): UsageError {
  const list = [...PREFIXES.keys()].join(", ");
  return new UsageError({
    tr: `catalog.config dosyasındaki versions içinde "${name}" tanınmıyor; olabilecekler: ${list}.`,
    en: `versions in the catalog.config file does not know "${name}"; it can name: ${list}.`,
  });
}
