/** Rechecks the codes of adds before they are handed out, and again before they leave. */

import { type RowRecord } from "../../row/row-record.ts";
import { type AddLooks } from "./add-rechecks.ts";
import { type LookedRow, type Looks, type LookVerdict } from "./update-rechecks.ts";

export interface LookAtAddsOptions {
  /** Rechecks of the updates. */
  readonly looks: Looks;
  /** Rechecks of the codes of adds. @default adds are not rechecked */
  readonly adds: AddLooks | undefined;
  readonly stop?: AbortSignal | undefined;
}

/** Returns the rechecks for every row of a run. */
export function lookAtAdds({ looks, adds, stop }: LookAtAddsOptions): Looks {
  if (adds === undefined) return looks;
  const toAdd = (row: LookedRow): LookedRow => {
    const { record } = row;
    let isOpen = true;
    return {
      record,
      get verdict() {
        return judge(adds, record);
      },
      isFresh: () => adds.isFresh(record),
      renew: () => adds.look([record], stop),
      close() {
        if (isOpen) adds.noteLeft();
        isOpen = false;
        row.close();
      },
    };
  };

  return {
    async open(records, signal) {
      const rows = await looks.open(records, signal);
      const stale = records.filter((record) => isAdd(record) && !adds.isFresh(record));
      if (stale.length > 0) await adds.look(stale, signal);
      else adds.renewSoon(signal);
      return rows.map((row) => (isAdd(row.record) ? toAdd(row) : row));
    },
  };
}

const isAdd = ({ action }: RowRecord): boolean => action === "add";

/** Holds an add whose product the store shows, whichever program has added it. */
function judge(adds: AddLooks, record: RowRecord): LookVerdict {
  const ids = adds.readShown(record);
  return ids.length === 0 ? { kind: "go" } : { kind: "appeared", ids };
}
