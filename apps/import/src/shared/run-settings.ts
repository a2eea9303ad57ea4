/** Settings of a run: from the flags of a new run, merged with stored ones when it is resumed. */

import { savePriceUnitSetting, type Connection } from "@catalog/connection";
import { concurrencyFlag, type Flags, countFlag, textFlag } from "@catalog/console";
import { mergeSettings, parseMaxErrors, readRun } from "@catalog/importer";
import type { RunSettings } from "@catalog/runs";

import type { CommandContext } from "../context.ts";
import { allowedGuards, priceUnitFlag } from "./flags.ts";

/** Reads the settings of a new run. Throws `UsageError` or `InputError` for an invalid value. */
export function readSettings(flags: Flags): RunSettings {
  const maxErrors = textFlag(flags, "max-errors");
  // Throws for an invalid limit before the file is read.
  parseMaxErrors(maxErrors, 0);
  return {
    strict: flags["strict"] === true ? true : undefined,
    maxErrors,
    onUnknown: readOnUnknown(flags),
    allowed: allowedGuards(flags),
    noVerify: flags["verify"] === false ? true : undefined,
    tryRefused: flags["try-refused"] === true ? true : undefined,
    canary: countFlag(flags, "canary"),
    requestsPerHour: countFlag(flags, "requests-per-hour"),
    concurrency: concurrencyFlag(flags),
  };
}

const readOnUnknown = (flags: Flags): RunSettings["onUnknown"] => {
  const text = textFlag(flags, "on-unknown");
  return text === "hold" || text === "resend" ? text : undefined;
};

/** Reads the id of the run that the flags name; empty where they name none. */
export const runFlag = (flags: Flags): string => textFlag(flags, "run") ?? "";

/**
 * Opens the store at the stored pace of the run, which flags override. Stores the price unit, if
 * the flags state one, as set by a person.
 */
export async function openForRun(context: CommandContext, flags: Flags): Promise<Connection> {
  const priceUnit = priceUnitFlag(flags);
  const connection = await context.openConnection({
    priceUnit,
    readPace: async (opened) => {
      const { settings } = await readRun(opened, runFlag(flags));
      return mergeSettings(settings, readSettings(flags));
    },
  });
  if (priceUnit !== undefined) await savePriceUnitSetting(connection, priceUnit, "person");
  return connection;
}
