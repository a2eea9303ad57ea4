import { type RunRecord } from "@catalog/runs";
import {
  type Command,
  type CommandContext,
  type Flags,
  type Toolkit,
  UsageError,
} from "@catalog/toolkit";

import { applyAndReport } from "../apply-step.ts";
import { badRows, EXIT } from "../exit-code.ts";
import {
  countFlag,
  FILE_FLAGS,
  LIMIT_FLAGS,
  parseMaxErrors,
  textFlag,
  UNKNOWN_FLAG,
} from "../flags.ts";
import { planFromFlags, showPlan } from "../plan-step.ts";
import { printJson, readCounts, reportRun } from "../run-view.ts";
import { type Texts, textsFor } from "../texts.ts";

/** `catalog import FILE`: plan, ask, send, report. */
export const importCommand: Command = {
  name: "import",
  positionals: [
    {
      name: "file",
      required: true,
      describe: {
        tr: "CSV, XLSX, XLS ya da ODS dosyası",
        en: "CSV, XLSX, XLS or ODS file",
      },
    },
  ],
  describe: {
    tr: "Dosyadaki ürünleri ekler ve günceller, sonucu raporlar",
    en: "Adds and updates the products of a file and reports the outcome",
  },
  flags: {
    ...FILE_FLAGS,
    ...LIMIT_FLAGS,
    ...UNKNOWN_FLAG,
    yes: {
      type: "boolean",
      describe: { tr: "Sormadan gönder", en: "Send without asking" },
    },
  },
  examples: ["import urunler.xlsx", "import urunler.csv --yes --json --max-errors 5%"],
  async run(context, flags) {
    const texts = textsFor(context.lang);
    if (flags["yes"] !== true && !context.terminal.canAsk) {
      throw new UsageError({ tr: textsFor("tr").needsYes, en: textsFor("en").needsYes });
    }
    // A limit that makes no sense is said before the file is read.
    parseMaxErrors(textFlag(flags, "max-errors"), 0);
    await using toolkit = await context.openToolkit({
      concurrency: countFlag(flags, "concurrency"),
      requestsPerHour: countFlag(flags, "requests-per-hour"),
    });
    using _lock = toolkit.lock("catalog import");
    const run = await planFromFlags(context, toolkit, { command: "import", flags });
    if (!context.json) await showPlan(context, toolkit, run);

    const counts = await readCounts(toolkit, run);
    const most = parseMaxErrors(textFlag(flags, "max-errors"), counts.rows);
    const bad = badRows(counts);
    const reason = reasonToRefuse(texts, { bad, most, isStrict: flags["strict"] === true });
    if (reason !== undefined) {
      return await sendNothing(context, toolkit, { run, exit: EXIT.nothingSent, reason });
    }
    const answer = await mayGoOn(context, run, flags);
    if (answer !== true) {
      const exit = answer === undefined ? EXIT.interrupted : EXIT.done;
      return await sendNothing(context, toolkit, { run, exit, reason: texts.declined(run.id) });
    }
    const maxRejected = most === undefined ? undefined : most - bad;
    return await applyAndReport(context, toolkit, { command: "import", flags, run, maxRejected });
  },
};

interface Limits {
  readonly bad: number;
  readonly most: number | undefined;
  readonly isStrict: boolean;
}

/** Why not even the good rows are sent; nothing when they are. */
function reasonToRefuse(texts: Texts, { bad, most, isStrict }: Limits): string | undefined {
  if (isStrict && bad > 0) return texts.strictStopped(bad);
  return most !== undefined && bad > most ? texts.tooManyErrors(bad, most) : undefined;
}

interface NotSent {
  readonly run: RunRecord;
  readonly exit: number;
  readonly reason: string;
}

/** Reports the plan as it stands, and why it was not applied. */
async function sendNothing(
  context: CommandContext,
  toolkit: Toolkit,
  { run, exit, reason }: NotSent,
): Promise<number> {
  const summary = await reportRun(toolkit, run, { command: "import", exit });
  if (context.json) printJson(context, summary);
  context.terminal.err(`\n${reason}\n`);
  return exit;
}

async function mayGoOn(
  { terminal, lang }: CommandContext,
  run: RunRecord,
  flags: Flags,
): Promise<boolean | undefined> {
  const { add = 0, update = 0 } = run.facts?.planned ?? {};
  if (flags["yes"] === true || add + update === 0) return true;
  const texts = textsFor(lang);
  return await terminal.ask(texts.confirm(add, update), texts);
}
