/** Descriptions that are sent otherwise than their cells say, and the note on them. */

import type { Localized } from "@catalog/i18n";
import type { ColumnMapping, MappedRow, RowMapperOptions } from "@catalog/mapping";

import type { PlanFileOptions } from "./plan-file-options.ts";

/** Counts rows by what was changed. */
export interface DescriptionChanges {
  note(row: Pick<MappedRow, "descriptionChange">): void;
  /** One line at most. */
  notes(): readonly Localized[];
}

/** The reader of a file's descriptions; `undefined` for a file without any. */
export async function createDescriptions(
  { columns, constants, platform }: Pick<ColumnMapping, "columns" | "constants" | "platform">,
  { descriptions }: Pick<PlanFileOptions, "descriptions">,
): Promise<RowMapperOptions["readDescription"]> {
  const hasAny =
    constants.has("description") ||
    columns.some(({ target }) => target.kind === "field" && target.field === "description");
  if (!hasAny) return undefined;
  const { createDescriptionReader } = await import("@catalog/mapping/descriptions");
  return createDescriptionReader({ format: descriptions, platform: platform?.name });
}

export function createDescriptionChanges(): DescriptionChanges {
  const rows = { cleaned: 0, text: 0, decoded: 0 };
  return {
    note({ descriptionChange }) {
      if (descriptionChange !== undefined) rows[descriptionChange] += 1;
    },
    notes() {
      const kinds = KINDS.filter((kind) => rows[kind] > 0);
      if (kinds.length === 0) return [];
      const tr = kinds.map((kind) => `${rows[kind]} satırda ${TEXTS[kind].tr}`).join("; ");
      const en = kinds
        .map((kind) => `in ${rows[kind]} ${rows[kind] === 1 ? "row" : "rows"} ${TEXTS[kind].en}`)
        .join("; ");
      return [
        {
          tr: `Açıklamalar dosyadakinden farklı gönderiliyor: ${tr}.`,
          en: `Descriptions are sent otherwise than the file says: ${en}.`,
        },
      ];
    },
  };
}

type DescriptionChange = NonNullable<MappedRow["descriptionChange"]>;

const KINDS: readonly DescriptionChange[] = ["cleaned", "text", "decoded"];

const TEXTS: Readonly<Record<DescriptionChange, Localized>> = {
  cleaned: {
    tr: "betik, stil, olay kodu gibi parçalar çıkarıldı",
    en: "scripts, styles, event handlers or the like were left out",
  },
  text: { tr: "HTML düz metne çevrildi", en: "HTML was turned into plain text" },
  decoded: {
    tr: "&amp; gibi HTML kodları bir kez çözüldü",
    en: "HTML codes such as &amp; were decoded once",
  },
};
