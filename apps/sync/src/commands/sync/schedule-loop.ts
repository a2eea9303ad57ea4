/** Syncs at the times of a cron pattern until it is stopped. A failure after which the next sync may
 * succeed is told and does not end the loop. */

import { AuthError, ClientError, PermissionError } from "@catalog/client/errors";
import { CatalogError, type Connection, DatabaseError } from "@catalog/connection";
import { EXIT, type Flags, printJson } from "@catalog/console";
import { wrapText } from "@catalog/console/wrap-text";
import { describeFileError, formatDateTime, isFileError, type Lang } from "@catalog/i18n";
import { hashName, nameOfFeed } from "@catalog/importer";
import { openCommandSchedule } from "@catalog/jobs";
import type { RowIssue } from "@catalog/runs";
import { SheetError } from "@catalog/sheets";

import type { CommandContext } from "../../context.ts";
import { type Outcome, toFailedOutcome, toOutcomeKeys } from "./outcome.ts";
import { createStatusBoard, openStatusServer, type Status } from "./status.ts";
import { type OnceOptions, syncOnce } from "./sync-once.ts";
import { type Texts, textsFor } from "./texts.ts";

interface ScheduleLoopOptions extends OnceOptions {
  readonly pattern: string;
  readonly timeZone: string;
  readonly healthPath: string | undefined;
  readonly statusPort: number | undefined;
  /** Flags of the command line, which the page uses for a sync between the times. */
  readonly stored: Flags;
  readonly onOutcome: (outcome: Outcome, status: Status) => Promise<void>;
}

/** A time that starts later than this counts as missed. */
const LATE_MS = 60_000;

/** Runs the schedule. Throws errors that the next time would repeat. */
export async function runScheduleLoop(
  context: CommandContext,
  connection: Connection,
  options: ScheduleLoopOptions,
): Promise<void> {
  const { terminal, clock, lang, stop, quiet } = context;
  const { feed, pattern: cron, timeZone, healthPath, statusPort } = options;
  const texts = textsFor(lang);
  await using schedule = await openCommandSchedule(connection, {
    id: nameSchedule(options),
    feed,
    cron,
    timeZone,
    flags: options.stored,
  });
  const { health } = schedule;
  const mode = options.trial === "shadow" ? "shadow" : "live";
  const board = createStatusBoard({ feed: nameOfFeed(feed), mode, clock, healthPath, health });
  await using closing = new AsyncDisposableStack();
  closing.use((await context.openAlerts?.())?.watch(() => [connection]));
  if (statusPort !== undefined) {
    const server = closing.use(await openStatusServer(statusPort, () => board.read()));
    terminal.err(`${texts.status(server.url)}\n`);
  }
  const show = createTimeText(lang, timeZone);
  terminal.err(`${texts.next(schedule.nextTimes.map(show), timeZone)}\n`);
  await schedule.run({
    stop,
    async sync(dueMs) {
      const isLate = clock.now() - dueMs > LATE_MS;
      terminal.err(`\n${isLate ? texts.late(show(dueMs)) : texts.due(show(dueMs))}\n`);
      board.update({ state: "syncing" });
      return await syncOrFail(context, connection, options);
    },
    onHealth: (changed) => board.judge(changed),
    onWait: (nextMs) => board.update({ state: "waiting", next: toIso(nextMs) }),
    onBusy(againMs) {
      board.update({ state: "waiting", next: toIso(againMs) });
      if (!quiet) terminal.err(`${texts.busy(show(againMs))}\n`);
    },
    async onEnd(outcome, { dueMs, nextMs }) {
      board.update({
        state: "waiting",
        next: toIso(nextMs),
        last: {
          due: new Date(dueMs).toISOString(),
          finished: new Date(clock.now()).toISOString(),
          ...toOutcomeKeys(outcome),
        },
      });
      await options.onOutcome(outcome, board.read());
      if (nextMs !== undefined && !quiet) terminal.err(`${texts.waiting(show(nextMs))}\n`);
    },
  });
  board.update({ state: "stopped", next: null });
  terminal.err(`${texts.ended}\n`);
}

/** Id of the schedule of a command: the same for the same feed and times. */
const nameSchedule = ({
  feed,
  pattern,
  timeZone,
}: {
  readonly feed: string;
  readonly pattern: string;
  readonly timeZone: string;
}): string => hashName(`${feed} ${pattern} ${timeZone}`);

const toIso = (ms: number | undefined): string | null =>
  ms === undefined ? null : new Date(ms).toISOString();

const createTimeText =
  (lang: Lang, timeZone: string) =>
  (atMs: number): string => {
    const text = formatDateTime(atMs, lang, { ...DAY_AND_TIME, timeZone });
    // Turkish dates have dots, where the platform's short format has a slash.
    return lang === "tr" ? text.replace("/", ".") : text;
  };

const DAY_AND_TIME = {
  day: "numeric",
  month: "short",
  hour: "2-digit",
  minute: "2-digit",
} as const;

async function syncOrFail(
  context: CommandContext,
  connection: Connection,
  options: ScheduleLoopOptions,
): Promise<Outcome> {
  const { terminal, lang, json, stop } = context;
  try {
    return await syncOnce(context, connection, options);
  } catch (error) {
    if (stop.aborted && error === stop.reason) return toFailedOutcome(130, "E_INTERRUPTED");
    const failure = describeFailure(error, { lang, texts: textsFor(lang) });
    if (failure === undefined) throw error;
    const { exit, code, text } = failure;
    terminal.err(`${wrapText(terminal.shown(text), { columns: terminal.columns - 1 })}\n`);
    if (json) {
      const document = { command: "sync", run: null, state: "failed", exit };
      printJson(terminal, { ...document, error: { code, message: text } });
    }
    return { ...toFailedOutcome(exit, code), message: text };
  }
}

interface Failure {
  readonly exit: number;
  readonly code: string;
  readonly text: string;
}

/** Issues that a line of the log names; the history has all of them. */
const MAX_NAMED = 3;

/** What is to be decided, as the line of a log may be all that is read. */
function describeIssues(issues: readonly RowIssue[], lang: Lang): string {
  const named = issues.slice(0, MAX_NAMED).map(({ cell, message, suggestion }) => {
    const advice = suggestion === undefined ? "" : ` ${suggestion[lang]}`;
    return ` ${cell}: ${message[lang]}${advice}`;
  });
  return named.join("") + (issues.length > MAX_NAMED ? " …" : "");
}

/** Errors for which another process is the reason. */
const BUSY: ReadonlySet<string> = new Set(["E_STORE_BUSY", "E_DATABASE_BUSY"]);

/** `undefined` for a bug, which the next sync would repeat. */
export function describeFailure(
  error: unknown,
  { lang, texts }: { readonly lang: Lang; readonly texts: Texts },
): Failure | undefined {
  if (error instanceof CatalogError || error instanceof SheetError) {
    const issues = error instanceof CatalogError ? describeIssues(error.issues, lang) : "";
    return { exit: EXIT.nothingSent, code: error.code, text: error.localized[lang] + issues };
  }
  if (error instanceof DatabaseError) {
    const exit = BUSY.has(error.code) ? EXIT.busy : EXIT.stopped;
    return { exit, code: error.code, text: error.localized[lang] };
  }
  if (isFileError(error)) {
    const text = texts.fileRefused(describeFileError(error)[lang]);
    return { exit: EXIT.nothingSent, code: "E_FILE_ACCESS", text };
  }
  if (!(error instanceof ClientError)) return undefined;
  const isLogin = error instanceof AuthError || error instanceof PermissionError;
  const text = texts.unreachable(error.message);
  return { exit: isLogin ? EXIT.login : EXIT.stopped, code: error.code, text };
}
