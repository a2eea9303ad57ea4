/**
 * The settings of a run that flags give. Apart from the flags themselves, which help shows without
 * loading an engine.
 */

import { type Connection, priceUnitOf } from "@catalog/connection";
import { type Flags, readFlag } from "@catalog/console";
import { findLimitRefusal, mergeSettings } from "@catalog/importer";
import { type RunSettings, toCounts } from "@catalog/runs";
import type { GuardName } from "@catalog/runs/guards";

import type { CommandContext } from "./context.ts";
import { allowFlag, priceUnitFlag, ROW_GUARDS, runFlag } from "./flags.ts";

/** Reads the settings of a new run. Throws `UsageError` or `InputError` for an invalid value. */
export function readSettings(flags: Flags): RunSettings {
  const maxErrors = readFlag.text(flags, "max-errors");
  // Throws for an invalid limit before the file is read.
  findLimitRefusal(toCounts([]), { maxErrors });
  return {
    strict: flags["strict"] === true ? true : undefined,
    maxErrors,
    onUnknown: readOnUnknown(flags),
    allowed: allowedGuards(flags),
    noVerify: flags["verify"] === false ? true : undefined,
    tryRefused: flags["try-refused"] === true ? true : undefined,
    canary: readFlag.count(flags, "canary"),
    requestsPerHour: readFlag.count(flags, "requests-per-hour"),
    concurrency: readFlag.concurrency(flags),
  };
}

const readOnUnknown = (flags: Flags): RunSettings["onUnknown"] => {
  const text = readFlag.text(flags, "on-unknown");
  return text === "hold" || text === "resend" ? text : undefined;
};

/** The guards that `--allow` names; `undefined` where it names none. */
function allowedGuards(flags: Flags): readonly GuardName[] | undefined {
  const words = allowFlag(flags);
  const guards = ROW_GUARDS.filter((guard) => words.has(guard));
  return guards.length === 0 ? undefined : guards;
}

/**
 * Opens the store at the stored pace of the run, which flags override. Stores the price unit, if
 * the flags state one, as set by a person, but not for a run that this store does not know.
 */
export async function openForRun(context: CommandContext, flags: Flags): Promise<Connection> {
  const priceUnit = priceUnitFlag(flags);
  let isKnown = false;
  const connection = await context.openConnection({
    priceUnit,
    readPace: async (opened) => {
      // The command says which store an unknown run belongs to.
      const run = await opened.runs.read(runFlag(flags));
      isKnown = run !== undefined;
      return run === undefined ? {} : mergeSettings(run.settings, readSettings(flags));
    },
  });
  if (priceUnit !== undefined && isKnown) await priceUnitOf(connection).save(priceUnit, "person");
  return connection;
}
