/**
 * Records fields that were left out of answers, once each, for the warnings of a run or an export.
 */

import type { OmittedField } from "@catalog/client";
import type { RunWarning } from "@catalog/runs";

/** The fields that were left out of answers. */
export interface OmittedFields {
  note(left: OmittedField): void;
  /** One warning for each field, in the order of first occurrence. */
  warnings(): readonly RunWarning[];
}

/** Creates an empty record of omitted fields. */
export function createOmittedFields(): OmittedFields {
  const met = new Map<string, OmittedField>();
  return {
    note(left) {
      met.set(`${left.endpoint} ${left.field}`, left);
    },
    warnings: () => [...met.values()].map(toWarning),
  };
}

function toWarning({ endpoint, field }: OmittedField): RunWarning {
  const isTotal = field === "total";
  const message = isTotal
    ? {
        tr: `Pazaryerinin ${endpoint} yanıtındaki “total” bir sayı değil; sayfalar onsuz, sonuna kadar okundu. Sürerse pazaryerine bildirin.`,
        en: `The “total” in the marketplace's answers to ${endpoint} is no number; the pages were read to their end without it. Tell the marketplace if it stays so.`,
      }
    : {
        tr: `Pazaryerinin ${endpoint} yanıtındaki bazı “${field}” değerleri okunamadı; o ürünler bu alan olmadan okundu ve bu alan karşılaştırılmadı. Sürerse pazaryerine bildirin.`,
        en: `Some “${field}” values in the marketplace's answers to ${endpoint} cannot be read; those products were read without this field, and it was not compared. Tell the marketplace if it stays so.`,
      };
  return { code: "W_ANSWER_LEFT_OUT", message };
}
