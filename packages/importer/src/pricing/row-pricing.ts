/**
 * Applies the price and stock rules of a shop to the rows of any source: files, drafts, retries and
 * feeds. A value that the rules cannot make for certain is left as the store has it, and said.
 */

import {
  formatDateTime,
  formatMinor,
  formatNumber,
  type Lang,
  type Localized,
} from "@catalog/i18n";
import {
  type ColumnMapping,
  createStoreFold,
  type MappedRow,
  type NumberNotations,
  parseMoney,
  type RowMapper,
  type SourceRow,
} from "@catalog/mapping";
import {
  applyPriceRule,
  applyStockRule,
  createRuleFinder,
  type Fees,
  type FoundRule,
  nameRule,
  type PriceRule,
  type RowFacts,
  type RuleFinder,
  type RuleResult,
} from "@catalog/pricing";
import {
  type CandidateRow,
  type PricedProduct,
  type PricedValues,
  type RowCost,
  type RowIssue,
  type RowPricing,
  RULE_CODE,
} from "@catalog/runs";

import type { PriceRules } from "./price-rules.ts";
import { findRuleColumns, type RuleColumns } from "./rule-columns.ts";
import {
  createTally,
  describeUnmatched,
  headerOf,
  isUnmatched,
  type Tally,
  toCostNotes,
  toLackNotes,
} from "./rule-lacks.ts";

type ProductChanges = CandidateRow["changes"];

interface RowPricerOptions {
  readonly prices: PriceRules;
  /** All columns of the file, also those that are not sent. */
  readonly mapping: ColumnMapping;
  readonly notations: Pick<NumberNotations, "columns" | "decimal">;
  readonly mapper: Pick<RowMapper, "completeAdd">;
  /** Names of the file or feed. */
  readonly suppliers: readonly string[];
  /** Now, in milliseconds since 1970. */
  readonly nowMs: number;
  /**
   * Whether prices and stocks stay as a person has them, so that only costs are compared.
   * @default false
   */
  readonly keepsCells?: boolean | undefined;
}

/** Applies the rules of a shop to the rows of one file. */
export interface RowPricer {
  /** The candidate with its rules; the same one where no rule and no cost concerns the file. */
  price(candidate: CandidateRow, source: SourceRow, mapped: MappedRow): CandidateRow;
  /** What the rules did so far, one line each. */
  notes(): readonly Localized[];
  /**
   * The suppliers of the rules and the names of the source, where the rows had prices and no price
   * rule was for any of them.
   */
  unmatched(): Localized | undefined;
}

/** Creates the pricer of one file. */
export function createRowPricer(options: RowPricerOptions): RowPricer {
  const { prices, mapping, mapper } = options;
  const { rules, costs } = prices;
  const columns = findRuleColumns(mapping);
  const counts = createRuleCounts();
  if (rules.length === 0 && costs.size === 0 && columns.cost === undefined) {
    return { price: (candidate) => candidate, notes: () => [], unmatched: () => undefined };
  }
  const sources = new Set(rules.map(({ source }) => columns.find(source)));
  const shop: Shop = {
    ...options,
    columns,
    sources: [...sources].filter((index) => index !== undefined),
    findRule: createRuleFinder(rules),
    tally: createTally(),
  };
  const { fold } = createStoreFold(mapping.columns);
  const needsCategory = rules.some(({ category }) => category !== undefined);
  return {
    price(candidate, source, mapped) {
      const cells = readCells(shop, candidate, fold(source));
      const row = { candidate, mapped, cells };
      noteNew(shop, row);
      const apply = (product: PricedProduct): PricedValues => {
        const made = applyRules(shop, row, product);
        for (const name of made.used) counts.note(name, candidate.row);
        const { changes, issues, holds, cost } = made;
        const given = changes.price === undefined ? mapped.given : [...mapped.given, PRICE];
        const completeAdd = (): ReturnType<CandidateRow["completeAdd"]> =>
          mapper.completeAdd({ ...mapped, changes, given });
        return { changes, issues, holds, cost, completeAdd };
      };
      const pricing: RowPricing = { inputs: cells.inputs, needsCategory, apply };
      return { ...candidate, pricing };
    },
    notes: () => [...toNotes(shop, counts.list()), ...toLackNotes(shop), ...toCostNotes(shop)],
    unmatched: () =>
      shop.keepsCells !== true && isUnmatched(shop) ? describeUnmatched(shop) : undefined,
  };
}

/** Products that the store does not have are priced later, in their draft. */
function noteNew(shop: Shop, row: ShopRow): void {
  const { tally } = shop;
  if (shop.keepsCells === true || paidOf(row.candidate.changes) === undefined) return;
  tally.priced += 1;
  if (row.cells.cost === "missing" && row.candidate.row > tally.lastRow) {
    tally.costless += 1;
    tally.lastRow = row.candidate.row;
  }
  if (tally.found > 0 || tally.holdsForNew === true) return;
  const found = shop.findRule("price", toFacts(shop, row, {}));
  if (found !== undefined) tally.holdsForNew = found.kind === "rule" ? true : "unknown";
}

const PRICE = "price" as const;

interface RuleCounts {
  note(name: string, row: number): void;
  /** Rows by rule. */
  list(): ReadonlyMap<string, number>;
}

/** A feed decides a batch of rows twice, in the same order, so that a later row is a new one. */
function createRuleCounts(): RuleCounts {
  const counts = new Map<string, { rows: number; last: number }>();
  return {
    note(name, row) {
      const { rows, last } = counts.get(name) ?? { rows: 0, last: 0 };
      if (row > last) counts.set(name, { rows: rows + 1, last: row });
    },
    list: () => new Map([...counts].map(([name, { rows }]) => [name, rows])),
  };
}

interface Shop extends RowPricerOptions {
  readonly columns: RuleColumns;
  /** Indexes of the columns that are sources of rules. */
  readonly sources: readonly number[];
  readonly findRule: RuleFinder;
  readonly tally: Tally;
}

/** An amount of a cell, with the currency that stands beside it. */
interface CellAmount {
  readonly minor: number;
  readonly currency: string | undefined;
}

type Reading = CellAmount | "missing" | "unclear";

interface RuleCells {
  readonly inputs: readonly unknown[];
  readonly cost: Reading;
  readonly amountOf: (index: number) => Reading;
  readonly categories: readonly string[];
  readonly brands: readonly string[];
  readonly suppliers: readonly string[];
}

function readCells(shop: Shop, { codeKey }: CandidateRow, source: SourceRow): RuleCells {
  const { columns, prices, suppliers } = shop;
  const valueAt = (index: number): SourceRow["cells"][number] =>
    source.joined?.cells?.[index]?.value ?? source.cells[index] ?? null;
  const textsOf = (indexes: readonly number[]): readonly string[] =>
    indexes.map((index) => String(valueAt(index) ?? "").trim()).filter((text) => text !== "");
  const amounts = new Map<number, Reading>();
  const amountOf = (index: number): Reading => {
    const known = amounts.get(index);
    if (known !== undefined) return known;
    const isError = source.traits?.[index] === "error";
    const read = isError ? "unclear" : readAmount(shop, index, valueAt(index));
    amounts.set(index, read);
    return read;
  };
  const ofSheet = prices.costs.get(codeKey ?? "");
  const ofCell =
    columns.cost === undefined
      ? "missing"
      : columns.cost === "several"
        ? "unclear"
        : amountOf(columns.cost);
  const cost =
    ofCell === "missing" && ofSheet !== undefined ? { minor: ofSheet, currency: "TL" } : ofCell;
  const given = textsOf(columns.supplier);
  const [categories, brands] = [textsOf(columns.category), textsOf(columns.brand)];
  return {
    inputs: [cost, ...shop.sources.map(valueAt), ...categories, ...brands, ...given],
    cost,
    amountOf,
    categories,
    brands,
    suppliers: [...suppliers, ...given],
  };
}

const NO_AMOUNT = /^[-–—−\s]*$|^0+(?:[.,]0+)?$/u;

function readAmount(
  { notations, columns }: Shop,
  index: number,
  value: SourceRow["cells"][number],
): Reading {
  if (value === null || NO_AMOUNT.test(String(value))) return "missing";
  // A column of no field is written like that of the prices.
  const known = notations.columns.get(index) ?? notations.columns.get(columns.price ?? -1);
  const read = parseMoney(value, known);
  return read.ok ? read.value : "unclear";
}

interface ShopRow {
  readonly candidate: CandidateRow;
  readonly mapped: MappedRow;
  readonly cells: RuleCells;
}

interface MadeValues extends Omit<PricedValues, "completeAdd"> {
  /** Names of the rules that were used. */
  readonly used: readonly string[];
}

type Changes = { -readonly [Field in keyof ProductChanges]: ProductChanges[Field] };

/** What a rule makes, or why nobody can say what it makes. */
interface Work {
  readonly changes: Changes;
  readonly issues: RowIssue[];
  readonly holds: RowIssue[];
  readonly used: string[];
}

function applyRules(shop: Shop, row: ShopRow, product: PricedProduct): MadeValues {
  const { candidate } = row;
  const work: Work = { changes: { ...candidate.changes }, issues: [], holds: [], used: [] };
  const facts = toFacts(shop, row, product);
  const fees = findFees(shop, facts);
  if (shop.keepsCells !== true) {
    makePrice(shop, { row, product, facts, fees, work });
    makeStock(shop, { row, product, facts, work });
  }
  return { ...work, cost: toCost(row, fees) };
}

interface ShopFacts extends RowFacts {
  readonly currencyOf: (source: string) => string | undefined;
}

function toFacts(
  shop: Shop,
  { candidate: { changes }, mapped, cells }: ShopRow,
  { productId, seen, lastSent, price }: PricedProduct,
): ShopFacts {
  const { columns, prices } = shop;
  // Without a price and without its source the row asks nothing of a rule; a price must not be sent
  // as it is because its rule lacks the source.
  const givesPrice = !columns.isExport && (columns.price ?? paidOf(changes)) !== undefined;
  const read = (source: string): Reading | "absent" => {
    if (lacksSource(shop, source)) return givesPrice ? "missing" : "absent";
    if (source === "cost") return cells.cost;
    const index = columns.find(source);
    return index === undefined ? "missing" : cells.amountOf(index);
  };
  const sent = lastSent?.category_id;
  const ours = sent === undefined ? undefined : prices.nameCategory(sent);
  const base = productId === undefined ? undefined : prices.bases.read(productId, price);
  return {
    categories: [...cells.categories, mapped.names.category ?? ours].filter(isText),
    brands: [...cells.brands, mapped.names.brand ?? seen?.brand_name].filter(isText),
    suppliers: cells.suppliers,
    currencyOf(source) {
      const amount = read(source);
      return typeof amount === "object" ? amount.currency : undefined;
    },
    amountOf(source) {
      if (source === "price") return columns.isExport ? "absent" : (paidOf(changes) ?? "absent");
      if (source === "store") {
        if (productId === undefined) return "absent";
        return price === undefined ? "missing" : (base?.price ?? price);
      }
      const amount = read(source);
      if (typeof amount === "object") return amount.minor;
      return amount === "absent" ? "absent" : "missing";
    },
  };
}

/** Whether the file and the store have nothing at all that the source could be. */
const lacksSource = ({ columns, prices }: Shop, source: string): boolean =>
  source === "cost"
    ? columns.cost === undefined && prices.costs.size === 0
    : columns.find(source) === undefined;

const isText = (text: string | null | undefined): text is string =>
  text !== undefined && text !== null && text !== "";

/** What the buyer would pay by the file; a rate leaves the price as the measure. */
const paidOf = (changes: ProductChanges): number | undefined => moneyPaid(changes) ?? changes.price;

/** Creates the search for the cost of a product by its code, which belongs to no file. */
export function createCostOf({
  costs,
  rules,
}: Pick<PriceRules, "costs" | "rules">): (codeKey: string | null) => RowCost | undefined {
  const nothing = { categories: [], brands: [], suppliers: [] };
  const shop = { prices: { rules }, findRule: createRuleFinder(rules) };
  const fees = findFees(shop, { ...nothing, amountOf: () => "missing" });
  return (codeKey) => {
    const cost = costs.get(codeKey ?? "");
    return cost === undefined ? undefined : { ...fees, cost, currency: "TL" };
  };
}

interface RowFees extends Fees {
  /** Whether the fees are the highest that may hold, as the row's own are not known. */
  readonly isHighest?: boolean;
}

interface FeeRules extends Pick<Shop, "findRule"> {
  readonly prices: Pick<PriceRules, "rules">;
}

function findFees({ findRule, prices: { rules } }: FeeRules, facts: RowFacts): RowFees {
  const found = findRule("fees", facts);
  if (found === undefined) return {};
  if (found.kind === "rule") return pickFees(found.rule);
  const highest = (key: "commission" | "vat"): string | undefined =>
    rules
      .map((rule) => rule[key])
      .filter((value) => value !== undefined)
      .toSorted((one, other) => Number(other) - Number(one))[0];
  return { commission: highest("commission"), vat: highest("vat"), isHighest: true };
}

const pickFees = ({ commission, vat }: PriceRule): Fees => ({ commission, vat });

interface RuleInputs {
  readonly row: ShopRow;
  readonly product: PricedProduct;
  readonly facts: ShopFacts;
  readonly fees: RowFees;
  readonly work: Work;
}

function makePrice(shop: Shop, inputs: RuleInputs): void {
  const { row, product, facts, work } = inputs;
  const { tally } = shop;
  const found = shop.findRule("price", facts);
  if (found === undefined) {
    tally.raw += Number(paidOf(row.candidate.changes) !== undefined);
    return;
  }
  tally.found += 1;
  const made =
    found.kind === "unknown"
      ? describeUnknown(shop, found, product)
      : makeBy(shop, inputs, found.rule);
  if (made === undefined) return;
  if ("tr" in made) leavePrice(inputs, nameRule(found.rule), made);
  else {
    Object.assign(work.changes, made.values);
    work.used.push(nameRule(found.rule));
    work.issues.push(toNote(row.candidate, "price", made.text));
  }
}

interface MadePrice {
  readonly values: Changes;
  readonly text: Localized;
}

/** `undefined` where the rule does not concern the row. */
function makeBy(
  shop: Shop,
  inputs: RuleInputs,
  rule: PriceRule,
): MadePrice | Localized | undefined {
  const { row, facts, fees } = inputs;
  const { changes } = row.candidate;
  const source = facts.amountOf(rule.source);
  if (typeof source !== "number") return undefined;
  if (rule.margin !== undefined && fees.isHighest === true) return UNKNOWN_FEES;
  const stated = rule.source === "price" ? changes.currency : facts.currencyOf(rule.source);
  const currency = toCurrency(rule, stated);
  if (typeof currency === "object") return currency;
  const of = (minor: number): RuleResult | undefined => applyPriceRule(rule, minor, fees);
  const made = of(source);
  if (made === undefined) return NO_PRICE;
  const values =
    rule.source === "price" ? makeDiscounted(changes, of) : takePrice(changes, made.value);
  if (isReason(values)) return values;
  if (rule.source === "store") keepBase(shop, inputs, { rule, made: made.value });
  return {
    values: currency === undefined ? values : { ...values, currency },
    text: made.text,
  };
}

/** The currency of the result; `undefined` where nothing states it, a text where the rule is of another. */
function toCurrency(
  { currency }: PriceRule,
  stated: string | undefined,
): ProductChanges["currency"] | Localized {
  if (currency !== undefined && stated !== undefined && stated !== currency) {
    return {
      tr: `kural ${currency} içindir, tutar ${stated}`,
      en: `the rule is for ${currency}, and the amount is in ${stated}`,
    };
  }
  if (currency !== undefined) return "TL";
  return stated === "TL" || stated === "USD" || stated === "EUR" ? stated : undefined;
}

const isReason = (made: Changes | Localized): made is Localized => "tr" in made;

const toMinor = (value: number): ProductChanges["price"] =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- rules make whole minor units
  value as ProductChanges["price"];

/** A rule on the file's price makes the price before and after its discount. */
function makeDiscounted(
  changes: ProductChanges,
  of: (minor: number) => { readonly value: number } | undefined,
): Changes | Localized {
  const { price, discount_type: type } = changes;
  const made: { readonly value?: number } | undefined = price === undefined ? {} : of(price);
  if (made === undefined) return NO_PRICE;
  const next = made.value;
  const values: Changes = next === undefined ? {} : { price: toMinor(next) };
  const paid = moneyPaid(changes);
  // Without its price an amount that is taken off is one of the store's own price.
  if (paid === undefined) return values;
  const paidNext = (paid <= 0 ? undefined : of(paid))?.value;
  if (paidNext === undefined || paidNext >= (next ?? Infinity)) return NO_DISCOUNT;
  return { ...values, discount_value: type === 3 ? paidNext : (next ?? 0) - paidNext };
}

/** The amount after a discount that is stated in money. */
function moneyPaid({
  price,
  has_discount: isReduced,
  discount_type: type,
  discount_value: value,
}: ProductChanges): number | undefined {
  if (isReduced !== true || value === undefined || type === 2) return undefined;
  if (type === 3) return value;
  return price === undefined ? undefined : price - value;
}

/** A price of another source has nothing to do with a discount in money that the file states. */
function takePrice(changes: ProductChanges, value: number): Changes | Localized {
  const isMoney = changes.has_discount === true && changes.discount_type !== 2;
  return isMoney ? OTHER_DISCOUNT : { price: toMinor(value) };
}

const NO_PRICE: Localized = {
  tr: "kuralın sonucu sıfırdan büyük bir fiyat değil",
  en: "the rule makes no price above zero",
};
const NO_DISCOUNT: Localized = {
  tr: "kuraldan sonra indirimli fiyat fiyatın altında kalmıyor",
  en: "under the rule the discounted price is not below the price",
};
const OTHER_DISCOUNT: Localized = {
  tr: "dosyadaki indirim tutarı kuralın fiyatına göre değil",
  en: "the discount of the file is no part of the rule's price",
};
const UNKNOWN_FEES: Localized = {
  tr: "komisyonu belirleyen kategori bilinmiyor",
  en: "the category that decides the commission is not known",
};

function describeUnknown(
  shop: Shop,
  { rule, what }: Extract<FoundRule, { kind: "unknown" }>,
  { seen }: PricedProduct,
): Localized {
  if (what === "amount") {
    const header = headerOf(rule);
    const isColumn = rule.source.startsWith("column:");
    if ((isColumn || rule.source === "cost") && lacksSource(shop, rule.source)) {
      shop.tally.lacking.set(rule.number, rule);
    }
    if (isColumn && lacksSource(shop, rule.source)) {
      return {
        tr: `dosyada “${header}” sütunu yok`,
        en: `the file has no column “${header}”`,
      };
    }
    const source = {
      cost: { tr: "ürünün maliyeti bilinmiyor", en: "the cost of the product is not known" },
      store: { tr: "mağazadaki fiyat bilinmiyor", en: "the store's price is not known" },
    };
    if (rule.source === "cost" || rule.source === "store") return source[rule.source];
    const tr = `“${header}” hücresinde okunabilen bir tutar yok`;
    return { tr, en: `the cell of “${header}” holds no amount that can be read` };
  }
  if (what === "brand") {
    return { tr: "ürünün markası bilinmiyor", en: "the brand of the product is not known" };
  }
  const name = seen?.category_name;
  const tr = "ürünün kategorisi bilinmiyor";
  const en = "the category of the product is not known";
  if (!isText(name)) return { tr, en };
  return {
    tr: `${tr} (mağaza yalnızca adını gösteriyor: “${name}”)`,
    en: `${en} (the store shows its name only: “${name}”)`,
  };
}

const PRICE_FIELDS = [
  "price",
  "currency",
  "has_discount",
  "discount_type",
  "discount_value",
] as const;

/** A product of the store keeps its price; a new one cannot do without. */
function leavePrice({ row, product, work }: RuleInputs, rule: string, why: Localized): void {
  for (const field of PRICE_FIELDS) Reflect.deleteProperty(work.changes, field);
  work.issues.push(toLeft(row.candidate, { rule, why, field: "price", isNew: isUnseen(product) }));
}

const isUnseen = ({ productId }: PricedProduct): boolean => productId === undefined;

interface BaseUse {
  readonly rule: PriceRule;
  readonly made: number;
}

/** Prices of a product that are remembered as made by rules. */
const MAX_MADE = 20;

/**
 * Remembers the store's price from which a rule begins, so that the rule is not applied to its own
 * result. Another price in the store is that of a person or a program, and is not replaced unasked.
 */
function keepBase(
  { prices: { bases }, nowMs }: Shop,
  { row, product, work }: RuleInputs,
  { rule, made }: BaseUse,
): void {
  const { productId, price } = product;
  if (productId === undefined || price === undefined) return;
  const base = bases.read(productId, price);
  if (base === undefined) {
    bases.note({ productId, price, atMs: nowMs, made: [made] });
    return;
  }
  if (!base.made.includes(made)) {
    bases.note({ ...base, made: [made, ...base.made].slice(0, MAX_MADE) });
  }
  if (price === base.price || base.made.includes(price)) return;
  const day = (lang: Lang): string => formatDateTime(base.atMs, lang, { dateStyle: "short" });
  work.holds.push({
    code: "E_PRICE_BASE",
    ...row.candidate.locationOf("price"),
    message: {
      tr: `${nameRule(rule)} ${day("tr")} tarihindeki ${formatMinor(base.price, "tr")} fiyatına uygulanıyor, ama mağazadaki fiyat o zamandan beri başkası tarafından değiştirilmiş: ${formatMinor(price, "tr")}. Satır bekletildi.`,
      en: `${nameRule(rule)} is applied to the price of ${day("en")}, ${formatMinor(base.price, "en")}, but somebody else has changed the store's price since: ${formatMinor(price, "en")}. The row is held.`,
    },
    suggestion: {
      tr: "Kural mağazanın yeni fiyatına uygulanacaksa: catalog rules price rebase. Eski fiyata göre gönderilecekse satırı serbest bırakın: catalog release <çalıştırma>",
      en: "If the rule is to begin from the store's new price: catalog rules price rebase. If the price of the old base is right, release the row: catalog release <run>",
    },
  });
}

function makeStock(shop: Shop, { row, product, facts, work }: Omit<RuleInputs, "fees">): void {
  const { candidate } = row;
  const stock = candidate.changes.stock_count;
  const found = stock === undefined ? undefined : shop.findRule("stock", facts);
  if (stock === undefined || found === undefined) return;
  const rule = nameRule(found.rule);
  if (found.kind === "unknown") {
    const why = describeUnknown(shop, found, product);
    delete work.changes.stock_count;
    work.issues.push(toLeft(candidate, { rule, why, field: "stock", isNew: isUnseen(product) }));
    return;
  }
  const made = applyStockRule(found.rule, stock);
  work.changes.stock_count = made.value;
  work.used.push(rule);
  if (made.value !== stock) work.issues.push(toNote(candidate, "stock", made.text));
}

const toNote = (
  candidate: CandidateRow,
  field: "price" | "stock",
  message: Localized,
): RowIssue => ({ code: RULE_CODE, ...candidate.locationOf(field), message });

interface LeftValue {
  readonly rule: string;
  readonly why: Localized;
  readonly field: "price" | "stock";
  readonly isNew: boolean;
}

function toLeft(candidate: CandidateRow, { rule, why, field, isNew }: LeftValue): RowIssue {
  const [tr, en] = field === "price" ? ["fiyat", "price"] : ["stok", "stock"];
  const place = candidate.locationOf(field);
  const suggestion = {
    tr: "Dosyaya eksik bilgiyi (kategori, marka, kaynak sütun, maliyet) ekleyin ya da kuralı değiştirin: catalog rules price",
    en: "Add what is missing (category, brand, source column, cost) to the file, or change the rule: catalog rules price",
  };
  return isNew
    ? {
        code: "E_PRICE_RULE",
        ...place,
        message: {
          tr: `${rule} uygulanamadı, yeni ürünün ${tr} değeri belli değil: ${why.tr}.`,
          en: `${rule} could not be applied, so the ${en} of the new product is not certain: ${why.en}.`,
        },
        suggestion,
      }
    : {
        code: "W_PRICE_RULE_LEFT",
        ...place,
        message: {
          tr: `${rule} uygulanamadı, ${tr} mağazada olduğu gibi bırakıldı: ${why.tr}.`,
          en: `${rule} could not be applied, so the ${en} is left as the store has it: ${why.en}.`,
        },
        suggestion,
      };
}

function toCost({ candidate, cells }: ShopRow, fees: RowFees): RowCost | undefined {
  const { cost } = cells;
  const { commission, vat } = fees;
  if (cost === "missing") return undefined;
  const known = { commission, vat, isHighest: fees.isHighest === true };
  if (cost === "unclear") return { ...known, cost: undefined, currency: "" };
  const currency = cost.currency ?? candidate.changes.currency ?? "TL";
  return { ...known, cost: cost.minor, currency };
}

function toNotes(
  { prices, columns }: Shop,
  counts: ReadonlyMap<string, number>,
): readonly Localized[] {
  const { version, savedAtMs, rules } = prices;
  if (rules.length === 0) return [];
  const list = (lang: Lang): string =>
    [...counts].map(([name, rows]) => `${name}: ${formatNumber(rows, lang)}`).join(", ");
  const day = (lang: Lang): string => formatDateTime(savedAtMs, lang, { dateStyle: "short" });
  const none = { tr: "hiçbir satıra uymadı", en: "none of them fits a row" };
  const used: Localized = {
    tr: `Fiyat kuralları (sürüm ${version}, ${day("tr")}): ${counts.size === 0 ? none.tr : list("tr")}`,
    en: `Price rules (version ${version}, ${day("en")}): ${counts.size === 0 ? none.en : list("en")}`,
  };
  if (!columns.isExport) return [used];
  return [
    used,
    {
      tr: "Dosya bu programın dışa aktarımı: fiyatları mağazanın kendi fiyatı olduğundan dosyadaki fiyata kural uygulanmadı.",
      en: "This program has exported the file: its prices are the store's own, so no rule was applied to the file's price.",
    },
  ];
}
