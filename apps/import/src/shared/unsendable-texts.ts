/** Texts about changes that cannot be sent, for the plan, the result and the history. */

import { fieldLabel } from "@catalog/connection";
import type { Lang } from "@catalog/i18n";
import { NO_UNSENDABLE_FIELDS, type UnsendableFields } from "@catalog/runs";

import { textsFor } from "./texts.ts";

interface UnsendableTexts {
  /** Text for rows of which nothing can be sent. */
  readonly rows: (count: string) => string;
  /** Text for rows of which other fields can be sent. */
  readonly partly: (count: string) => string;
}

const TEXTS: Readonly<Record<Lang, Readonly<Record<"planned" | "counted", UnsendableTexts>>>> = {
  tr: {
    planned: {
      rows: (count) => `${count} gönderilemeyecek`,
      partly: (count) => `${count} satır eksik gidecek`,
    },
    counted: {
      rows: (count) => `${count} gönderilemedi`,
      partly: (count) => `${count} satır eksik gönderildi`,
    },
  },
  en: {
    planned: {
      rows: (count) => `${count} that cannot be sent`,
      partly: (count) => `${count} to be sent in part`,
    },
    counted: {
      rows: (count) => `${count} could not be sent`,
      partly: (count) => `${count} sent in part`,
    },
  },
};

const REASONS: Readonly<Record<Lang, (fields: string) => string>> = {
  tr: (fields) => `mağaza güncellemede almıyor: ${fields}`,
  en: (fields) => `the store does not take updates of: ${fields}`,
};

/** One text for rows of which nothing can be sent, and one for rows of which a part can. */
export function describeUnsendable(
  { rows, partly, fields }: UnsendableFields = NO_UNSENDABLE_FIELDS,
  when: "planned" | "counted",
  lang: Lang,
): readonly string[] {
  const { number } = textsFor(lang);
  const words = TEXTS[lang][when];
  const named = [...new Set(fields.map((field) => fieldLabel(field, lang)))].join(", ");
  const told = [
    ...(rows > 0 ? [words.rows(number(rows))] : []),
    ...(partly > 0 ? [words.partly(number(partly))] : []),
  ];
  return told.map((text) => `${text} (${REASONS[lang](named)})`);
}
