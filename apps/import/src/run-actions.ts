/** Plans a list of actions, asks, sends and reports. */

import { type Flags, readFlag, UsageError } from "@catalog/console";
import { type ActionSheetKind, planActionFile } from "@catalog/importer";
import type { ActionName } from "@catalog/runs";

import { assertCanConfirm, confirmAndApply } from "./apply-and-report.ts";
import type { CommandContext } from "./context.ts";
import { endWithPlan, showPlan, toReportDir, watchPlan } from "./plan-from-flags.ts";
import { readSettings } from "./run-settings.ts";

/** `catalog answer FILE`. */
export const runAnswer = (context: CommandContext, flags: Flags): Promise<number> =>
  runActions(context, flags, { command: "answer", kind: "answers" });

/** `catalog orders WHAT FILE`. */
export async function runOrders(context: CommandContext, flags: Flags): Promise<number> {
  const what = readFlag.text(flags, "what") ?? "";
  if (what === "shipping-codes") {
    return await runActions(context, flags, { command: "orders", kind: "codes" });
  }
  const only = DECISIONS.find((name) => name === what);
  return await runActions(context, flags, { command: "orders", kind: "packages", only });
}

/** `catalog shipping templates import FILE`. */
export const runTemplates = (context: CommandContext, flags: Flags): Promise<number> => {
  if (readFlag.text(flags, "file") === undefined) {
    throw new UsageError({
      tr: "Okunacak dosyayı verin: catalog shipping templates import sablonlar.xlsx",
      en: "Give the file to read: catalog shipping templates import templates.xlsx",
    });
  }
  return runActions(context, flags, { command: "shipping", kind: "templates" });
};

/** Decisions on packages, by the words of the command line. */
const DECISIONS: readonly ActionName[] = ["accept", "postpone", "accept-return", "reject-return"];

interface AskedActions {
  readonly command: string;
  readonly kind: ActionSheetKind;
  readonly only?: ActionName | undefined;
}

async function runActions(
  context: CommandContext,
  flags: Flags,
  { command, kind, only }: AskedActions,
): Promise<number> {
  const settings = readSettings(flags);
  const isPlan = flags["plan"] === true;
  if (!isPlan) assertCanConfirm(context, flags);
  const { sheet } = readFlag.reading(flags);
  await using connection = await context.openConnection(settings);
  await using lock = await connection.locks.store(`catalog ${command}`);
  const run = await watchPlan(context, { lock, flags }, (watched) =>
    planActionFile(connection, {
      ...watched,
      command,
      kind,
      only,
      settings,
      lang: context.lang,
      path: context.resolve(readFlag.text(flags, "file") ?? ""),
      reportDir: toReportDir(context, flags),
      ...(sheet !== undefined && { sheet }),
    }),
  );
  if (isPlan) return await endWithPlan(context, connection, { command, run, flags });
  if (!context.json) await showPlan(context, connection, run, flags);
  return await confirmAndApply(context, connection, { command, flags, run });
}
