/** Rechecks the codes of adds before they are handed out, and again before they leave. */

import type { RowRecord } from "../../row/row-record.ts";
import type { AddRechecks } from "./add-rechecks.ts";
import type { RecheckedRow, Rechecks, RecheckVerdict } from "./update-rechecks.ts";

export interface WithAddRechecksOptions {
  /** Rechecks of the updates. */
  readonly rechecks: Rechecks;
  /** Rechecks of the codes of adds. @default adds are not rechecked */
  readonly adds: AddRechecks | undefined;
  readonly stop?: AbortSignal | undefined;
}

/** Returns the rechecks for every row of a run. */
export function withAddRechecks({ rechecks, adds, stop }: WithAddRechecksOptions): Rechecks {
  if (adds === undefined) return rechecks;
  const toAdd = (row: RecheckedRow): RecheckedRow => {
    const { record } = row;
    let isOpen = true;
    return {
      record,
      get verdict() {
        return judgeAdd(adds, record);
      },
      isFresh: () => adds.isFresh(record),
      renew: () => adds.recheck([record], stop),
      close() {
        if (isOpen) adds.noteLeft();
        isOpen = false;
        row.close();
      },
    };
  };

  return {
    async open(records, signal) {
      const rows = await rechecks.open(records, signal);
      const stale = records.filter((record) => isAdd(record) && !adds.isFresh(record));
      if (stale.length > 0) await adds.recheck(stale, signal);
      else adds.renewInBackground(signal);
      return rows.map((row) => (isAdd(row.record) ? toAdd(row) : row));
    },
  };
}

const isAdd = ({ action }: RowRecord): boolean => action === "add";

/** Holds an add whose product the store shows, whichever program has added it. */
function judgeAdd(adds: AddRechecks, record: RowRecord): RecheckVerdict {
  const ids = adds.readShown(record);
  return ids.length === 0 ? { kind: "go" } : { kind: "appeared", ids };
}
