/** What a person should read of a plan of shipping templates before it is sent. */

import { formatNumber, type Localized } from "@catalog/i18n";
import { type Journal, readAllRows, type RowRecord, type RunWarning } from "@catalog/runs";

import type { TemplateIssueCode } from "./template-issues.ts";

/** Notes at cells that a plan names, the gravest first. */
const NAMED: readonly TemplateIssueCode[] = [
  "W_TEMPLATE_USE",
  "W_TEMPLATE_COMMON",
  "W_TEMPLATE_ALL",
  "W_TEMPLATE_IDS",
  "W_TEMPLATE_EXISTS",
  "W_TEMPLATE_UNSEEN",
];

/** Further notes are in the result file. */
const MAX_NAMED = 10;

/** Fields whose unit the specification does not state (section Shipping templates, create). */
const WITHOUT_UNIT = ["shipping_time", "min_price"] as const;

/** Lists the notes of rows, and what is assumed of the values that they send. */
export async function listTemplateWarnings(
  journal: Pick<Journal, "readRows">,
  runId: string,
): Promise<readonly RunWarning[]> {
  const notes: RunWarning[] = [];
  const unitless = new Set<string>();
  for await (const rows of readAllRows(journal, runId, {
    states: ["ready", "held", "unchanged"],
  })) {
    for (const record of rows) {
      notes.push(...toNotes(record));
      for (const field of WITHOUT_UNIT) if (record.call?.[field] !== undefined) unitless.add(field);
    }
  }
  const sorted = notes.toSorted((a, b) => rank(a) - rank(b));
  const more = sorted.length - MAX_NAMED;
  return [
    ...(unitless.size > 0 ? [UNITS] : []),
    ...sorted.slice(0, MAX_NAMED),
    ...(more > 0 ? [warnOfMore(more)] : []),
  ];
}

const rank = ({ code }: RunWarning): number => NAMED.findIndex((one) => one === code);

const toNotes = ({ issues }: RowRecord): readonly RunWarning[] =>
  issues
    .filter(({ code }) => NAMED.some((one) => one === code))
    .map(({ code, cell, value, message }) => {
      const at = code === "W_TEMPLATE_USE" ? `“${value}”` : cell;
      return { code, message: { tr: `${at}: ${message.tr}`, en: `${at}: ${message.en}` } };
    });

const UNITS: RunWarning = {
  code: "W_TEMPLATE_UNITS",
  message: {
    tr: "Pazaryeri kargoya verme süresinin ve koşullu kargo alt tutarının birimini belirtmiyor: süre gün sayılır (varsayım), tutar yazıldığı gibi gönderilir.",
    en: "The marketplace states no unit for the shipping time and the conditional minimum: days are assumed, and the amount is sent as it is written.",
  },
};

const warnOfMore = (count: number): RunWarning => ({
  code: "W_TEMPLATE_MORE",
  message: toMore(count),
});

const toMore = (count: number): Localized => ({
  tr: `Böyle ${formatNumber(count, "tr")} not daha sonuç dosyasında.`,
  en: `${formatNumber(count, "en")} more such notes are in the result file.`,
});
