/** Checks a record that was exported, by itself: each entry must follow from the one before it. */

import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";

import { EXIT, printJson, UsageError } from "@catalog/console";
import { formatNumber, isFileError, type Lang } from "@catalog/i18n";
import { type AuditRecord, createRecordCheck, type RecordCheck } from "@catalog/team";
import { z } from "zod";

import type { CommandContext } from "../../context.ts";

/** Returns the exit code: 2 for a record that was changed. */
export async function checkAuditFile(context: CommandContext, file: string): Promise<number> {
  const check = createRecordCheck();
  const line = await findBreak(file, check);
  const { seq: entries, hash } = check.end;
  const { terminal, json, lang } = context;
  const exit = line === undefined ? EXIT.done : EXIT.usage;
  if (json) {
    const faults = line === undefined ? [] : [`audit: line ${line} does not follow`];
    printJson(terminal, {
      command: "db",
      action: "check",
      audit: file,
      entries,
      hash,
      faults,
      exit,
    });
  } else terminal.out(`${TEXTS[lang]({ file, entries, hash, line })}\n`);
  return exit;
}

/** The number of the first line that does not follow; `undefined` for a sound record. */
async function findBreak(file: string, check: RecordCheck): Promise<number | undefined> {
  const lines = createInterface({ input: createReadStream(file), crlfDelay: Infinity });
  let number = 0;
  try {
    for await (const line of lines) {
      number += 1;
      const record = readEntry(line);
      if (record === undefined || !check.take(record)) return number;
    }
    return undefined;
  } catch (error) {
    if (!isFileError(error)) throw error;
    throw new UsageError(
      { tr: `Bu dosya okunamıyor: ${file}`, en: `This file cannot be read: ${file}` },
      { cause: error },
    );
  }
}

const entrySchema: z.ZodType<AuditRecord> = z.strictObject({
  seq: z.number(),
  atMs: z.number(),
  actor: z.strictObject({
    person: z.number().nullable(),
    key: z.number().nullable(),
    address: z.string().nullable(),
  }),
  action: z.string(),
  store: z.number().nullable(),
  subject: z.string().nullable(),
  before: z.unknown(),
  after: z.unknown(),
  hash: z.string(),
});

function readEntry(line: string): AuditRecord | undefined {
  try {
    return entrySchema.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}

interface Checked {
  readonly file: string;
  readonly entries: number;
  readonly hash: string;
  readonly line: number | undefined;
}

const TEXTS: Readonly<Record<Lang, (checked: Checked) => string>> = {
  tr: ({ file, entries, hash, line }) =>
    line === undefined
      ? `Denetim kaydı bozulmamış, ${formatNumber(entries, "tr")} satır: ${file}\nSon satırın özeti: ${hash}\nSonundan satır silinip silinmediği, bu özet başka yerde saklanan özetle karşılaştırılınca anlaşılır.`
      : `Bu denetim kaydı değiştirilmiş ya da bütün değil: ${file}\n  ✗ ${formatNumber(line, "tr")}. satır bir öncekinin devamı değil. Yalnız bütün sunucunun kaydı denetlenebilir, bir mağazanınki değil.`,
  en: ({ file, entries, hash, line }) =>
    line === undefined
      ? `The record is sound, ${formatNumber(entries, "en")} entries: ${file}\nHash of the last one: ${hash}\nWhether entries were cut off at its end shows when this hash is compared with one that was kept elsewhere.`
      : `This record was changed, or is not whole: ${file}\n  ✗ Line ${formatNumber(line, "en")} does not follow from the one before it. Only the record of the whole server can be checked, and not that of a store.`,
};
