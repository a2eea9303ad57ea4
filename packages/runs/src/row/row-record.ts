/**
 * A row on its way: as in the sheet, as decided by a plan, as the journal keeps it, and what
 * becomes of its request.
 */

import type { SaleCost } from "@catalog/pricing";

import type { ActionCall } from "../ports/action.ts";
import type {
  ProductAdd,
  ProductId,
  ProductUpdate,
  ProductChanges,
  StoreProduct,
} from "../ports/product.ts";
import type { RowIssue, IssueLocation } from "./issues.ts";
import type { Cause, ProductAction, RowState, WriteAction } from "./row-state.ts";

/** What a reader knows of a cell beyond its value. */
export type CellTrait = "date" | "error" | "formula";

/** Value of a cell; `null` is an empty cell. */
export type CellValue = string | number | boolean | null;

/** A row as in the sheet. */
export interface SourceRow {
  /** Row number as the spreadsheet program shows it. */
  readonly row: number;
  readonly cells: readonly CellValue[];
  /** What the reader knows of a cell beyond its value, by column index. */
  readonly traits?: Readonly<Record<number, CellTrait>> | undefined;
  /** Number formats of cells that are not text, as Excel stores them, by column index. */
  readonly formats?: Readonly<Record<number, string>> | undefined;
  /** XML and JSON only: the line of the file on which the record begins, from 1. */
  readonly line?: number | undefined;
  /** What the row takes from other rows of its product. @default nothing */
  readonly joined?: JoinedCells | undefined;
}

/** What a row takes from other rows of its product, as the mapping package found it. */
interface JoinedCells {
  readonly role: "product" | "variant" | "parent" | "image" | "lost";
  /** By column index; they stand in place of the row's own cells. */
  readonly cells?: Readonly<Record<number, JoinedCell>>;
  /** All images of the row in their order, its own ones included. */
  readonly images?: readonly JoinedImage[];
  readonly reason?: "missing" | "apart" | "ambiguous" | "broken" | "many";
  /** The first row of the product; of a lost row the one that may be it. */
  readonly parentRow?: number;
}

/** A cell of another row. */
interface JoinedCell {
  readonly row: number;
  readonly value: CellValue;
  readonly trait?: CellTrait | undefined;
  readonly format?: string | undefined;
}

/** A cell with images. */
interface JoinedImage {
  readonly row: number;
  readonly index: number;
  readonly value: CellValue;
}

/** The product code of a row. */
export interface RowCode {
  readonly row: number;
  /** The code as in the sheet. */
  readonly code: string | null;
  /** The folded code: rows with the same key are for the same product. */
  readonly codeKey: string | null;
}

/** A row that is to be appended to the journal, with its product code. */
export interface ParsedRow extends SourceRow, RowCode {}

/** A product code that occurs on several rows of one file. */
export interface DuplicateCode {
  /** In the order of the sheet. */
  readonly rows: readonly number[];
  /**
   * All its rows have the same cells and number formats and take the same from other rows, so that
   * one can stand for all.
   */
  readonly identical: boolean;
}

/** Body of the request that a row sends. */
export type Payload = ProductAdd | ProductUpdate;

/** One field of an update: the listed value, and the value that will be sent. */
export interface FieldChange {
  readonly field: string;
  /** `undefined` when the listing does not show the field. */
  readonly old?: unknown;
  readonly new: unknown;
  /** Whether `new` is what earlier actions of the kind have made of `old`. @default false */
  readonly isAssumed?: boolean | undefined;
  /**
   * Of an update that goes in two requests: whether the field waits for the second one, or was sent
   * with the first. @default it is sent with the next request
   */
  readonly part?: "waiting" | "sent" | undefined;
}

/** A field that has another value than in the plan, or than in the basis of its row, in the terms of the add call. */
export interface ChangedField {
  readonly field: string;
  /** The value when the row was planned or last released, or that of its basis. */
  readonly old: unknown;
  /** The value that the store shows now. */
  readonly now: unknown;
  /** The value that the row would write. */
  readonly new: unknown;
}

/** The product that a row was made of, as its person has seen it. */
export interface RowBasis {
  readonly product: StoreProduct;
  /** Unit in which the prices were shown. */
  readonly priceUnit: "minor" | "major" | "unknown";
  /** What earlier runs have sent for the row. @default nothing */
  readonly sent?: ProductChanges | undefined;
  /** The only fields that the row may write. @default those that differ from the product */
  readonly fields?: readonly string[] | undefined;
  /**
   * Fields whose cells nobody has edited. Reading a text may clean it, so that it differs from the
   * product without being an edit. @default edits are told by the values alone
   */
  readonly untouched?: readonly string[] | undefined;
}

/** A value from a short list, which many products share, such as a discount or a brand. */
export interface Choice {
  readonly field:
    | "category_id"
    | "brand_id"
    | "discount_value"
    | "warranty_type"
    | "warranty_period"
    | "shipping_template_id"
    | "properties"
    | "images";
  /** The field, and which property or image it is. */
  readonly key: string;
  /** The column of the sheet, where it is not that of the field. */
  readonly column?: `image_${2 | 3 | 4 | 5 | 6 | 7 | 8}` | undefined;
  /** As the store shows it; `undefined` where it does not. */
  readonly old: string | undefined;
  /** As the row names it; `undefined` where it leaves it as it is. */
  readonly new: string | undefined;
}

/** What the plan decided for a row. */
export interface RowDecision {
  readonly row: number;
  readonly state: Exclude<
    RowState,
    "parsed" | "sending" | "ambiguous" | "done" | "rejected" | "cancelled"
  >;
  readonly action: WriteAction | null;
  readonly productId: ProductId | null;
  readonly payload: Payload | null;
  /** Body of an action. @default the row is about a product */
  readonly call?: ActionCall | undefined;
  readonly changes: readonly FieldChange[];
  readonly issues: readonly RowIssue[];
  /**
   * Fields that differ and that updates leave out; reported in `issues`, and not stored. @default
   * none
   */
  readonly unsent?: readonly string[];
  /** Values from short lists, also those that stay, for the guards over all rows; not stored. */
  readonly choices?: readonly Choice[];
  /**
   * Fields that were changed in the store since the basis of the row; reported in `issues` by the
   * plan, and not stored. @default none
   */
  readonly overtaken?: readonly ChangedField[];
}

/** A row of a run, or of another run of the same store. */
export interface RowKey {
  readonly runId: string;
  /** Row number as the spreadsheet program shows it. */
  readonly row: number;
}

/** A row with its values, decision and state. */
export interface RowRecord extends ParsedRow {
  readonly state: RowState;
  readonly action: WriteAction | null;
  readonly productId: ProductId | null;
  /** Body of an add or an update. */
  readonly payload: Payload | null;
  /** Body of an action. @default the row is about a product */
  readonly call?: ActionCall | undefined;
  readonly changes: readonly FieldChange[];
  readonly issues: readonly RowIssue[];
  /** Requests that were started for the row, including those that proved unsent. */
  readonly attempts: number;
  /** The marketplace's text, or the reason for the state, where there is one. */
  readonly note: string | null;
  readonly updatedAtMs: number;
}

/** A row that is about to be sent. */
export interface StartOfSend extends RowKey {
  readonly evidence?: Readonly<Record<string, unknown>> | undefined;
}

/** A row that this process has moved to `sending`, and the number of that attempt. */
export interface Claim extends RowKey {
  /** Counted from 1. */
  readonly attempt: number;
}

/** A row, and its attempt where that matters. */
export interface AttemptedRow extends RowKey {
  /** Counted from 1. @default the latest */
  readonly attempt?: number | undefined;
}

/** The outcome of a row's request, or a move that no request caused. */
export interface RowOutcome {
  readonly to: RowState;
  /** The rule that decided, for the evidence: `answer`, `unsent`, `lookup`, `recovery`, … */
  readonly cause: Cause;
  /** @default unchanged */
  readonly productId?: ProductId | undefined;
  /** @default unchanged */
  readonly note?: string | undefined;
  /** @default unchanged */
  readonly issues?: readonly RowIssue[] | undefined;
  /** Changes of the row against what the store shows now. @default unchanged */
  readonly changes?: readonly FieldChange[] | undefined;
  /** The request may have left a product, so its code stays taken. @default false */
  readonly keepsCode?: boolean | undefined;
  /** Wire phase, status of the answer and whatever else explains the decision. */
  readonly evidence?: Readonly<Record<string, unknown>> | undefined;
}

/** One move of a row, or one lookup, which moves nothing. */
export interface RowEvent extends RowKey {
  /** Later events have higher numbers. */
  readonly seq: number;
  readonly from: RowState;
  readonly to: RowState;
  /** The rule that decided. */
  readonly cause: string;
  /** What the rule used: wire phase, status, start of the answer, ids found, server time. */
  readonly evidence: Readonly<Record<string, unknown>>;
  readonly atMs: number;
}

/** Releases that the engine makes by itself, which say nothing about what a person has seen. */
const ENGINE_RELEASES: ReadonlySet<string> = new Set<Cause>(["price-unit", "stock-first"]);

/** Says whether a person released a held row with this move. */
export const isManualRelease = ({ from, to, cause }: RowEvent): boolean =>
  from === "held" && to === "ready" && !ENGINE_RELEASES.has(cause);

/** Which actions a run allows. */
export type RunMode = "upsert" | "add" | "update";

/** Columns of a sheet whose cells a guard names. */
export type GuardedColumn =
  | "price"
  | "discount_value"
  | "stock"
  | "title"
  | "sub_title"
  | "description"
  | "brand"
  | "category"
  | `image_${1 | 2 | 3 | 4 | 5 | 6 | 7 | 8}`
  | "warranty_type"
  | "warranty_period"
  | "shipping_template"
  | "product_code";

/** A row whose cells have been turned into values. */
export interface CandidateRow {
  readonly row: number;
  readonly code: string | null;
  readonly codeKey: string | null;
  readonly productId: ProductId | null;
  /** The row's own action; `auto` adds what the store does not have and updates the rest. */
  readonly action: "auto" | ProductAction | "skip";
  readonly changes: ProductChanges;
  /**
   * Whether images of the product stay that the row does not name.
   *
   * @default false
   */
  readonly keepsImages?: boolean | undefined;
  /**
   * Whether the row says that there is no reduced price, which ends a discount that we gave.
   *
   * @default false
   */
  readonly endsOwnSale?: boolean | undefined;
  readonly categoryName: string | undefined;
  /** The product that the row was made of. @default the row was made of none, and wants all it has */
  readonly basis?: RowBasis | undefined;
  /** The shop's price and stock rules for the row. @default its values are sent as they are */
  readonly pricing?: RowPricing | undefined;
  readonly issues: readonly RowIssue[];
  /**
   * Issues of guards that held the same row in an earlier run, for guards that cannot run again.
   */
  readonly heldBefore?: readonly RowIssue[] | undefined;
  /** Issues that hold the row where it would send the text of a field. @default none */
  readonly textDoubts?: readonly TextDoubt[] | undefined;
  /** Issue that holds the row where it would add a product. @default none */
  readonly holdsAdd?: RowIssue | undefined;
  /** Returns the whole body of an add, or the issues about what it lacks. */
  completeAdd(): CompletedAdd;
  /** The cell that issues of the product code refer to. */
  readonly codeLocation: IssueLocation;
  /** The cell that issues of a value refer to; the code's cell where the row has no such cell. */
  locationOf(field: GuardedColumn): IssueLocation;
}

/** What the shop's price and stock rules make of a row, once its product is known. */
export interface RowPricing {
  /** What the rules use besides the row's changes; rows that differ in it differ. */
  readonly inputs: unknown;
  /** Whether a rule depends on the product's category, which only our last request may know. */
  readonly needsCategory: boolean;
  apply(product: PricedProduct): PricedValues;
}

/** What is known of the product of a row; nothing of a new one. */
export interface PricedProduct {
  readonly productId?: ProductId | undefined;
  readonly seen?: StoreProduct | undefined;
  readonly lastSent?: ProductChanges | undefined;
  /** In minor units, as far as the store shows it in a known unit. */
  readonly price?: number | undefined;
}

/** The values of a row under the rules. */
export interface PricedValues extends Pick<CandidateRow, "changes" | "completeAdd"> {
  /** What the rules did, or why the row is refused. */
  readonly issues: readonly RowIssue[];
  /** Why an update of the price waits for a person. */
  readonly holds: readonly RowIssue[];
  /** What the product costs; `undefined` where that is not known. */
  readonly cost: RowCost | undefined;
}

/** What the product of a row costs its seller. */
export interface RowCost extends Omit<SaleCost, "cost"> {
  /** In minor units; `undefined` where the row states it in a way that is not clear. */
  readonly cost: number | undefined;
  readonly currency: string;
  /** Whether the fees are the highest that may hold, as nobody knows which do. @default false */
  readonly isHighest?: boolean | undefined;
}

/** Why the text of a field may not be what its writer meant. */
interface TextDoubt {
  readonly field: "title" | "sub_title" | "description";
  readonly issue: RowIssue;
}

/** The whole body of an add, or the issues about what it lacks. */
export type CompletedAdd =
  | { readonly ok: true; readonly body: ProductAdd }
  | { readonly ok: false; readonly issues: readonly RowIssue[] };
