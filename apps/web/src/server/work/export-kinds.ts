/** What can be exported, with the filters that the page offers, each a flag of `catalog export`. */

import { listExportColumns } from "@catalog/exporter/columns";
import type { Lang, Localized } from "@catalog/i18n";

import { EXPORT_KINDS, type ExportKind, type ExportKindView } from "../../api/work.ts";

interface Filter {
  /** The flag, which is the key as well. */
  readonly flag: string;
  readonly label: Localized;
  readonly type: ExportKindView["filters"][number]["type"];
  readonly choices?: readonly { readonly value: string; readonly label: Localized }[];
  /** What no choice means. @default any value */
  readonly empty?: Localized | "first";
}

const ANY: Localized = { tr: "Fark etmez", en: "Any" };

const SINCE: Filter = {
  flag: "since",
  label: {
    tr: "Yalnız son dışa aktarmadan sonra yeni olanlar",
    en: "Only what is new since the last export",
  },
  type: "yes",
};
const START: Filter = {
  flag: "start-date",
  label: { tr: "Başlangıç günü", en: "From" },
  type: "day",
};
const END: Filter = { flag: "end-date", label: { tr: "Bitiş günü", en: "To" }, type: "day" };
const NAMES: Filter = {
  flag: "with-names",
  label: { tr: "Adları açık yaz (kişisel veri)", en: "Write names in full (personal data)" },
  type: "yes",
};
const CONTACT: Filter = {
  flag: "with-contact",
  label: {
    tr: "E-posta ve adresleri açık yaz (kişisel veri)",
    en: "Write e-mail and addresses in full (personal data)",
  },
  type: "yes",
};
const UNIT: Filter = {
  flag: "price-unit",
  label: { tr: "Tutarların birimi", en: "Unit of amounts" },
  type: "choice",
  choices: [
    { value: "minor", label: { tr: "Kuruş", en: "Minor units (kuruş)" } },
    { value: "major", label: { tr: "Lira", en: "Whole currency (lira)" } },
  ],
  empty: { tr: "Bilinen birim", en: "The known unit" },
};
const text = (flag: string, tr: string, en: string): Filter => ({
  flag,
  label: { tr, en },
  type: "text",
});
const number = (flag: string, tr: string, en: string): Filter => ({
  flag,
  label: { tr, en },
  type: "number",
});
const yes = (flag: string, tr: string, en: string): Filter => ({
  flag,
  label: { tr, en },
  type: "yes",
});

interface Kind {
  readonly label: Localized;
  readonly filters: readonly Filter[];
}

const KINDS: Readonly<Record<ExportKind, Kind>> = {
  products: {
    label: { tr: "Ürünler", en: "Products" },
    filters: [
      {
        flag: "template",
        label: { tr: "Kapsam", en: "Scope" },
        type: "choice",
        empty: "first",
        choices: [
          {
            value: "import",
            label: {
              tr: "Yeniden yüklenebilen sütunlar",
              en: "Columns that can be uploaded again",
            },
          },
          {
            value: "full",
            label: { tr: "Mağazanın verdiği her şey", en: "All that the store gives" },
          },
        ],
      },
      {
        flag: "status",
        label: { tr: "Durum", en: "Status" },
        type: "choice",
        choices: [
          { value: "approved", label: { tr: "Onaylı", en: "Approved" } },
          { value: "passive", label: { tr: "Pasif", en: "Passive" } },
          { value: "veto", label: { tr: "Reddedilmiş", en: "Vetoed" } },
        ],
      },
      text("code", "Ürün kodları", "Product codes"),
      text("title", "Başlık", "Title"),
      START,
      END,
      UNIT,
      SINCE,
    ],
  },
  comments: {
    label: { tr: "Yorumlar", en: "Comments" },
    filters: [
      yes(
        "store-wide",
        "Tek listeden oku: az istek, ürün adı yok",
        "Read as one list: few calls, no products",
      ),
      text("product", "Ürün kodları ya da kimlikleri", "Product codes or ids"),
      {
        flag: "satisfaction",
        label: { tr: "Memnuniyet", en: "Satisfaction" },
        type: "choice",
        choices: [
          { value: "happy", label: { tr: "Memnun", en: "Happy" } },
          { value: "neutral", label: { tr: "Kararsız", en: "Neutral" } },
          { value: "unhappy", label: { tr: "Memnun değil", en: "Unhappy" } },
        ],
      },
      number("min-rate", "En az puan", "Lowest rating"),
      number("max-rate", "En çok puan", "Highest rating"),
      START,
      END,
      NAMES,
      SINCE,
    ],
  },
  orders: {
    label: { tr: "Siparişler", en: "Orders" },
    filters: [
      number("days", "Son kaç gün", "Days up to now"),
      START,
      END,
      yes("all", "Bütün günler", "All days"),
      CONTACT,
      UNIT,
      SINCE,
    ],
  },
  questions: {
    label: { tr: "Sorular", en: "Questions" },
    filters: [
      yes("answered", "Yalnız yanıtlananlar", "Answered only"),
      yes("unanswered", "Yalnız yanıt bekleyenler", "Unanswered only"),
      START,
      END,
      NAMES,
      SINCE,
    ],
  },
  payments: {
    label: { tr: "Ödemeler", en: "Payments" },
    filters: [
      {
        flag: "status",
        label: { tr: "Durum", en: "Status" },
        type: "choice",
        choices: [
          { value: "1", label: { tr: "Hesaba geçmeyi bekliyor", en: "Awaiting transfer" } },
          { value: "2", label: { tr: "Hesaba geçti", en: "Transferred" } },
          { value: "3", label: { tr: "İptal", en: "Cancelled" } },
        ],
      },
      text("order", "Sipariş kodu", "Order code"),
      START,
      END,
      NAMES,
      UNIT,
      SINCE,
    ],
  },
};

/** Kinds and their filters in the words of a language. */
export const listExportKinds = (lang: Lang): readonly ExportKindView[] =>
  EXPORT_KINDS.map((kind) => ({
    kind,
    label: KINDS[kind].label[lang],
    filters: KINDS[kind].filters.map(({ flag, label: name, type, choices = [], empty = ANY }) => ({
      key: flag,
      label: name[lang],
      type,
      choices: choices.map((choice) => ({ value: choice.value, label: choice.label[lang] })),
      empty: empty === "first" ? null : empty[lang],
    })),
    columns: listExportColumns(kind, lang),
  }));

/**
 * The words of the command line for chosen filters; a key that is no filter of the kind is left out.
 * Each value stands in the word of its flag, so that it is never read as a flag of its own.
 */
export function toFilterWords(
  kind: ExportKind,
  chosen: Readonly<Record<string, string>>,
): readonly string[] {
  return KINDS[kind].filters.flatMap(({ flag, type }) => {
    const value = chosen[flag] ?? "";
    if (value === "") return [];
    if (flag === "since") return ["--since=last"];
    return [type === "yes" ? `--${flag}` : `--${flag}=${value}`];
  });
}

/** The kind and the chosen filters as one line. */
export function describeExport(
  kind: ExportKind,
  chosen: Readonly<Record<string, string>>,
  lang: Lang,
): string {
  const filters = KINDS[kind].filters.flatMap(({ flag, label, type, choices = [] }) => {
    const value = chosen[flag] ?? "";
    if (value === "") return [];
    if (type === "yes") return [label[lang]];
    return [`${label[lang]}: ${choices.find((one) => one.value === value)?.label[lang] ?? value}`];
  });
  return [KINDS[kind].label[lang], ...filters].join(" · ");
}
