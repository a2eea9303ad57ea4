/**
 * What the plan of a file depends on besides the file: the rules, defaults, limits and unit of
 * prices of its store. A plan that was made before one of them changed is out of date.
 */

import { hash } from "node:crypto";

import { type Connection, effectiveSettings, readPriceUnitSetting } from "@catalog/connection";
import type { RunRecord } from "@catalog/runs";

import { readDefaultValues } from "../columns/default-values.ts";

/** A digest of the rules and the default values as they are now, by which cells are read. */
export async function readRulesBasis({
  rules,
  profiles,
}: Pick<Connection["memory"], "rules" | "profiles">): Promise<string> {
  return digest([await rules.list(), [...(await readDefaultValues(profiles))]]);
}

/** A digest of the rules, the default values and the limits as they are now. */
export async function readPlanBasis({
  memory,
  settings,
}: Pick<Connection, "memory" | "settings">): Promise<string> {
  const { guardLimits = {} } = await effectiveSettings(settings);
  const limits = Object.entries(guardLimits).toSorted(([one], [other]) => one.localeCompare(other));
  return digest([await readRulesBasis(memory), limits]);
}

const digest = (parts: readonly unknown[]): string =>
  hash("sha256", JSON.stringify(parts)).slice(0, 16);

/**
 * Whether a plan was made with what is set now. One of which the unit of prices was not known counts
 * as outdated once it is known.
 */
export async function isPlannedAsSet(
  connection: Connection,
  { facts, progress: { basis } }: Pick<RunRecord, "facts" | "progress">,
): Promise<boolean> {
  if (basis !== undefined && basis !== (await readPlanBasis(connection))) return false;
  const { set, remembered } = await readPriceUnitSetting(connection);
  const unit = set ?? remembered;
  return facts === null || unit === undefined || unit === facts.priceUnit;
}
