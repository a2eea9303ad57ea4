/** The flags of an export besides its filters. */

import {
  CONCURRENCY_FLAG,
  type FlagDefinition,
  type Flags,
  UsageError,
  textFlag,
  wordFlag,
} from "@catalog/console";
import {
  EXPORT_FORMATS,
  EXPORT_KINDS,
  type ExportFormat,
  type ExportKind,
} from "@catalog/exporter/kinds";

/** The flags that every kind of export has. */
export const COMMON_FLAGS: Readonly<Record<string, FlagDefinition>> = {
  out: {
    type: "string",
    describe: { tr: "Yazılacak dosya; - standart çıktıdır", en: "File to write; - is stdout" },
  },
  overwrite: {
    type: "boolean",
    describe: { tr: "Dosya varsa üzerine yaz", en: "Replace the file if it exists" },
  },
  format: {
    type: "string",
    choices: EXPORT_FORMATS,
    describe: {
      tr: "Biçim; verilmezse dosyanın uzantısından anlaşılır",
      en: "Format (default: by the file's ending)",
    },
  },
  columns: {
    type: "string",
    describe: {
      tr: "Yalnızca bu sütunlar, bu sırayla: dosyadaki başlıkları ya da anahtarları",
      en: "Only these columns, in this order: their headers in the file, or their keys",
    },
  },
  since: {
    type: "string",
    choices: ["last"],
    describe: {
      tr: "Yalnızca aynı süzgeçlerle yapılan son dışa aktarmadan sonrakiler",
      en: "Only what is new since the last export with the same filters",
    },
  },
  decimal: {
    type: "string",
    choices: ["comma", "point"],
    describe: {
      tr: "CSV'nin ondalık ayırıcısı; virgül seçilirse sütunlar ; ile, nokta seçilirse , ile ayrılır (dile göre)",
      en: "Decimal sign of a CSV file: comma separates its columns by ;, point by , (default: by language)",
    },
  },
  fresh: {
    type: "boolean",
    describe: {
      tr: "Yarım kalmış dışa aktarmayı sürdürme, baştan başla",
      en: "Start over instead of continuing an unfinished export",
    },
  },
  concurrency: CONCURRENCY_FLAG,
  "requests-per-hour": {
    type: "number",
    describe: { tr: "Bir saatte en çok istek", en: "Maximum calls per hour" },
  },
};

interface KindFlag extends FlagDefinition {
  readonly kinds: readonly ExportKind[];
}

/** The flags that only some kinds have, besides their filters. */
export const KIND_FLAGS: Readonly<Record<string, KindFlag>> = {
  template: {
    kinds: ["products"],
    type: "string",
    // No default here: it would count as given for the other kinds.
    choices: ["import", "full"],
    describe: {
      tr: "import: içe aktarmanın okuduğu sütunlar; full: listede ne varsa hepsi (import)",
      en: "import: the columns that an import reads; full: all that the listing has (import)",
    },
  },
  "price-unit": {
    kinds: ["products", "orders", "payments"],
    type: "string",
    choices: ["minor", "major"],
    describe: {
      tr: "Pazaryerinin verdiği tutarların birimi: kuruş (minor) ya da lira (major); sonraki komutlar hatırlar",
      en: "Unit of the amounts that the marketplace gives: minor (kuruş) or major (lira); later commands remember it",
    },
  },
  "store-wide": {
    kinds: ["comments"],
    type: "boolean",
    describe: {
      tr: "Mağazanın yorumlarını tek listede oku: az istek, ama ürün bilgisi yok",
      en: "Read the comments of the store as one list: few calls, but no products",
    },
  },
  "with-names": {
    kinds: ["comments", "orders", "questions", "payments"],
    type: "boolean",
    describe: {
      tr: 'Adları açık yaz (yoksa "A*** Y***"); kişisel veridir (siparişlerde --with-contact ile aynı)',
      en: 'Write names in full (else "A*** Y***"); they are personal data (for orders the same as --with-contact)',
    },
  },
  "with-contact": {
    kinds: ["orders"],
    type: "boolean",
    describe: {
      tr: "E-posta ve teslimat adreslerini açık yaz (yoksa ***); kişisel veridir",
      en: "Write e-mail and shipping addresses in full (else ***); they are personal data",
    },
  },
};

/** Kind of the export. Throws {@link UsageError} for an unknown one. */
export function kindFlag(flags: Flags): ExportKind {
  const kind = wordFlag(flags, "kind", EXPORT_KINDS);
  if (kind !== undefined) return kind;
  const kinds = EXPORT_KINDS.join(", ");
  throw new UsageError({
    tr: `Bunlar dışa aktarılabilir: ${kinds}.`,
    en: `These can be exported: ${kinds}.`,
  });
}

/** Path of the file, or `-` for stdout. Throws {@link UsageError} when there is none. */
export function outFlag(flags: Flags, kind: ExportKind): string {
  const out = textFlag(flags, "out");
  if (out !== undefined) return out;
  throw new UsageError({
    tr: `--out ile bir dosya verin: catalog export ${kind} --out ${kind}.xlsx`,
    en: `Give a file with --out: catalog export ${kind} --out ${kind}.xlsx`,
  });
}

/** The named format, or that of the file's extension. Throws {@link UsageError} for neither. */
export function formatFlag(flags: Flags, out: string): ExportFormat {
  const ending = /\.([^./\\]+)$/u.exec(out)?.[1]?.toLowerCase();
  const byEnding = EXPORT_FORMATS.find((format) => format === ending);
  const format = wordFlag(flags, "format", EXPORT_FORMATS) ?? byEnding;
  if (format === "xlsx" && out === "-") {
    throw new UsageError({
      tr: "Bir çalışma kitabı standart çıktıya yazılamaz. --out ile bir dosya verin ya da --format csv kullanın.",
      en: "A workbook cannot go to stdout. Give a file with --out, or use --format csv.",
    });
  }
  if (format !== undefined) return format;
  if (out === "-") return "csv";
  throw new UsageError({
    tr: `"${out}" adından biçim anlaşılmıyor. Sonuna .csv, .xlsx ya da .jsonl koyun, ya da --format verin.`,
    en: `The name "${out}" tells no format. Let it end in .csv, .xlsx or .jsonl, or give --format.`,
  });
}
