/** Tells what price rules lack in a file: the file itself, or a column of it. */

import { formatNumber, type Localized } from "@catalog/i18n";
import { makesPrice, nameRule, type PriceRule, statesFees } from "@catalog/pricing";

import type { PriceRules } from "./price-rules.ts";
import { type RuleColumns, sortByLikeness } from "./rule-columns.ts";

/** What is counted to tell a file that no price rule is for. */
export interface Tally {
  /** Rows with a price, and those of them to which no rule was found. */
  priced: number;
  raw: number;
  /** Rows with a price whose cost is not known. */
  costless: number;
  /** The last row that was looked at for its cost; a feed may be read twice. */
  lastRow: number;
  /** Rows to which a rule was found. */
  found: number;
  /** Whether a rule holds, or may hold, for a row as if its product were new. */
  holdsForNew: boolean | "unknown";
  /** Rules whose source is a column or cost that the file does not have. */
  readonly lacking: Map<number, PriceRule>;
}

export const createTally = (): Tally => ({
  priced: 0,
  raw: 0,
  costless: 0,
  lastRow: -1,
  found: 0,
  holdsForNew: false,
  lacking: new Map(),
});

/** What was counted in a file, and what it was compared with. */
interface CountedShop {
  readonly tally: Tally;
  readonly prices: Pick<PriceRules, "rules" | "costs">;
  readonly columns: Pick<RuleColumns, "isExport" | "headers" | "cost">;
  /** Names of the file or feed. */
  readonly suppliers: readonly string[];
}

/** Whether rows have prices and no price rule is for any of them. */
export function isUnmatched({
  prices: { rules },
  columns: { isExport },
  tally,
}: CountedShop): boolean {
  const { priced, raw, found, holdsForNew } = tally;
  if (isExport || priced === 0 || found > 0 || holdsForNew === true) return false;
  if (holdsForNew === "unknown" && raw === 0) return false;
  return rules.some(makesPrice);
}

const MAX_LISTED = 12;

const quoteAll = (texts: readonly string[]): string =>
  texts
    .slice(0, MAX_LISTED)
    .map((text) => `“${text}”`)
    .join(", ") + (texts.length > MAX_LISTED ? ", …" : "");

/** The suppliers of the rules and the names of the source. */
export function describeUnmatched({ prices: { rules }, suppliers }: CountedShop): Localized {
  const named = [...new Set(rules.filter(makesPrice).map(({ supplier }) => supplier))].filter(
    (supplier) => supplier !== undefined,
  );
  const own = quoteAll(suppliers);
  if (named.length === 0) {
    return {
      tr: `hiçbir fiyat kuralı hiçbir satıra uymuyor; bu kaynağın adları: ${own}`,
      en: `no price rule fits any row; the names of this source: ${own}`,
    };
  }
  return {
    tr: `kuralların tedarikçileri: ${quoteAll(named)}; bu kaynağın adları: ${own}`,
    en: `the suppliers of the rules: ${quoteAll(named)}; the names of this source: ${own}`,
  };
}

/** Says how many rows could not be kept from a sale below cost, where the shop watches that. */
export function toCostNotes({
  tally: { costless },
  prices: { rules, costs },
  columns: { cost },
}: CountedShop): readonly Localized[] {
  const isWatched = costs.size > 0 || cost !== undefined || rules.some(statesFees);
  if (costless === 0 || !isWatched) return [];
  const [tr, en] = [formatNumber(costless, "tr"), formatNumber(costless, "en")];
  return [
    {
      tr: `Maliyeti bilinmeyen satır: ${tr}. Bunlarda maliyetin altında satış denetlenemedi. Dosyada maliyet sütunu varsa: --map "BAŞLIK=Maliyet"; yoksa: catalog rules costs import`,
      en: `Rows whose cost is not known: ${en}. Sales below cost could not be watched for them. If the file has a column of costs: --map "HEADER=Cost"; if not: catalog rules costs import`,
    },
  ];
}

/** Says once for each rule what it needs and the file does not have. */
export function toLackNotes({ tally, columns: { headers } }: CountedShop): readonly Localized[] {
  return [...tally.lacking.values()].map((rule) => {
    const name = nameRule(rule);
    const wanted = rule.source === "cost" ? "Maliyet" : headerOf(rule);
    const others = quoteAll(sortByLikeness(wanted, headers));
    return rule.source === "cost"
      ? {
          tr: `${name} maliyet istiyor; dosyada maliyet sütunu yok, mağazada da kayıtlı maliyet yok. Bu kurala uyan satırların fiyatı gönderilmez. Dosyanın sütunları: ${others}`,
          en: `${name} needs costs; the file has no column of costs, and the store has none saved. The prices of its rows are not sent. Columns of the file: ${others}`,
        }
      : {
          tr: `${name} “${wanted}” sütununu istiyor; dosyada böyle bir sütun yok. Bu kurala uyan satırların fiyatı gönderilmez. Dosyanın sütunları: ${others}`,
          en: `${name} needs the column “${wanted}”, which the file does not have. The prices of its rows are not sent. Columns of the file: ${others}`,
        };
  });
}

/** The header of the column that is the source of a rule. */
export const headerOf = ({ source }: PriceRule): string => source.replace(/^column:/u, "");
