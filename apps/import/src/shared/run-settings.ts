/** How a run was asked for: from the flags at first, and from the store when it is gone on with. */

import { rememberPriceUnit, type Toolkit } from "@catalog/connection";
import { type Flags, countFlag, textFlag } from "@catalog/console";
import { readRun } from "@catalog/importer";
import { type RunSettings } from "@catalog/runs";

import { type CommandContext } from "../context.ts";
import { allowedGuards, parseMaxErrors, priceUnitFlag } from "./flags.ts";

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

/** What was stored with a run, and over it what the flags say now. */
export function mergeSettings(stored: RunSettings, flags: Flags): RunSettings {
  const given = Object.entries(readSettings(flags)).filter(([, value]) => value !== undefined);
  return { ...stored, ...Object.fromEntries(given) };
}

/** The run that the flags name. */
export const runFlag = (flags: Flags): string => textFlag(flags, "run") ?? "";

/**
 * Opens the store at the pace that its run was asked for with, unless the flags say another. A unit
 * of prices that the flags name is remembered as a person's word.
 */
export async function openForRun(context: CommandContext, flags: Flags): Promise<Toolkit> {
  const { concurrency, requestsPerHour } = mergeSettings(await readStored(context, flags), flags);
  const priceUnit = priceUnitFlag(flags);
  const toolkit = await context.openToolkit({ concurrency, requestsPerHour, priceUnit });
  if (priceUnit !== undefined) await rememberPriceUnit(toolkit, priceUnit, "person");
  return toolkit;
}

async function readStored(context: CommandContext, flags: Flags): Promise<RunSettings> {
  await using toolkit = await context.openToolkit();
  return (await readRun(toolkit, runFlag(flags))).settings;
}
