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

export function scheduleOthers({ scenario, timeline, market, onEvent }: OtherWriters): void {
  for (const { atMs, code } of scenario.others) {
    timeline.add(atMs, undefined, () => void market.add(toForeignBody(code)));
  }
  for (const edit of scenario.edits) {
    timeline.add(edit.atMs, undefined, () => {
      onEvent?.(`somebody edits: ${JSON.stringify(edit)}`);
      market.edit(edit);
    });
  }
}
