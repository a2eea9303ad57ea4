/** Looks whether the cells of a feed stand in other columns than their own. */

import type { Localized } from "@catalog/i18n";
import { headerKey, isFilled, type SourceRow } from "@catalog/mapping";

import type { FeedRecord } from "./feed-state.ts";
import type { OpenedFeed } from "./file/open-feed.ts";
import type { FeedScan } from "./scan-feed.ts";

/** Signs that several rows of a feed give together. */
export interface ShiftSigns {
  note(row: SourceRow): void;
  /** The signs, in words for people. */
  found(): readonly Localized[];
}

/** Products whose names are numbers, below which it may be chance. */
const MIN_NAMES = 3;
/** Products that cost more than they are sold for, below which it may be a clearance … */
const MIN_COSTS = 10;
/** … and the share of them, in percent, beyond which it is none. */
const COSTS_PERCENT = 70;

/** Different rates of a tax, beyond which they are numbers of something else. */
const MAX_RATES = 6;

const NUMBER = /^[\d.,\s]+$/u;
const TAX = /^(?:kdv|vat|tax)(?:orani?|yuzde(?:si)?|rate|percent)?$/u;
const COST = /^(?:alis|maliyet|birimmaliyet|cost|unitcost|itemcost|purchase|buying)/u;

/** A column that a person has left out says nothing. */
const isOpen = ({ kind }: OpenedFeed["mapping"]["columns"][number]["target"]): boolean =>
  kind !== "field" && kind !== "unused";

/** Creates the signs of one feed, none of which is found before rows are noted. */
export function createShiftSigns({ wholeMapping: { columns } }: OpenedFeed): ShiftSigns {
  const holderOf = (field: string): (typeof columns)[number] | undefined =>
    columns.find(({ target }) => target.kind === "field" && target.field === field);
  const [name, price] = [holderOf("title"), holderOf("price")];
  const cost = columns.find(({ header, target }) => isOpen(target) && COST.test(headerKey(header)));
  const tax = columns.find(({ header, target }) => isOpen(target) && TAX.test(headerKey(header)));
  const rates = new Set<number>();
  const names = { all: 0, numbers: 0 };
  const costs = { all: 0, above: 0 };
  return {
    note(row) {
      if (name !== undefined && isFilled(row, name.index)) {
        names.all += 1;
        if (NUMBER.test(String(row.cells[name.index] ?? ""))) names.numbers += 1;
      }
      const rate = amountOf(row, tax?.index);
      if (rate !== undefined) rates.add(rate);
      const [paid, sold] = [cost, price].map((column) => amountOf(row, column?.index));
      if (paid === undefined || sold === undefined) return;
      costs.all += 1;
      if (paid > sold) costs.above += 1;
    },
    found() {
      const areNumbers = names.all >= MIN_NAMES && names.numbers === names.all;
      const areDear = costs.all >= MIN_COSTS && costs.above > (costs.all * COSTS_PERCENT) / 100;
      return [
        areNumbers ? describeNames(headerOf(name)) : undefined,
        areDear ? describeCosts(headerOf(cost), headerOf(price)) : undefined,
        rates.size > MAX_RATES ? describeRates(headerOf(tax)) : undefined,
      ].filter((sign) => sign !== undefined);
    },
  };
}

const headerOf = (column: { readonly header: string } | undefined): string => column?.header ?? "";

const describeNames = (header: string): Localized => ({
  tr: `“${header}” sütununda ürün adı yerine yalnız sayılar var`,
  en: `the column “${header}” holds numbers only, and no names`,
});

const describeCosts = (cost: string, price: string): Localized => ({
  tr: `“${cost}” sütunu ürünlerin çoğunda “${price}” sütunundan yüksek`,
  en: `the column “${cost}” is above the column “${price}” for most products`,
});

const describeRates = (header: string): Localized => ({
  tr: `“${header}” sütununda vergi oranı olamayacak kadar değişik sayılar var`,
  en: `the column “${header}” holds too many different numbers to be rates of a tax`,
});

const DIGITS = /^\d[\d.,]*$/u;

/** Roughly, as only many of them together are a sign. */
function amountOf({ cells }: SourceRow, index: number | undefined): number | undefined {
  const cell = index === undefined ? undefined : cells[index];
  if (typeof cell === "number") return cell;
  const text = String(cell ?? "")
    .replace(/TL|₺/u, "")
    .trim();
  if (!DIGITS.test(text)) return undefined;
  const at = Math.max(text.lastIndexOf(","), text.lastIndexOf("."));
  const isPart = at !== -1 && text.length - at <= 3;
  const [whole, part] = isPart ? [text.slice(0, at), text.slice(at + 1)] : [text, ""];
  return Number(`${whole.replaceAll(/[.,]/gu, "")}.${part}`);
}

/** Products below which an empty column may be chance. */
const MIN_PRODUCTS = 3;

/** All signs of a feed: those of its rows, and columns that its first version leaves empty. */
export function listShiftSigns(
  mapped: Readonly<Record<string, string>>,
  { rows, others, filled, shifted }: FeedScan,
  last: FeedRecord | undefined,
): readonly Localized[] {
  // A column that was empty when the feed was first accepted is told, and no longer a reason.
  const isNew = last === undefined && rows - others >= MIN_PRODUCTS;
  const empty = isNew ? Object.entries(mapped) : [];
  return [
    ...shifted,
    ...empty
      .filter(([field]) => filled[field] === 0)
      .map(([, header]) => ({
        tr: `“${header}” sütunu bütün satırlarda boş`,
        en: `the column “${header}” is empty in every row`,
      })),
  ];
}
