/** Sends the held rows that a person has approved in the file of held rows, and gives others up. */

import type { Connection } from "@catalog/connection";
import { EXIT, type Flags, printJson, textFlag, UsageError } from "@catalog/console";
import { wrapText } from "@catalog/console/wrap-text";
import { isFeedRun, readApprovals, type Release } from "@catalog/importer";
import { heldPathOf } from "@catalog/report";
import { type RunRecord, toCounts } from "@catalog/runs";

import type { CommandContext } from "../../context.ts";
import { recordAndSend } from "./decide.ts";
import { releaseTexts } from "./texts.ts";

interface ApprovedIn {
  readonly run: RunRecord;
  readonly flags: Flags;
  /** The path as it was typed. */
  readonly path: string;
}

/** Releases exactly the marked rows, and reports the marks that cannot be followed. */
export async function releaseApproved(
  context: CommandContext,
  connection: Connection,
  { run, flags, path }: ApprovedIn,
): Promise<number> {
  const { terminal, lang, json } = context;
  const texts = releaseTexts(lang);
  const { approved, declined, refused } = await readApprovals(connection, run, {
    path: context.resolve(path),
    limits: context.limits,
    encoding: textFlag(flags, "encoding"),
  });
  for (const { fileRow, why } of refused) {
    const columns = terminal.outColumns;
    terminal.err(
      `${wrapText(terminal.shown(texts.refused(fileRow, why[lang])), { columns, indent: 4 })}\n`,
    );
  }
  if (approved.length + declined.length === 0) {
    const exit = refused.length > 0 ? EXIT.someFailed : EXIT.done;
    if (json)
      printJson(context.terminal, { command: "release", run: run.id, exit, released: [], refused });
    if (refused.length === 0) terminal.err(`${texts.noneApproved}\n`);
    terminal.err(`${texts.stillWait(await countHeld(connection, run))}\n`);
    return exit;
  }
  const isFeed = isFeedRun(run);
  for (const [kind, { length: rows }] of [
    ["approve", approved],
    ["cancel", declined],
  ] as const) {
    const question = kind === "cancel" ? texts.confirmDeclined(rows) : undefined;
    const asked = { kind, rows, isFeed, question };
    const exit = rows === 0 ? undefined : await confirmRelease(context, flags, asked);
    if (exit !== undefined) return exit;
  }
  const decided = [
    ...approved.map((record) => ({ record, release: APPROVE })),
    ...declined.map((record) => ({ record, release: CANCEL })),
  ];
  const hasRefused = refused.length > 0;
  const replacesHeld = context.resolve(path) === heldPathOf(run);
  const step = { run, flags, decided, hasRefused, replacesHeld };
  return await recordAndSend(context, connection, step);
}

const countHeld = async ({ journal }: Connection, { id }: RunRecord): Promise<number> =>
  toCounts(await journal.countRows(id)).held;

const [APPROVE, CANCEL] = [{ kind: "approve" }, { kind: "cancel" }] as const;

interface AskedRelease {
  readonly kind: Release["kind"];
  readonly rows: number;
  readonly isFeed: boolean;
  /** @default that of the kind */
  readonly question?: string | undefined;
}

const needsYes = (): UsageError =>
  new UsageError({ tr: releaseTexts("tr").needsYes, en: releaseTexts("en").needsYes });

/**
 * Asks for confirmation, unless `--yes` was given. Returns the exit code where the person declines.
 */
export async function confirmRelease(
  { terminal, lang }: CommandContext,
  flags: Flags,
  asked: AskedRelease,
): Promise<number | undefined> {
  if (flags["yes"] === true) return undefined;
  const texts = releaseTexts(lang);
  const words = { yes: texts.yes, no: texts.no };
  const { kind, rows, isFeed } = asked;
  const isForNextSync = isFeed && (kind === "resend" || kind === "approve");
  const usual = isForNextSync ? texts.feed.confirm(rows) : texts.confirm[kind](rows);
  const { question = usual } = asked;
  if (!terminal.canAsk) throw needsYes();
  const answer = await terminal.ask(question, words);
  if (answer === true) return undefined;
  terminal.err(`${texts.declined}\n`);
  return answer === undefined ? EXIT.interrupted : EXIT.done;
}
