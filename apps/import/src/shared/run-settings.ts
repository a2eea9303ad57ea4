/** How a run was asked for: from the flags at first, and from the store when it is gone on with. */

import { savePriceUnitSetting, type Connection } from "@catalog/connection";
import { type Flags, countFlag, textFlag } from "@catalog/console";
import { mergeSettings, parseMaxErrors, readRun } from "@catalog/importer";
import { type RunSettings } from "@catalog/runs";

import { type CommandContext } from "../context.ts";
import { allowedGuards, priceUnitFlag } from "./flags.ts";

/** Reads the settings of a new run. Throws `UsageError` for a value that makes no sense. */
export function readSettings(flags: Flags): RunSettings {
  const maxErrors = textFlag(flags, "max-errors");
  // A limit that makes no sense is said before the file is read.
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
    concurrency: countFlag(flags, "concurrency"),
  };
}

const readOnUnknown = (flags: Flags): RunSettings["onUnknown"] => {
  const text = textFlag(flags, "on-unknown");
  return text === "hold" || text === "resend" ? text : undefined;
};

/** The run that the flags name. */
export const runFlag = (flags: Flags): string => textFlag(flags, "run") ?? "";

/**
 * Opens the store at the pace that its run was asked for with, unless the flags say another. A unit
 * of prices that the flags name is remembered as a person's word.
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
