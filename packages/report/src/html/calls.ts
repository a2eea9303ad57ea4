/** How many calls a run made, in a sentence: all of them, the busiest hour and the hourly limit. */

import type { Connection } from "@catalog/connection";
import type { Lang } from "@catalog/i18n";

import { escapeHtml } from "./markup.ts";
import { PAGE_TEXTS } from "./page-texts.ts";

/** The calls of one minute. */
type CallMinute = Awaited<ReturnType<Connection["meters"]["callLog"]["read"]>>[number];

/** Formats the section; empty where no call was made. `minutes` are in order. */
export function formatCalls(minutes: readonly CallMinute[], lang: Lang): string {
  if (minutes.length === 0) return "";
  const texts = PAGE_TEXTS[lang];
  const total = minutes.reduce((sum, { calls }) => sum + calls, 0);
  const limits = minutes.flatMap(({ perHour }) => (perHour === null ? [] : [perHour]));
  const limit =
    limits.length === 0 ? texts.noLimit : texts.limitOf(limits.reduce((a, b) => Math.min(a, b)));
  const text = `${texts.callsIn(total, findBusiestHour(minutes))} ${limit}`;
  return `<section aria-labelledby="calls-title">
<h2 id="calls-title">${escapeHtml(texts.callsOverTime)}</h2>
<p>${escapeHtml(text)}</p>
</section>
`;
}

/** Finds the sixty minutes with the most calls. */
function findBusiestHour(minutes: readonly CallMinute[]): number {
  let [max, calls, oldest] = [0, 0, 0];
  for (const { minute, calls: made } of minutes) {
    calls += made;
    for (let old = minutes[oldest]; old !== undefined && old.minute <= minute - 60;) {
      calls -= old.calls;
      oldest += 1;
      old = minutes[oldest];
    }
    max = Math.max(max, calls);
  }
  return max;
}
