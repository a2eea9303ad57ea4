/** Decides one row, as a pure function of the sheet, the store and the ledger. */

import type { Localized } from "@catalog/i18n";

import { guardOf, PRICE_UNIT_CODE, toGarbledIssue } from "../guards/guard-issue.ts";
import type { GuardSettings } from "../guards/guard-settings.ts";
import { guardCost, guardUpdate } from "../guards/price-guards.ts";
import type { KnownCode, ListedProductRow } from "../ports/journal.ts";
import type { Marketplace } from "../ports/marketplace.ts";
import type { ProductChanges, ProductId, ProductUpdate } from "../ports/product.ts";
import {
  GONE,
  isBlocking,
  type RowIssue,
  toIssue,
  toLostZerosText,
  toOvertakenIssue,
} from "../row/issues.ts";
import type {
  ChangedField,
  FieldChange,
  RowDecision,
  CandidateRow,
  PricedValues,
  RunMode,
} from "../row/row-record.ts";
import { basisFor, judgeBasis, overtakenFields, pickEdited } from "./basis.ts";
import {
  AMOUNT_FIELDS,
  compareFields,
  DISCOUNT_FIELDS,
  losesLetters,
  readChoices,
  readImages,
  readPriceTag,
  readShown,
  toAddresses,
} from "./compare.ts";
import { hasLostZeros, type TakenCode, toLookAlikeIssue } from "./look-alikes.ts";
import type { PriceUnit } from "./price-unit.ts";

/** What the store and the ledger know of the row's product. */
export interface Background {
  /** Products that the listing shows under the row's code or id. */
  readonly seen: readonly ListedProductRow[];
  /** The add of any run that holds the code. */
  readonly known: KnownCode | undefined;
  /** Rows of the file with the same code, this one included; empty where there is no other. */
  readonly sameCode: readonly number[];
  /** Codes in use that look like the row's and are not equal to it. @default none */
  readonly lookAlike?: readonly TakenCode[] | undefined;
  readonly lastSent: ProductChanges | undefined;
  readonly priceUnit: PriceUnit;
  readonly mode: RunMode;
  readonly guards: GuardSettings;
  readonly checkUpdate: Marketplace["checkUpdate"];
  /** Fields that updates leave out, because the store was seen to ignore them. @default none */
  readonly refused?: ReadonlySet<string> | undefined;
  /** Names another row for people. @default by its number */
  readonly nameRow?: ((row: number) => string) | undefined;
  /** Names a field of the API for people. @default by its key */
  readonly nameField?: NameField | undefined;
}

/** Names a field of the API for people. */
export type NameField = (field: string) => Localized;

/** Decides one row. */
export function decideRow(given: CandidateRow, background: Background): RowDecision {
  if (given.action === "skip") return decide(given, { state: "skipped" });

  const target = findTarget(given, background);
  const row = keepEdited(applyRules(given, target, background), target, background);
  const issues = [...row.issues, ...duplicateIssues(row, background)];
  if (target.kind === "held") {
    return decide(row, { state: "held", issues: [...issues, target.issue] });
  }
  if (target.kind === "wrong") return refuse(row, [...issues, target.issue], background);
  if (target.kind === "existing") return planUpdate(row, issues, { ...background, ...target });
  return holdRefusedCode(planAdd(row, issues, background), row, background);
}

/** A person may know what the ledger does not and release the row, so it keeps its body. */
function holdRefusedCode(
  added: RowDecision,
  { codeLocation }: CandidateRow,
  { known }: Background,
): RowDecision {
  if (known?.isRefused !== true || added.state !== "ready") return added;
  const issue = toIssue("E_REFUSED_BEFORE", codeLocation, known.runId);
  return { ...added, state: "held", issues: [...added.issues, issue] };
}

/** A row with the values that it has under the shop's price and stock rules. */
interface PricedRow extends CandidateRow, Partial<Pick<PricedValues, "holds" | "cost">> {}

/** A row whose product is not certain keeps the values of its cells. */
function applyRules(
  row: CandidateRow,
  target: Target,
  { lastSent, priceUnit }: Background,
): PricedRow {
  if (row.pricing === undefined || target.kind === "held" || target.kind === "wrong") return row;
  if (target.kind === "new") return withValues(row, row.pricing.apply({}));
  const seen = target.product?.product;
  const { price } = readPriceTag({ seen, lastSent, priceUnit });
  const { productId } = target;
  return withValues(row, row.pricing.apply({ productId, seen, lastSent, price }));
}

const withValues = (row: CandidateRow, { issues, ...values }: PricedValues): PricedRow => ({
  ...row,
  ...values,
  issues: [...row.issues, ...issues],
});

/** A row that was made of a product wants what its person has changed, and may not add one. */
function keepEdited(row: PricedRow, target: Target, background: Background): PricedRow {
  if (row.basis === undefined || target.kind !== "existing") return row;
  const basis = basisFor(row.basis, target.productId);
  if (basis === undefined) return { ...row, basis };
  const { priceUnit, product } = basis;
  const wanted = toWanted(row, {
    ...background,
    lastSent: undefined,
    priceUnit,
    product: { product },
  });
  const changes = pickEdited(row.changes, { basis, wanted, categoryName: row.categoryName });
  return { ...row, changes };
}

type Target =
  | { readonly kind: "new" }
  | {
      readonly kind: "existing";
      readonly productId: ProductId;
      readonly product?: ListedProductRow;
    }
  | { readonly kind: "held"; readonly issue: RowIssue }
  | { readonly kind: "wrong"; readonly issue: RowIssue };

function findTarget(row: CandidateRow, { seen, known }: Background): Target {
  if (row.productId !== null) return findById(row, row.productId, { seen, known });
  const [first, ...others] = seen;
  if (others.length > 0) {
    const ids = seen.map(({ product }) => product.id).join(", ");
    return { kind: "held", issue: toIssue("E_CODE_REMOTE_TWICE", row.codeLocation, ids) };
  }
  if (first !== undefined) {
    return { kind: "existing", productId: first.product.id, product: first };
  }
  // A product that we added, though the listing does not show it (yet).
  if (known?.state === "done" && known.productId !== null) {
    return { kind: "existing", productId: known.productId };
  }
  if (known !== undefined && known.isRefused !== true) {
    return { kind: "held", issue: toIssue("E_ADD_OPEN", row.codeLocation, known.runId) };
  }
  return { kind: "new" };
}

/** A row with a product id means that product, whatever its code says. */
function findById(
  row: CandidateRow,
  productId: ProductId,
  { seen, known }: Pick<Background, "seen" | "known">,
): Target {
  const product = seen.find((each) => each.product.id === productId);
  if (product === undefined) {
    return known?.state === "done" && known.productId === productId
      ? { kind: "existing", productId }
      : { kind: "new" };
  }
  if (row.codeKey === null || product.codeKey === "" || product.codeKey === row.codeKey) {
    return { kind: "existing", productId, product };
  }
  return { kind: "wrong", issue: toMismatchIssue(row, product.product.product_code ?? "") };
}

/** Creates the issue of a row whose product id is that of a product with another code. */
export function toMismatchIssue(
  { code, codeLocation }: Pick<CandidateRow, "code" | "codeLocation">,
  shown: string,
): RowIssue {
  const issue = toIssue("E_ID_CODE_MISMATCH", codeLocation, shown);
  return hasLostZeros(code, shown) ? { ...issue, ...toLostZerosText(code ?? "", shown) } : issue;
}

function planAdd(row: PricedRow, found: readonly RowIssue[], background: Background): RowDecision {
  const mayOnlyUpdate = background.mode === "update" || row.action === "update";
  const isOfStore = row.productId !== null || row.basis !== undefined;
  if (mayOnlyUpdate || isOfStore) return refuseUnknown(row, found, background);
  const completed = row.completeAdd();
  if (!completed.ok) {
    // A doubtful code is reported with everything else that has to be corrected.
    const suspect = row.holdsAdd === undefined ? [] : [row.holdsAdd];
    return refuse(row, [...found, ...completed.issues, ...suspect], background);
  }
  if (found.some(isBlocking)) return refuse(row, found, background);
  const { lookAlike = [] } = background;
  const add = { action: "add", payload: completed.body } as const;
  const { code, codeLocation, holdsAdd } = row;
  const doubts = [
    ...doubtTexts(row, completed.body, background),
    ...guardCost(
      { sent: completed.body, cost: row.cost, priceUnit: background.priceUnit },
      { guards: background.guards, locationOf: (field) => row.locationOf(field) },
    ),
  ];
  if (holdsAdd !== undefined) doubts.push(holdsAdd);
  if (lookAlike.length > 0) {
    doubts.push(toLookAlikeIssue({ code, codeLocation, title: completed.body.title }, lookAlike));
  }
  const state = doubts.length === 0 ? "ready" : "held";
  return decide(row, { state, ...add, issues: [...found, ...doubts] });
}

/** A row that names no product, of which an issue says why, is not reported as unknown as well. */
function refuseUnknown(
  row: CandidateRow,
  found: readonly RowIssue[],
  background: Background,
): RowDecision {
  const name = row.code ?? row.productId;
  if (name === null && found.some(isBlocking)) return refuse(row, found, background);
  const issue = toIssue("E_PRODUCT_UNKNOWN", row.codeLocation, name ?? "");
  return refuse(row, [...found, issue], background);
}

type UpdateBackground = Background & {
  readonly productId: ProductId;
  readonly product?: ListedProductRow;
};

/** A product, and what is known to have been sent for it. */
interface ShownProduct extends Pick<Background, "lastSent" | "priceUnit"> {
  readonly product?: Pick<ListedProductRow, "product">;
}

function planUpdate(
  row: PricedRow,
  found: readonly RowIssue[],
  background: UpdateBackground,
): RowDecision {
  const { productId, product } = background;
  if (background.mode === "add" || row.action === "add") {
    const issues = [...found, toIssue("W_EXISTS", row.codeLocation, productId)];
    if (found.some(isBlocking)) return refuse(row, found, background);
    return decide(row, { state: "skipped", productId, issues });
  }
  const compared = {
    seen: product?.product,
    lastSent: background.lastSent,
    priceUnit: background.priceUnit,
    categoryName: row.categoryName,
  };
  const choices = readChoices({ ...compared, wanted: row.changes });
  if (found.some(isBlocking)) return { ...refuse(row, found, background), choices };

  const { changes: differing, notComparable } = compareFields({
    ...compared,
    wanted: toWanted(row, background),
  });
  const { changes, unsent } = withoutRefused(differing, background.refused);
  const issues = [
    ...found,
    ...noteFields("W_FIELD_REFUSED", row, { ...background, fields: unsent }),
    ...noteFields("W_NOT_COMPARABLE", row, { ...background, fields: notComparable }),
  ];
  if (changes.length === 0) {
    const state = unsent.length === 0 ? "unchanged" : "skipped";
    return decide(row, { state, productId, issues, unsent, choices });
  }
  const fields = Object.fromEntries(changes.map((change) => [change.field, change.new]));
  const checked = background.checkUpdate({ ...fields, product_id: productId });
  if (!checked.ok) {
    const issue = toIssue("E_BODY", row.codeLocation, checked.problems.join("; "));
    return { ...refuse(row, [...issues, issue], background), choices };
  }
  const payload = checked.body;
  const update = { action: "update", productId, payload, changes, unsent, choices } as const;
  const { gone, overtaken } = compareWithBasis(row, update, background);
  const guarded = [
    ...gone,
    ...guardRow(row, payload, background),
    ...doubtUpdate(row, payload, { changes, guards: background.guards }),
    ...stillHeld(row, background),
  ];
  return guarded.length + overtaken.length > 0
    ? decide(row, { state: "held", ...update, overtaken, issues: [...issues, ...guarded] })
    : decide(row, { state: "ready", ...update, issues });
}

/** What has become of the product since the row was made of it. */
interface ChangedSince {
  readonly gone: readonly RowIssue[];
  readonly overtaken: readonly ChangedField[];
}

function compareWithBasis(
  { basis, codeLocation }: CandidateRow,
  { payload, changes }: Pick<RowDecision, "payload" | "changes">,
  { product, priceUnit }: UpdateBackground,
): ChangedSince {
  if (basis === undefined) return { gone: [], overtaken: [] };
  const found = judgeBasis({ basis, payload, changes, now: product?.product, priceUnit });
  return {
    gone: found.kind === "gone" ? [toOvertakenIssue(codeLocation, GONE)] : [],
    overtaken: overtakenFields(found),
  };
}

/** What a row asks for, with what it leaves as it is of fields that are sent as a whole. */
const toWanted = (row: CandidateRow, background: ShownProduct): ProductChanges =>
  withKeptProperties(
    row,
    withKeptImages(row, withEndedSale(row, background), background),
    background,
  );

/** Properties that a row does not name stay, unless its product moves to another category. */
function withKeptProperties(
  { categoryName }: CandidateRow,
  wanted: ProductChanges,
  { product }: ShownProduct,
): ProductChanges {
  const { properties: given } = wanted;
  const { properties: shown, category_name: category } = product?.product ?? {};
  const isMoved = wanted.category_id !== undefined && categoryName !== category;
  if (given === undefined || shown === null || shown === undefined || isMoved) return wanted;
  const named = new Set<string>(given.map(({ property_id: id }) => id));
  const kept = shown.flatMap(({ property_id: property, option_id: option }) => {
    const isKnown = property !== null && property !== undefined && option !== null;
    if (!isKnown || option === undefined || named.has(property)) return [];
    return [{ property_id: property, option_id: option }];
  });
  if (kept.length === 0) return wanted;
  const placeOf = ({ property_id: id }: { readonly property_id: string }): number => {
    const at = shown.findIndex(({ property_id: property }) => property === id);
    return at === -1 ? shown.length : at;
  };
  const all = [...given, ...kept].toSorted((a, b) => placeOf(a) - placeOf(b));
  return { ...wanted, properties: all };
}

/** The images that a row names stand in their places; those that it does not name stay behind. */
function withKeptImages(
  { keepsImages = false }: CandidateRow,
  wanted: ProductChanges,
  { product, lastSent }: ShownProduct,
): ProductChanges {
  const given = toAddresses(wanted);
  const old = readImages({ seen: product?.product, lastSent });
  if (!keepsImages || given === undefined || old === undefined) return wanted;
  const isPart = given.length < old.length && isSubsequence(given, old);
  const rest = old.slice(given.length).filter((image) => !given.includes(image));
  return { ...wanted, images: isPart ? [...old] : [...given, ...rest] };
}

function isSubsequence(part: readonly string[], whole: readonly string[]): boolean {
  let at = 0;
  for (const one of whole) if (one === part[at]) at += 1;
  return at === part.length;
}

/** A discount that somebody else gave since is left, as no file says that it is over. */
function withEndedSale(
  { changes, endsOwnSale = false }: CandidateRow,
  { product, lastSent, priceUnit }: ShownProduct,
): ProductChanges {
  if (!endsOwnSale || product === undefined || lastSent?.has_discount !== true) return changes;
  const shown = readShown(pickDiscount(lastSent), { seen: product.product, priceUnit });
  return shown.every(({ isSame }) => isSame) ? { ...changes, has_discount: false } : changes;
}

const pickDiscount = (sent: ProductChanges): ProductChanges => ({
  has_discount: sent.has_discount,
  discount_type: sent.discount_type,
  discount_value: sent.discount_value,
});

function guardRow(
  row: PricedRow,
  sent: ProductUpdate,
  { product, lastSent, priceUnit, guards }: UpdateBackground,
): readonly RowIssue[] {
  const update = { sent, seen: product?.product, lastSent, priceUnit };
  const options = {
    guards,
    locationOf: (field: "price" | "discount_value" | "stock") => row.locationOf(field),
  };
  const holds = sent.price === undefined ? [] : (row.holds ?? []);
  return [
    ...guardUpdate(update, options),
    ...guardCost({ ...update, cost: row.cost }, options),
    ...holds,
  ];
}

const doubtTexts = (
  { textDoubts = [] }: CandidateRow,
  sent: ProductChanges,
  { guards }: Pick<Background, "guards">,
): readonly RowIssue[] =>
  textDoubts
    .filter(({ field }) => sent[field] !== undefined)
    .map(({ issue }) => issue)
    .filter((issue) => !isAllowed(issue, guards));

/** Texts of an update, which the store's own texts show to have lost letters as well. */
function doubtUpdate(
  row: CandidateRow,
  sent: ProductChanges,
  { changes, guards }: Pick<RowDecision, "changes"> & Pick<Background, "guards">,
): readonly RowIssue[] {
  const doubted = doubtTexts(row, sent, { guards });
  if (doubted.length > 0) return doubted;
  return TEXT_FIELDS.flatMap((field) => {
    const { old, new: text } = changes.find((change) => change.field === field) ?? {};
    if (typeof text !== "string" || typeof old !== "string" || !losesLetters(old, text)) return [];
    return [toGarbledIssue({ text, meant: undefined }, row.locationOf(field))];
  }).filter((issue) => !isAllowed(issue, guards));
}

const TEXT_FIELDS = ["title", "sub_title", "description"] as const;

const isAllowed = (issue: RowIssue, { allowed }: GuardSettings): boolean => {
  const guard = guardOf(issue);
  return guard !== undefined && allowed.has(guard);
};

/** A guard over the whole file needs that file, and a price guard the unit of old prices. */
const stillHeld = (
  { heldBefore = [] }: CandidateRow,
  { priceUnit }: UpdateBackground,
): readonly RowIssue[] =>
  heldBefore
    .filter(({ code }) => code !== PRICE_UNIT_CODE)
    .filter((issue) => guardOf(issue) === "zero-stock" || priceUnit === "unknown");

/** Returns one warning about fields that are not sent; none where all are. */
function noteFields(
  code: "W_FIELD_REFUSED" | "W_NOT_COMPARABLE",
  { codeLocation }: CandidateRow,
  { fields, nameField }: Pick<Background, "nameField"> & { readonly fields: readonly string[] },
): readonly RowIssue[] {
  if (fields.length === 0) return [];
  const names = fields.map((field) => nameField?.(field) ?? { tr: field, en: field });
  const [tr, en] = [names.map((name) => name.tr), names.map((name) => name.en)];
  return [toIssue(code, codeLocation, { tr: tr.join(", "), en: en.join(", ") })];
}

/** Rows of one code that a message names; a code may be on every row of a file. */
const MAX_NAMED = 20;

function duplicateIssues(
  row: CandidateRow,
  { sameCode, nameRow = String }: Background,
): readonly RowIssue[] {
  if (sameCode.length < 2) return [];
  const named = sameCode.slice(0, MAX_NAMED).map((each) => nameRow(each));
  const rows = [...named, ...(sameCode.length > MAX_NAMED ? ["…"] : [])].join(", ");
  return [toIssue("E_CODE_DUPLICATE", row.codeLocation, rows)];
}

/**
 * A row that only its duplicate code keeps from being sent is a duplicate; any other is invalid.
 */
function refuse(
  row: CandidateRow,
  issues: readonly RowIssue[],
  { sameCode }: Background,
): RowDecision {
  const others = issues.filter((issue) => isBlocking(issue) && issue.code !== "E_CODE_DUPLICATE");
  const isDuplicate = sameCode.length > 1 && others.length === 0;
  return decide(row, { state: isDuplicate ? "duplicate" : "invalid", issues });
}

function decide(
  row: CandidateRow,
  decision: Pick<RowDecision, "state"> & Partial<RowDecision>,
): RowDecision {
  return {
    action: null,
    productId: row.productId,
    payload: null,
    changes: [],
    issues: row.issues,
    ...decision,
    row: row.row,
  };
}

/** The fields of a discount are sent or left out together. */
const DISCOUNT: readonly string[] = DISCOUNT_FIELDS;
/** An amount would be taken in the currency that the product has. */
const IN_CURRENCY: readonly string[] = [...AMOUNT_FIELDS, ...DISCOUNT_FIELDS];

const NO_FIELDS: ReadonlySet<string> = new Set();

/** Changes that are sent, and the names of fields that are not. */
interface SendableChanges {
  readonly changes: readonly FieldChange[];
  readonly unsent: readonly string[];
}

/**
 * Leaves out the fields that the store ignores, because sending them would waste a call, and those
 * that must not be sent without them.
 */
function withoutRefused(
  changes: readonly FieldChange[],
  refused: ReadonlySet<string> = NO_FIELDS,
): SendableChanges {
  if (refused.size === 0 || changes.length === 0) return { changes, unsent: [] };
  const left = new Set(refused);
  const keepsCurrency = refused.has("currency") && changes.some(isCurrency);
  if (keepsCurrency) for (const field of IN_CURRENCY) left.add(field);
  if (DISCOUNT.some((field) => left.has(field))) for (const field of DISCOUNT) left.add(field);
  return {
    changes: changes.filter(({ field }) => !left.has(field)),
    unsent: changes.filter(({ field }) => left.has(field)).map(({ field }) => field),
  };
}

const isCurrency = ({ field }: FieldChange): boolean => field === "currency";
