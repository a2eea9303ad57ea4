/** Products: what the store shows, filtered, sorted and selected; one product and its changes. */

import { z } from "zod";

import type { PriceUnitExample } from "./runs.ts";
import { fieldKey, runId } from "./session.ts";
import type { ExportBody } from "./work.ts";

/** Columns of the list that can be shown and sorted by. */
export const PRODUCT_COLUMNS = [
  "image",
  "code",
  "title",
  "brand",
  "category",
  "price",
  "paid",
  "discount",
  "stock",
  "status",
  "images",
  "ours",
  "others",
  "read",
] as const;
export type ProductColumn = (typeof PRODUCT_COLUMNS)[number];

export const PRODUCT_STATUSES = ["approved", "passive", "veto"] as const;
export type ProductStatus = (typeof PRODUCT_STATUSES)[number];

/** Marks that a filter asks for; a product has all of them. */
export const PRODUCT_MARKS = ["sold-out", "no-image", "discount", "ours", "others"] as const;
export type ProductMark = (typeof PRODUCT_MARKS)[number];

/** A product as the store has shown it last. */
export interface ProductView {
  /** Names the product in orders and selections; the same as long as the store has it. */
  readonly number: number;
  readonly id: string;
  readonly code: string | null;
  readonly title: string;
  readonly brand: string | null;
  readonly category: string | null;
  readonly status: ProductStatus;
  /** Amounts as people write them, with their currency; `null` where the unit is not known. */
  readonly price: string | null;
  /** What the buyer pays. */
  readonly paid: string | null;
  /** Such as "%10"; `null` for none. */
  readonly discount: string | null;
  readonly stock: number | null;
  readonly images: number;
  /** When we last changed it, and when somebody else was seen to have. */
  readonly oursAt: string | null;
  readonly othersAt: string | null;
  readonly readAt: string;
  readonly link: string | null;
}

/** Which products a view shows; all parts hold together. Amounts are in the major unit. */
export interface ProductFilter {
  /** Part of code, title, brand or id; letters fold as in Turkish. */
  readonly text?: string | undefined;
  readonly brand?: string | undefined;
  readonly category?: string | undefined;
  readonly status?: ProductStatus | undefined;
  readonly priceFrom?: string | undefined;
  readonly priceTo?: string | undefined;
  readonly stockFrom?: number | undefined;
  readonly stockTo?: number | undefined;
  readonly marks?: readonly ProductMark[] | undefined;
}

export interface ProductSort {
  readonly column: ProductColumn;
  readonly isDescending: boolean;
}

const amount = z.string().regex(/^\d{1,12}(?:[.,]\d{1,2})?$/u);
const count = z.coerce.number().int().min(0).max(1_000_000_000);

const filterFields = {
  text: z.string().max(1_000).optional(),
  brand: z.string().max(1_000).optional(),
  category: z.string().max(1_000).optional(),
  status: z.enum(PRODUCT_STATUSES).optional(),
  priceFrom: amount.optional(),
  priceTo: amount.optional(),
  stockFrom: count.optional(),
  stockTo: count.optional(),
};

const filterBody: z.ZodType<ProductFilter> = z.object({
  ...filterFields,
  marks: z.array(z.enum(PRODUCT_MARKS)).max(PRODUCT_MARKS.length).optional(),
});

/** The same in an address: marks are joined by commas, and the sort is two parameters. */
export const productOrderQuery: z.ZodType<{
  readonly filter: ProductFilter;
  readonly sort: ProductSort | undefined;
}> = z
  .object({
    ...filterFields,
    marks: z.string().max(200).optional(),
    sort: z.enum(PRODUCT_COLUMNS).optional(),
    direction: z.enum(["up", "down"]).default("up"),
  })
  .transform(({ marks, sort, direction, ...filter }, context) => {
    const asked = z.array(z.enum(PRODUCT_MARKS)).safeParse(marks?.split(",") ?? []);
    if (!asked.success) {
      context.addIssue("unknown mark");
      return z.NEVER;
    }
    return {
      filter: { ...filter, marks: asked.data },
      sort: sort === undefined ? undefined : { column: sort, isDescending: direction === "down" },
    };
  });

/** Products that a person has chosen: by number, or all of a filter. */
export type ProductSelection =
  | { readonly numbers: readonly number[] }
  | { readonly filter: ProductFilter };

/** At most this many products are chosen by number. */
const MAX_CHOSEN = 200_000;

const productSelection: z.ZodType<ProductSelection> = z.union([
  z.object({ numbers: z.array(z.number().int().positive()).min(1).max(MAX_CHOSEN) }),
  z.object({ filter: filterBody }),
]);

/** What is known of the store's products as a whole. */
export interface ProductsView {
  readonly total: number;
  /** Grows whenever the list shows something else, so that its order and rows are read again. */
  readonly version: number;
  /** When all of them were read last; `null` before the first reading. */
  readonly readAt: string | null;
  /** The reading under way; `null` for none. */
  readonly reading: {
    readonly done: number;
    readonly total: number | null;
    /** A sentence, such as "12.000 ürün okundu". */
    readonly text: string;
  } | null;
  /** Why the last reading failed, as a sentence; `null` where it did not. */
  readonly problem: string | null;
  /** Calls that reading all of them takes; `null` where it is not known. */
  readonly calls: number | null;
  readonly priceUnit: "minor" | "major" | null;
  /** A price of the list in both units, while the unit is not known; `null` for none. */
  readonly priceUnitExample: PriceUnitExample | null;
  /** Most frequent first. */
  readonly brands: readonly ProductFacet[];
  readonly categories: readonly ProductFacet[];
  readonly statuses: readonly ProductFacet[];
}

export interface ProductFacet {
  readonly value: string;
  readonly products: number;
}

/** Columns and filters that a person has kept; the same in every browser. */
export interface ProductViews {
  /** In their order; none for those of the beginning. */
  readonly columns: readonly ProductColumn[];
  readonly saved: readonly {
    readonly name: string;
    readonly filter: ProductFilter;
    readonly sort: ProductSort | null;
  }[];
}

export const productViewsBody: z.ZodType<ProductViews> = z.object({
  columns: z.array(z.enum(PRODUCT_COLUMNS)).max(PRODUCT_COLUMNS.length),
  saved: z
    .array(
      z.object({
        name: z.string().trim().min(1).max(80),
        filter: filterBody,
        sort: z.object({ column: z.enum(PRODUCT_COLUMNS), isDescending: z.boolean() }).nullable(),
      }),
    )
    .max(50),
});

/** Opens a draft with today's values of the products. */
export interface ProductDraftBody {
  readonly products: ProductSelection;
  /** Keys of the fields that become columns. @default those that are edited most */
  readonly fields?: readonly string[] | undefined;
}

export const productDraftBody: z.ZodType<ProductDraftBody> = z.object({
  products: productSelection,
  fields: z.array(z.string().max(80)).min(1).max(40).optional(),
});

export interface OpenedDraft {
  readonly draft: string;
}

/** A file of the products as they were shown last. */
export interface ProductExportBody extends Pick<ExportBody, "format" | "columns"> {
  readonly products: ProductSelection;
}

export const productExportBody: z.ZodType<ProductExportBody> = z.object({
  products: productSelection,
  format: z.enum(["xlsx", "csv", "jsonl"]),
  columns: z.array(z.string().max(100)).max(200),
});

/** One product with all that is known of it, without a call to the marketplace. */
export interface ProductDetails extends ProductView {
  /** As plain text. */
  readonly description: string | null;
  /** Label and text of further fields that the store shows. */
  readonly facts: readonly { readonly label: string; readonly text: string }[];
  /** The newest first. */
  readonly changes: readonly ProductChange[];
  /** For how many days the records of runs are kept; older changes are known only in part. */
  readonly keptDays: number;
  /** What is planned now to take back changes of this product. */
  readonly isPlanningUndo: boolean;
}

/** A change of one field. */
export interface ProductChange {
  /** `ours`: a run of this program; `others`: seen at a reading, whoever made it. */
  readonly by: "ours" | "others";
  readonly at: string;
  /** For a change of others: when the earlier value was seen last. */
  readonly since: string | null;
  /** Who made the run, such as "Sayfa · ayse"; `null` of a change of others. */
  readonly person: string | null;
  /** Who has approved the run; `null` where nobody has, or it is not known. */
  readonly approvedBy: string | null;
  /** `product` of the line that says that we have added it. */
  readonly field: string;
  readonly label: string;
  readonly before: string | null;
  readonly after: string | null;
  /** The run and row that made it; `null` for a change of others. */
  readonly run: { readonly id: string; readonly name: string; readonly row: number } | null;
  /** The field to name where it is taken back; `null` where it is not ours or not the latest one. */
  readonly undoField: string | null;
}

/** What buyers say of a product; each part is `null` where it could not be read. */
export interface ProductTalk {
  readonly comments: {
    readonly total: number;
    /** The newest first. */
    readonly last: readonly {
      readonly at: string | null;
      readonly rate: number | null;
      readonly text: string;
    }[];
  } | null;
  readonly questions: {
    /** The newest questions that were looked through, as the API finds none by product. */
    readonly read: number;
    /** Whether these are all. */
    readonly isAll: boolean;
    readonly total: number;
    readonly unanswered: number;
    /** The newest first. */
    readonly last: readonly {
      readonly at: string | null;
      readonly text: string;
      readonly isAnswered: boolean;
    }[];
  } | null;
}

/** Takes back one change of a product, or all of ours. */
export interface ProductUndoBody {
  readonly change?:
    | { readonly run: string; readonly row: number; readonly field: string }
    | undefined;
}

export const productUndoBody: z.ZodType<ProductUndoBody> = z.object({
  change: z.object({ run: runId, row: z.number().int().positive(), field: fieldKey }).optional(),
});
