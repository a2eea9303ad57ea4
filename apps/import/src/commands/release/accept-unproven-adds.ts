/** Asks before an add is sent again that the store may already have without showing it. */

import type { Connection } from "@catalog/connection";
import type { Flags } from "@catalog/console";
import type { Lang } from "@catalog/i18n";
import { findResendRisks, RESEND_WAIT_MINUTES } from "@catalog/importer";
import { type RowRecord, type RunRecord, rowAddress } from "@catalog/runs";

import type { CommandContext } from "../../context.ts";
import { tellWarning } from "../../shared/tell.ts";

/** Codes that a person has to type; for more the flag is needed. */
const MAX_TYPED = 10;

interface Texts {
  readonly unproven: (rows: number) => string;
  readonly type: (row: string, code: string) => string;
  readonly other: (row: string) => string;
  readonly tooMany: string;
  readonly early: (rows: string) => string;
}

const TEXTS: Readonly<Record<Lang, Texts>> = {
  tr: {
    unproven: (rows) =>
      `Bu mağazanın eklenen ürünleri gösterdiği henüz görülmedi; mağazada görünmemeleri bir şey kanıtlamaz. Seçilen ${rows} ürün mağazada oluşmuş olabilir: yeniden gönderilirse iki kez eklenebilir, silinemez de.`,
    type: (row, code) =>
      `Satır ${row}: mağaza panelinde de yoksa ve yine de gönderilecekse ürün kodunu yazın (${code}); boş bırakırsanız bekler.`,
    other: (row) => `Satır ${row}: yazılan kod bu satırınki değil; satır beklemede kalır.`,
    tooMany: `Kod yazarak en çok ${MAX_TYPED} satır gönderilir; satırları --rows ile bölün ya da hepsi için --resend-blind verin.`,
    early: (rows) =>
      `Bu satırların isteği ${RESEND_WAIT_MINUTES} dakikadan kısa süre önce gitti ve geç de olsa tamamlanabilir: ${rows}. Beklemek daha güvenlidir; şimdi gönderilen ürün iki kez eklenebilir.`,
  },
  en: {
    unproven: (rows) =>
      `This store has not been seen to show the products that are added to it, so not finding them proves nothing. The chosen products (${rows}) may be in the store: sent again they may be there twice, and cannot be deleted.`,
    type: (row, code) =>
      `Row ${row}: if the panel does not show it either and it is to be sent all the same, type its product code (${code}); leave it empty to let the row wait.`,
    other: (row) => `Row ${row}: the code is not that of the row, which stays held.`,
    tooMany: `At most ${MAX_TYPED} rows can be sent by typing their codes; choose fewer with --rows, or give --resend-blind for all of them.`,
    early: (rows) =>
      `The requests of these rows left less than ${RESEND_WAIT_MINUTES} minutes ago and may still be carried out: ${rows}. Waiting is safer; a product that is sent now may be added twice.`,
  },
};

export interface UnprovenStep {
  readonly run: RunRecord;
  readonly flags: Flags;
  /** Rows to be sent again. */
  readonly records: readonly RowRecord[];
}

/**
 * The rows whose possible duplicate a person has accepted with `--resend-blind` or by typing the
 * code; `--yes` accepts none. `undefined` when a question was cancelled. Warns of requests that
 * were sent a moment ago.
 */
export async function acceptUnprovenAdds(
  context: CommandContext,
  connection: Connection,
  { run, flags, records }: UnprovenStep,
): Promise<ReadonlySet<number> | undefined> {
  const { terminal, lang, stop } = context;
  const texts = TEXTS[lang];
  const nameOf = ({ row }: RowRecord): string => rowAddress(run.file, row);
  const { unproven, early } = await findResendRisks(connection, { run, records, signal: stop });
  if (early.length > 0) tellWarning(context, texts.early(early.map(nameOf).join(", ")));
  if (unproven.length > 0) tellWarning(context, texts.unproven(unproven.length));
  if (flags["resend-blind"] === true) return new Set(unproven.map(({ row }) => row));
  if (unproven.length === 0 || !terminal.canAsk) return new Set();
  if (unproven.length <= MAX_TYPED) return await askForCodes(context, unproven, nameOf);
  tellWarning(context, texts.tooMany);
  return new Set();
}

async function askForCodes(
  context: CommandContext,
  records: readonly RowRecord[],
  nameOf: (record: RowRecord) => string,
): Promise<ReadonlySet<number> | undefined> {
  const { askText } = context.terminal;
  const texts = TEXTS[context.lang];
  const accepted = new Set<number>();
  for (const record of records) {
    const { row, code } = record;
    const typed = await askText?.(texts.type(nameOf(record), code ?? ""));
    if (typed === undefined) return askText === undefined ? accepted : undefined;
    if (typed !== "" && typed === code?.trim()) accepted.add(row);
    else if (typed !== "") tellWarning(context, texts.other(nameOf(record)));
  }
  return accepted;
}
