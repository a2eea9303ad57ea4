/** Plans a list of actions, asks, sends and reports. */

import { type Flags, readFlag, UsageError } from "@catalog/console";
import {
  type AskedActions,
  assertReadable,
  planActionFile,
  planNamedActions,
} from "@catalog/importer";
import type { ActionName } from "@catalog/runs";

import { applyAndReport, assertCanConfirm, confirmSending } from "./apply-and-report.ts";
import type { CommandContext } from "./context.ts";
import { endWithPlan, showPlan, toReportDir, watchPlan } from "./plan-from-flags.ts";
import { followQueued, type QueuedRun, queueRun } from "./queued-run.ts";
import { readSettings } from "./run-settings.ts";

/** `catalog answer FILE`. */
export const runAnswer = (context: CommandContext, flags: Flags): Promise<number> =>
  runActions(context, flags, { command: "answer", kind: "answers" });

/** `catalog orders WHAT FILE`, or `--package ID,ID` in place of the file. */
export async function runOrders(context: CommandContext, flags: Flags): Promise<number> {
  const what = readFlag.text(flags, "what") ?? "";
  const isCodes = what === "shipping-codes";
  const company = readFlag.text(flags, "company");
  const reason = readFlag.text(flags, "reason");
  const only = DECISIONS.find((name) => name === what);
  assertOrderFlags(flags, { what, isCodes });
  if (what === "as-written" && readFlag.text(flags, "package") !== undefined) {
    throw new UsageError({
      tr: "“orders as-written” işlemleri dosyadan okur; --package ile verilmez.",
      en: "“orders as-written” reads the actions from a file; it does not go with --package.",
    });
  }
  return await runActions(
    context,
    flags,
    isCodes
      ? { command: "orders", kind: "codes", company }
      : { command: "orders", kind: "packages", only, reason },
  );
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

function assertOrderFlags(
  flags: Flags,
  { what, isCodes }: { readonly what: string; readonly isCodes: boolean },
): void {
  const isNamed = readFlag.text(flags, "package") !== undefined;
  if (isNamed === (readFlag.text(flags, "file") !== undefined)) {
    throw new UsageError({
      tr: `Paketleri bir dosyayla ya da --package ile verin: catalog orders ${what} siparisler.xlsx`,
      en: `Name the packages by a file or by --package: catalog orders ${what} orders.xlsx`,
    });
  }
  if (isCodes && isNamed && readFlag.text(flags, "company") === undefined) {
    throw new UsageError({
      tr: "--package ile kargo kodu için firmayı da verin: --company FİRMA",
      en: "Shipping codes for --package need the company, too: --company NAME",
    });
  }
  const [flag, isOf] = isCodes ? ["reason", "postpone"] : ["company", "shipping-codes"];
  if (readFlag.text(flags, flag) === undefined && what !== "accept") return;
  if (what === "accept" && readFlag.text(flags, "reason") !== undefined) {
    throw new UsageError({
      tr: "--reason “orders accept” ile verilmez: onaylarken gerekçe gönderilmez.",
      en: "--reason does not go with “orders accept”: no reason is sent when a package is accepted.",
    });
  }
  if (readFlag.text(flags, flag) === undefined) return;
  throw new UsageError({
    tr: `--${flag} “orders ${what}” ile verilmez; “orders ${isOf}” içindir.`,
    en: `--${flag} does not go with “orders ${what}”; it is for “orders ${isOf}”.`,
  });
}

type AskedCommand = AskedActions & { readonly command: string };

async function runActions(
  context: CommandContext,
  flags: Flags,
  { command, ...asked }: AskedCommand,
): Promise<number> {
  const settings = readSettings(flags);
  const isPlan = flags["plan"] === true;
  const ids = listIds(readFlag.text(flags, "package"));
  const path = context.resolve(readFlag.text(flags, "file") ?? "");
  if (ids === undefined) await assertReadable(path);
  if (!isPlan) assertCanConfirm(context, flags);
  const { sheet } = readFlag.reading(flags);
  await using connection = await context.openConnection(settings);
  let queued: QueuedRun;
  {
    await using lock = await connection.locks.store(`catalog ${command}`);
    const run = await watchPlan(context, { lock, flags }, (watched) => {
      const { lang } = context;
      const reportDir = toReportDir(context, flags);
      const plan = { ...watched, ...asked, command, settings, lang, reportDir };
      return ids === undefined
        ? planActionFile(connection, { ...plan, path, ...(sheet !== undefined && { sheet }) })
        : planNamedActions(connection, { ...plan, ids });
    });
    if (isPlan) return await endWithPlan(context, connection, { command, run, flags });
    if (!context.json) await showPlan(context, connection, run, flags);
    const confirmed = { command, flags, run };
    const { exit, recheck } = await confirmSending(context, connection, confirmed);
    if (exit !== undefined) return exit;
    if (flags["queue"] !== true) {
      return await applyAndReport(context, connection, { ...confirmed, recheck });
    }
    queued = await queueRun(context, connection, confirmed);
  }
  return await followQueued(context, connection, queued);
}

/** The ids of a list with commas, each once; `undefined` where none was given. */
function listIds(text: string | undefined): readonly string[] | undefined {
  const ids = text?.split(",").map((id) => id.trim());
  return ids === undefined ? undefined : [...new Set(ids.filter((id) => id !== ""))];
}
