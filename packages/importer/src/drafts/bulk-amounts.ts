/** New prices, discounts and stocks of single rows, by the steps of price rules. */

import { InputError, type Lang, type Localized } from "@catalog/i18n";
import {
  type AmountCell,
  type AmountKind,
  type AmountReader,
  parseMoney,
  type RowAmounts,
  type SourceRow,
  VALUE_KEYWORDS,
} from "@catalog/mapping";
import { applyPriceRule } from "@catalog/pricing";

import type { BulkChange } from "./draft-views.ts";
import { labelOf } from "./stored-draft.ts";

/** The new content of a cell of the row. */
export interface NewCell {
  readonly column: number;
  readonly value: string | number;
}

/** Why a row stays, and the text of the cell that is the cause. */
export interface Left {
  readonly reason: Localized;
  readonly text: string;
}

/** What a change makes of a row. */
export type Changed = readonly NewCell[] | Left;

export const isLeft = (changed: Changed): changed is Left => "reason" in changed;

/** A row as its own cells say it, without those that it takes from other rows. */
export interface AmountRow {
  readonly own: SourceRow;
  readonly amounts: RowAmounts;
}

interface AmountTools {
  readonly reader: AmountReader;
  readonly lang: Lang;
}

interface DiscountTools extends AmountTools {
  readonly columns: Columns;
  /** Whether the rows are products of the store, so that an empty cell means that there is none. */
  readonly isOfStore: boolean;
}

type Change<Kind extends BulkChange["kind"]> = Extract<BulkChange, { readonly kind: Kind }>;

type Reason =
  | "empty"
  | "noDiscount"
  | "otherDiscount"
  | "notPositive"
  | "belowZero"
  | "unwritable"
  | "onlyPercent"
  | "noSource"
  | "noTemplate";

/** Why rows stay. */
export const REASONS: Readonly<Record<Reason, Localized>> = {
  empty: { tr: "Hücre boş", en: "The cell is empty" },
  noDiscount: { tr: "Satırda indirim yok", en: "The row has no discount" },
  otherDiscount: {
    tr: "İndirim yüzde ya da tutar olarak verilmiş; indirimli fiyatı yok",
    en: "The discount is a percentage or an amount, so that there is no discounted price",
  },
  notPositive: {
    tr: "Fiyat sıfıra ya da altına inerdi",
    en: "The price would fall to zero or below",
  },
  belowZero: { tr: "Stok sıfırın altına inerdi", en: "The stock would fall below zero" },
  unwritable: {
    tr: "Sonuç, sütunun yazılışıyla yazılamıyor",
    en: "The result cannot be written as the column writes numbers",
  },
  onlyPercent: {
    tr: "İndirim sütunu yalnızca yüzde alıyor",
    en: "The column of the discount takes percentages only",
  },
  noSource: { tr: "Kopyalanacak hücre boş", en: "The cell to copy is empty" },
  noTemplate: {
    tr: "Şablondaki sütunların hepsi boş",
    en: "All columns of the template are empty",
  },
};

const left = (reason: Localized, text = ""): Left => ({ reason, text });

/** Why an amount cannot be read. */
const unread = ({ issue }: AmountCell): Left =>
  issue === undefined ? left(REASONS.empty) : left(labelOf(issue.code), issue.value);

function cellOf(row: AmountRow, field: AmountCell["field"]): AmountCell | undefined {
  return row.amounts.cells.find((cell) => cell.field === field);
}

/** Whether a cell is filled with a price. */
const isPrice = (cell: AmountCell | undefined): cell is AmountCell =>
  cell !== undefined && !cell.isNone && (cell.amount !== undefined || cell.issue !== undefined);

const signOf = (lang: Lang): "comma" | "point" => (lang === "tr" ? "comma" : "point");

function write(
  { reader, lang }: AmountTools,
  { own }: AmountRow,
  {
    column,
    kind,
    value,
  }: { readonly column: number; readonly kind: AmountKind; readonly value: number },
): Changed {
  const written = reader.write(own, column, { kind, value }, signOf(lang));
  return written === undefined ? left(REASONS.unwritable) : [{ column, value: written }];
}

/** All of them, or why the first one cannot be made. */
function all(changes: readonly Changed[]): Changed {
  return changes.find(isLeft) ?? changes.flatMap((each) => (isLeft(each) ? [] : each));
}

type Compute = (minor: number) => number | undefined;

function toCompute({
  by,
  value,
  rounding,
}: Pick<Change<"price">, "by" | "value" | "rounding">): Compute {
  const step = by === "percent" ? { markup: value } : { addition: value };
  const rule = { number: 1, source: "price", ...step, ...rounding };
  return (minor) => applyPriceRule(rule, minor)?.value;
}

/**
 * Changes prices. Of a row whose columns say that there is no discount, the list price is both the
 * price and what repeats it, so that no discount arises.
 */
export function createPriceChange(
  tools: AmountTools,
  change: Change<"price">,
): (row: AmountRow) => Changed {
  const compute = toCompute(change);
  const find = change.of === "list" ? findListPrices : findDiscounted;
  return (row) => {
    const cells = find(row);
    if (isReason(cells)) return cells;
    return all(
      cells.map((cell) => {
        if (cell.amount === undefined) return unread(cell);
        const value = compute(cell.amount);
        if (value === undefined) return left(REASONS.notPositive, showText(row, cell));
        return write(tools, row, { column: cell.column, kind: "money", value });
      }),
    );
  };
}

const isReason = (found: readonly AmountCell[] | Left): found is Left => "reason" in found;

const showText = ({ own }: AmountRow, { column }: Pick<AmountCell, "column">): string =>
  String(own.cells[column] ?? "");

/** The cell, where it has the amount of another one. */
const repeats = (cell: AmountCell | undefined, { amount }: AmountCell): readonly AmountCell[] =>
  cell?.amount !== undefined && cell.amount === amount ? [cell] : [];

function findListPrices(row: AmountRow): readonly AmountCell[] | Left {
  const price = cellOf(row, "price");
  const list = cellOf(row, "list_price");
  const discount = findDiscount(row);
  if (isPrice(list)) return [list, ...repeats(price, list)];
  if (price === undefined || !isPrice(price))
    return price === undefined ? left(REASONS.empty) : unread(price);
  const isRepeated = row.amounts.changes.has_discount !== true && discount?.kind === "money";
  return [price, ...(isRepeated ? repeats(discount, price) : [])];
}

function findDiscounted(row: AmountRow): readonly AmountCell[] | Left {
  const { has_discount: has, discount_type: type } = row.amounts.changes;
  const list = cellOf(row, "list_price");
  const cell = isPrice(list) ? cellOf(row, "price") : findDiscount(row);
  if (cell?.issue !== undefined && !cell.isNone) return unread(cell);
  if (has !== true || cell === undefined) return left(REASONS.noDiscount);
  return type === 3 ? [cell] : left(REASONS.otherDiscount, showText(row, cell));
}

/** The filled cell of a discount; the first of those that there are. */
function findDiscount({ amounts }: AmountRow): AmountCell | undefined {
  const cells = amounts.cells.filter(({ field }) => field === "discount_value");
  return cells.find((cell) => isPrice(cell)) ?? cells[0];
}

/** Sets, adds to or takes from the stock; a stock never falls below zero: such a row stays. */
export function createStockChange(
  tools: AmountTools,
  { how, pieces }: Change<"stock">,
): (row: AmountRow) => Changed {
  const sign = { set: 0, add: 1, take: -1 }[how];
  return (row) => {
    const cell = cellOf(row, "stock");
    if (cell === undefined) return left(REASONS.empty);
    if (how !== "set" && cell.amount === undefined) return unread(cell);
    const value = how === "set" ? pieces : (cell.amount ?? 0) + sign * pieces;
    if (value < 0) return left(REASONS.belowZero, showText(row, cell));
    return write(tools, row, { column: cell.column, kind: "count", value });
  };
}

/** The columns in which a discount stands. */
interface DiscountColumns {
  readonly type: number | undefined;
  /** Each with the kind of discount that its header states. */
  readonly values: readonly { readonly column: number; readonly stated: number | undefined }[];
  readonly price: number | undefined;
  readonly list: number | undefined;
}

type Columns = readonly {
  readonly index: number;
  readonly target: { readonly kind: string };
}[];

function listDiscountColumns(columns: Columns): DiscountColumns {
  const targets = columns.flatMap(({ index, target }) =>
    "field" in target ? [{ index, field: target.field, stated: statedBy(target) }] : [],
  );
  const first = (field: string): number | undefined =>
    targets.find((target) => target.field === field)?.index;
  return {
    type: first("discount_type"),
    values: targets
      .filter(({ field }) => field === "discount_value")
      .map(({ index, stated }) => ({ column: index, stated })),
    price: first("price"),
    list: first("list_price"),
  };
}

const statedBy = (target: object): number | undefined =>
  "discountType" in target && typeof target.discountType === "number"
    ? target.discountType
    : undefined;

const AS = { amount: 1, percent: 2, price: 3 } as const;

/** Gives discounts, or ends them. Throws `InputError` where no column can hold one. */
export function createDiscountChange(
  tools: DiscountTools,
  { give }: Change<"discount">,
): (row: AmountRow) => Changed {
  const columns = listDiscountColumns(tools.columns);
  if (!canHold(columns)) {
    throw new InputError({
      tr: "Dosyada indirim sütunu yok. Önce “İndirim Türü” ve “İndirim Değeri” sütunlarını ekleyin.",
      en: "The file has no column for discounts. Add the columns “Discount Type” and “Discount Value” first.",
    });
  }
  return (row) =>
    give === null ? endDiscount(tools, columns, row) : giveDiscount(tools, columns, { row, give });
}

const canHold = ({ type, values, price, list }: DiscountColumns): boolean =>
  values.some(({ stated }) => stated !== undefined || type !== undefined) ||
  (price !== undefined && list !== undefined);

/** Where the discount of a row stands, or would: beside a list price it is the price. */
function findPlace(
  { type, values, list }: DiscountColumns,
  row: AmountRow,
): { readonly column: number; readonly stated: number | undefined } | undefined {
  const filled = findDiscount(row);
  const isListed = list !== undefined && isPrice(cellOf(row, "list_price"));
  if (isListed) return undefined;
  return (
    values.find(({ column }) => column === filled?.column && isPrice(filled)) ??
    values.find(({ stated }) => stated !== undefined || type !== undefined)
  );
}

const CLEAR: Readonly<Record<Lang, string>> = { tr: "<SİL>", en: "<CLEAR>" };

function endDiscount(tools: DiscountTools, columns: DiscountColumns, row: AmountRow): Changed {
  const { has_discount: has } = row.amounts.changes;
  if (has === false) return [];
  if (tools.isOfStore && has !== true) return left(REASONS.noDiscount);
  const place = findPlace(columns, row);
  if (place !== undefined) {
    const { type } = columns;
    return [
      ...(type === undefined ? [] : [{ column: type, value: "" }]),
      { column: place.column, value: CLEAR[tools.lang] },
    ];
  }
  // Equal prices say that there is no discount.
  const [list, price] = [cellOf(row, "list_price"), cellOf(row, "price")];
  const isListed = isPrice(list);
  const kept = isListed ? list : price;
  const column = isListed ? columns.price : columns.list;
  if (kept === undefined || column === undefined) return left(REASONS.empty);
  if (kept.amount === undefined) return unread(kept);
  return write(tools, row, { column, kind: "money", value: kept.amount });
}

type Give = NonNullable<Change<"discount">["give"]>;

function giveDiscount(
  tools: AmountTools,
  columns: DiscountColumns,
  { row, give }: { readonly row: AmountRow; readonly give: Give },
): Changed {
  const listed = cellOf(row, "list_price");
  const before = isPrice(listed) ? listed : cellOf(row, "price");
  if (before?.amount === undefined)
    return before === undefined ? left(REASONS.empty) : unread(before);
  const list = before.amount;
  const paid = toPaid(give, list);
  if (paid === undefined) return left(REASONS.notPositive, showText(row, before));
  if (paid >= list) return left(labelOf("E_DISCOUNT"), showText(row, before));
  const place = findPlace(columns, row);
  return place === undefined
    ? writePrices(tools, columns, { row, list, paid })
    : writeDiscount(tools, columns, { row, place, give, list, paid });
}

function writePrices(
  tools: AmountTools,
  { price, list: listColumn }: DiscountColumns,
  { row, list, paid }: { readonly row: AmountRow; readonly list: number; readonly paid: number },
): Changed {
  if (price === undefined || listColumn === undefined) return left(REASONS.empty);
  return all([
    write(tools, row, { column: listColumn, kind: "money", value: list }),
    write(tools, row, { column: price, kind: "money", value: paid }),
  ]);
}

interface Given {
  readonly row: AmountRow;
  readonly place: NonNullable<ReturnType<typeof findPlace>>;
  readonly give: Give;
  readonly list: number;
  readonly paid: number;
}

function writeDiscount(
  tools: AmountTools,
  { type: typeColumn }: DiscountColumns,
  { row, place, ...given }: Given,
): Changed {
  const { give } = given;
  const type = place.stated ?? (give.rounding === undefined ? AS[give.as] : AS.price);
  const value = toValue(type, given);
  if (value === undefined) return left(REASONS.onlyPercent, showText(row, place));
  const kind = type === AS.percent ? "rate" : "money";
  return all([
    ...(typeColumn === undefined ? [] : [[nameType(tools.lang, { column: typeColumn, type })]]),
    write(tools, row, { column: place.column, kind, value }),
  ]);
}

/** What the buyer would pay, in minor units. */
function toPaid({ as, value, rounding }: Give, list: number): number | undefined {
  if (as === "price") return toMinor(value);
  return toCompute({ by: as, value: `-${value}`, rounding })(list);
}

const toMinor = (value: string): number | undefined => {
  const reading = parseMoney(value, { decimal: "point", isMixed: false });
  return reading.ok ? reading.value.minor : undefined;
};

function toValue(
  type: number,
  { give, list, paid }: { readonly give: Give; readonly list: number; readonly paid: number },
): number | undefined {
  if (type === AS.price) return paid;
  if (type === AS.amount) return list - paid;
  return give.as === "percent" && give.rounding === undefined ? Number(give.value) : undefined;
}

const nameType = (
  lang: Lang,
  { column, type }: { readonly column: number; readonly type: number },
): NewCell => ({
  column,
  value: VALUE_KEYWORDS.discount_type.find(({ value }) => value === type)?.[lang] ?? String(type),
});

/** A text that a person has typed for an amount of any cell of a column. */
interface TypedAmount {
  readonly text: string;
  /** Minor units, pieces or percent by the kind of the cell; `undefined` where the text is none. */
  readonly of: (kind: AmountKind) => number | undefined;
}

/** Reads a typed amount; one that names a currency is written as it stands. */
export function readTypedAmount(text: string, lang: Lang): TypedAmount {
  const notations = [undefined, { decimal: signOf(lang), isMixed: false }];
  const money = notations.map((notation) => parseMoney(text, notation)).find(({ ok }) => ok);
  const minor =
    money?.ok === true && money.value.currency === undefined ? money.value.minor : undefined;
  const isWhole = minor !== undefined && minor % 100 === 0;
  const whole = isWhole ? minor / 100 : /^0+$/u.test(text.trim()) ? 0 : undefined;
  return { text, of: (kind) => (kind === "money" ? minor : whole) };
}

/** Writes a typed amount into a cell of any kind. */
export function writeTyped(
  tools: AmountTools,
  row: AmountRow,
  { cell, typed }: { readonly cell: AmountCell; readonly typed: TypedAmount },
): Changed {
  const { column, kind } = cell;
  const value = typed.of(kind);
  if (value === undefined || typed.text.trim() === "") return [{ column, value: typed.text }];
  return write(tools, row, { column, kind, value });
}

/** Writes the amount of one cell into another one of the same kind. */
export function copyAmount(
  tools: AmountTools,
  row: AmountRow,
  { from, cell }: { readonly from: number; readonly cell: AmountCell },
): Changed {
  const reading = tools.reader.readAt(row.own, from, cell.kind);
  if (!reading.ok)
    return left(labelOf(reading.problem.text.split(".")[0] ?? ""), showText(row, { column: from }));
  return write(tools, row, { column: cell.column, kind: cell.kind, value: reading.value });
}
