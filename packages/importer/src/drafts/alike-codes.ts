/** Codes in use that look like those of rows that would add a product, as the preview holds them. */

import type { Connection } from "@catalog/connection";
import { codeKey } from "@catalog/mapping";
import {
  type CandidateRow,
  describeLookAlikes,
  readLookAlikes,
  type TakenCode,
  toStoredKey,
} from "@catalog/runs";

import { ALIKE_CODES } from "../plan/code-keys.ts";
import type { Found } from "./draft-issues.ts";

/** A row with a code that the store has not shown. */
export interface UnlistedRow {
  readonly row: number;
  readonly codeKey: string;
}

/**
 * Reads the codes in use that look like those of the rows, by row: those that the store has shown
 * and those that runs have sent. Makes no call. A row has none where the store itself rewrites its
 * code, as it is the product then.
 */
export async function readAlikeCodes(
  { codes: registry }: Pick<Connection, "codes">,
  rows: readonly UnlistedRow[],
): Promise<ReadonlyMap<number, readonly TakenCode[]>> {
  if (rows.length === 0) return new Map();
  const normalization = (await registry.readNormalization()) ?? [];
  const named = rows.map(({ row, codeKey: key }) => ({ row, code: key, codeKey: key }));
  const found = await readLookAlikes({ ...ALIKE_CODES, registry }, null, named);
  return new Map(
    named.map((each) => {
      const taken = found.get(each.row) ?? [];
      const stored = toStoredKey(normalization, each, codeKey);
      return [each.row, taken.some(({ code }) => code === stored) ? [] : taken];
    }),
  );
}

/** The notice at the code; the file itself may have said so before, as an error. */
export function toAlikeIssues(
  { action, code, codeLocation, changes, issues, productId }: CandidateRow,
  taken: readonly TakenCode[],
): readonly Found[] {
  if (taken.length === 0 || action === "skip" || code === null || productId !== null) return [];
  if (issues.some((issue) => issue.code === "E_CODE_SUSPECT")) return [];
  const others = describeLookAlikes({ code, codeLocation, title: changes.title }, taken);
  const issue = {
    code: "E_CODE_SUSPECT",
    ...codeLocation,
    message: {
      tr: `“${code}” kodu, kullanılan bir koda çok benziyor: ${others.tr}.`,
      en: `The code “${code}” looks like one that is in use: ${others.en}.`,
    },
    suggestion: {
      tr: "Aynı ürünse kodu mağazadaki gibi yazın. Ayrı ürünse böyle bırakın; satır önizlemede kararınızı bekler.",
      en: "If it is the same product, write its code as the store does. If it is another one, leave it; the row waits for your decision in the preview.",
    },
  };
  return [{ issue, severity: "warning" }];
}
