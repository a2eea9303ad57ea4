/** What others do to the store while runs are sent: another program adds, a person edits. */

import type { Timeline } from "../timeline.ts";
import type { Market } from "./market.ts";
import { toForeignBody } from "./program.ts";
import type { Scenario } from "./scenario.ts";

export interface OtherWriters {
  readonly scenario: Pick<Scenario, "others" | "edits">;
  readonly timeline: Timeline;
  readonly market: Market;
  readonly onEvent?: ((text: string) => void) | undefined;
}

/** Nothing is drawn for an edit, so that a world with edits is otherwise the one without. */
const EDITS_ORDER = 0.5;

export function scheduleOthers({ scenario, timeline, market, onEvent }: OtherWriters): void {
  for (const { atMs, code } of scenario.others) {
    timeline.add(atMs, undefined, () => void market.add(toForeignBody(code)));
  }
  for (const edit of scenario.edits) {
    const run = (): void => {
      onEvent?.(`somebody edits: ${JSON.stringify(edit)}`);
      market.edit(edit);
    };
    timeline.add(edit.atMs, undefined, run, EDITS_ORDER);
  }
}
