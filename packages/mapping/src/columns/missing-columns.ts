/** Tells a person what a file lacks, and what to write. */

import type { Lang, Localized } from "@catalog/i18n";

import type { IssueParams } from "../issues/issue.ts";
import { takesDefault } from "./default-values.ts";
import type { FieldDefinition } from "./fields/field.ts";
import { getField } from "./fields/fields.ts";
import { describeLikely, type LikelyColumn, mapFlag, mapFlags } from "./likely-columns.ts";

interface MissingCode {
  readonly headers: readonly string[];
  /** Proposals for every missing field. */
  readonly likely: readonly LikelyColumn[];
  /** Number of columns that are known. */
  readonly known: number;
}

const MAX_HEADERS = 40;

/** With fewer known columns the headers may stand in another row. */
const MIN_KNOWN = 3;

/** Parameters of the issue of a file without product codes. */
export function describeMissingCode({ headers, likely, known }: MissingCode): IssueParams {
  const code = getField("product_code").header;
  const hasCode = likely.some(({ field }) => field === "product_code");
  const named = mapFlags(likely);
  const shown = describeLikely(likely);
  const parts: Localized[] = [];
  if (likely.length > 0) {
    parts.push({
      tr: `Belki şu sütunlardır: ${shown.tr}. Doğruysa komutun sonuna ekleyin: ${named.tr}`,
      en: `They may be these columns: ${shown.en}. If so, add to the command: ${named.en}`,
    });
  }
  if (!hasCode) {
    parts.push({
      tr: `Ürün kodunun bulunduğu sütunu yazın: ${mapFlag("BAŞLIK", code.tr)}`,
      en: `Name the column with the product codes: ${mapFlag("HEADER", code.en)}`,
    });
  }
  if (known < MIN_KNOWN) {
    parts.push({
      tr: "Başlıklar başka bir satırdaysa o satırı yazın: --header-row NUMARA",
      en: "If the headers are in another row, name it: --header-row NUMBER",
    });
  }
  return { names: code, headers: listHeaders(headers), advice: joinLines(parts) };
}

/** Advice for a new product whose file lacks columns; `absent` is not empty. */
export function adviseOnAbsent(
  absent: readonly FieldDefinition[],
  likely: readonly LikelyColumn[],
): Localized {
  const keys = new Set(absent.map(({ key }) => key));
  const proposed = likely.filter(({ field }) => keys.has(field));
  const rest = absent.filter(({ key }) => !proposed.some(({ field }) => field === key));
  const parts: Localized[] = [];
  if (proposed.length > 0) {
    const [shown, flags] = [describeLikely(proposed), mapFlags(proposed)];
    parts.push({
      tr: `Belki şu sütunlardır: ${shown.tr}. Doğruysa: ${flags.tr}`,
      en: `They may be these columns: ${shown.en}. If so: ${flags.en}`,
    });
  }
  const [own, shared] = [rest.filter((field) => !isShared(field)), rest.filter(isShared)];
  if (own.length > 0) {
    const list = (lang: Lang): string => own.map(({ header }) => `“${header[lang]}”`).join(", ");
    parts.push({
      tr: `Her ürünün kendi değeri gerekir; dosyaya şu sütunları ekleyin: ${list("tr")}.`,
      en: `Each product needs its own value; add these columns to the file: ${list("en")}.`,
    });
  }
  if (shared.length > 0) {
    const kept = shared.find(takesDefault);
    const set = (lang: Lang): string =>
      shared.map(({ header }) => `--set "${header[lang]}=…"`).join(" ");
    parts.push({
      tr: `Bütün satırlar için bir değer verin: ${set("tr")}${keeping(kept?.header).tr}`,
      en: `Give one value for all rows: ${set("en")}${keeping(kept?.header).en}`,
    });
  }
  parts.push({
    tr: "Ürün mağazada varsa kodunu düzeltin.",
    en: "If the store has the product, correct its code.",
  });
  return joinLines(parts);
}

/** Fields that differ from product to product. */
const OWN_FIELDS: ReadonlySet<string> = new Set(["product_code", "title", "description"]);
const OWN_KINDS: ReadonlySet<string> = new Set(["money", "integer", "number", "image"]);

/** Whether one value may hold for all products of a file. */
const isShared = ({ key, kind }: FieldDefinition): boolean =>
  !OWN_FIELDS.has(key) && (!OWN_KINDS.has(kind) || key === "warranty_period");

/** How a value is kept for every file; empty where no field takes one. */
const keeping = (header: Localized | undefined): Localized => ({
  tr:
    header === undefined
      ? ""
      : ` (her yeni üründe geçerli olsun diye: catalog rules default "${header.tr}" "…")`,
  en:
    header === undefined
      ? ""
      : ` (to keep it for every new product: catalog rules default "${header.en}" "…")`,
});

function listHeaders(headers: readonly string[]): Localized {
  const named = headers.filter((header) => header !== "");
  const list = named.slice(0, MAX_HEADERS).join(", ");
  const more = named.length - MAX_HEADERS;
  return {
    tr: more > 0 ? `${list}, … (${more} başlık daha)` : list || "yok",
    en: more > 0 ? `${list}, … (${more} more)` : list || "none",
  };
}

const joinLines = (parts: readonly Localized[]): Localized => ({
  tr: parts.map(({ tr }) => tr).join("\n"),
  en: parts.map(({ en }) => en).join("\n"),
});
