/** The section of the page that shows when calls were made, as a chart and as a table. */

import type { Lang } from "@catalog/i18n";

import type { CallBar, CallTimes } from "./call-times.ts";
import { escapeHtml } from "./escape.ts";
import { formatTable } from "./page-table.ts";
import { PAGE_TEXTS } from "./page-texts.ts";
import { formatTimestamp } from "./timestamps.ts";

const MINUTE_MS = 60_000;

export interface CallView {
  readonly lang: Lang;
  /** Chart of the calls that the table lists. */
  readonly plot: string;
}

/** Formats the section; empty where no call was made. */
export function formatCalls(times: CallTimes | undefined, { lang, plot }: CallView): string {
  if (times === undefined) return "";
  const texts = PAGE_TEXTS[lang];
  const parts = [
    texts.callsIn(times.total, times.busiestHour),
    times.perHour === null ? texts.noLimit : texts.limitOf(times.perHour),
  ];
  return `<section aria-labelledby="calls-title">
<h2 id="calls-title">${escapeHtml(texts.callsOverTime)}</h2>
<p>${escapeHtml(parts.join(" "))}</p>
${plot === "" ? "" : formatFigure(times, { lang, plot })}</section>
`;
}

function formatFigure(times: CallTimes, { lang, plot }: CallView): string {
  const texts = PAGE_TEXTS[lang];
  const help = [
    texts.barsOf(times.step),
    ...(times.perHour === null ? [] : [texts.limitLine]),
  ].join(" ");
  const isLimited = times.perHour !== null;
  const numbers = [texts.calls, ...(isLimited ? [texts.allowed] : [])];
  const table = formatTable("calls", {
    columns: [texts.from, ...numbers],
    numbers: new Set(numbers),
    lines: times.bars
      .filter(({ calls }) => calls > 0)
      .map((bar) => formatBar(bar, { isLimited, lang })),
  });
  return `<figure>${plot}<figcaption>${escapeHtml(help)}</figcaption></figure>
<details><summary>${escapeHtml(texts.asTable)}</summary>
${table}
</details>
`;
}

function formatBar(
  { minute, calls, allowed }: CallBar,
  { isLimited, lang }: { readonly isLimited: boolean; readonly lang: Lang },
): string {
  const limit = allowed === null ? "" : String(Math.round(allowed));
  const rest = isLimited ? `<td class="number">${limit}</td>` : "";
  return `<tr><th scope="row">${formatTimestamp(minute * MINUTE_MS, lang)}</th><td class="number">${calls}</td>${rest}</tr>`;
}
