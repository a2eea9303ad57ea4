/** Asks before a price is sent that could not be compared, as the unit of prices is unknown. */

import type { Connection } from "@catalog/connection";
import { wrapText } from "@catalog/console/wrap-text";
import type { Lang } from "@catalog/i18n";
import { findUncompared } from "@catalog/importer";
import { type RowRecord, type RunRecord, rowAddress } from "@catalog/runs";

import type { CommandContext } from "../../context.ts";

interface Texts {
  readonly question: (rows: string) => string;
  readonly yes: string;
  readonly no: string;
}

const TEXTS: Readonly<Record<Lang, Texts>> = {
  tr: {
    question: (rows) =>
      `Mağazadaki fiyatların birimi (kuruş mu, lira mı) bilinmediği için şu satırların fiyatı eskisiyle karşılaştırılmadı, 100 kat yanlış olabilir: ${rows}. Fiyatları kendiniz kontrol ettiniz mi, olduğu gibi gönderilsin mi?`,
    yes: "Evet",
    no: "Hayır",
  },
  en: {
    question: (rows) =>
      `The unit of the store's prices (minor or major) was not known, so the prices of these rows were not compared with the old ones and may be 100 times off: ${rows}. Have you checked them yourself, and are they to be sent as they are?`,
    yes: "Yes",
    no: "No",
  },
};

/** Rows named one by one; the others are counted. */
const MAX_NAMED = 20;

interface UncomparedStep {
  readonly run: RunRecord;
  /** Rows to be sent. */
  readonly records: readonly RowRecord[];
}

/**
 * The rows whose price a person has confirmed, in one question for all; `--yes` does not answer it.
 */
export async function acceptUncompared(
  { terminal, lang }: CommandContext,
  connection: Connection,
  { run, records }: UncomparedStep,
): Promise<ReadonlySet<number>> {
  const rows = await findUncompared(connection, run, records);
  if (rows.length === 0 || !terminal.canAsk) return new Set();
  const { question, yes, no } = TEXTS[lang];
  const named = rows
    .slice(0, MAX_NAMED)
    .map((row) => rowAddress(run.file, row))
    .join(", ");
  const more = rows.length > MAX_NAMED ? `, … (${rows.length})` : "";
  const text = wrapText(question(named + more), { columns: terminal.columns, indent: 0 });
  const isChecked = await terminal.ask(text, { yes, no });
  return new Set(isChecked === true ? rows : []);
}
