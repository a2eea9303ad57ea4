/** Runs `catalog schedule list`. */

import { EXIT, type Flags, printJson, textFlag } from "@catalog/console";
import { wrapText } from "@catalog/console/wrap-text";
import { nameOfFeed } from "@catalog/importer";

import type { CommandContext } from "../../context.ts";
import type { ScheduleParts } from "./index.ts";
import { type ListedSchedule, readSchedules } from "./read-schedules.ts";
import { SCHEDULE_TEXTS } from "./texts.ts";

/** Returns the exit code, which does not depend on how the schedules fare. */
export async function runScheduleCommand(
  context: CommandContext,
  flags: Flags,
  { readStores }: ScheduleParts,
): Promise<number> {
  const list = textFlag(flags, "stores");
  const stores = list === undefined ? [undefined] : await readStores(list);
  const schedules: ListedSchedule[] = [];
  for (const given of stores) {
    await using connection = await context.openConnection(given === undefined ? {} : { given });
    schedules.push(...(await readSchedules(connection)));
  }
  if (context.json) {
    const documents = schedules.map(toDocument);
    printJson(context.terminal, { command: "schedule", exit: EXIT.done, schedules: documents });
  } else showSchedules(context, schedules);
  return EXIT.done;
}

const toIso = (ms: number | undefined): string | null =>
  ms === undefined ? null : new Date(ms).toISOString();

function toDocument({
  record,
  store,
  health,
  isServed,
  nextMs,
  waitingRows,
}: ListedSchedule): object {
  const { id, feed, cron, timeZone, madeBy, state, result } = record;
  return {
    id,
    feed: nameOfFeed(feed),
    store: { base_url: store.baseUrl, store_id: store.storeId },
    cron,
    time_zone: timeZone,
    made_by: madeBy,
    state,
    served: isServed,
    next: toIso(nextMs),
    last:
      result === undefined
        ? null
        : {
            due: toIso(result.dueMs),
            finished: toIso(result.endedAtMs),
            exit: result.exit,
            code: result.code,
            message: result.message,
            run: result.run,
          },
    waiting_rows: waitingRows,
    healthy: health.isHealthy,
    unhealthy_at: toIso(health.unhealthyAtMs),
    last_success: toIso(health.succeededAtMs),
    failures_in_row: health.failuresInRow,
  };
}

const INDENT = 4;

function showSchedules(
  { terminal, lang }: CommandContext,
  schedules: readonly ListedSchedule[],
): void {
  const texts = SCHEDULE_TEXTS[lang];
  if (schedules.length === 0) {
    const columns = terminal.outColumns;
    terminal.out(`${wrapText(texts.none, { columns, indent: 0 })}\n`);
    return;
  }
  for (const listed of schedules) {
    terminal.out(`${terminal.shown(nameOfFeed(listed.record.feed))}\n`);
    for (const line of texts.describe(listed)) {
      const text = `${" ".repeat(INDENT)}${terminal.shown(line)}`;
      terminal.out(`${wrapText(text, { columns: terminal.outColumns, indent: INDENT })}\n`);
    }
  }
}
