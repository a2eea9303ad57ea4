/** Drafts that are made of the store's products, each row with the product as it was shown then. */

import type { ListedProductRow } from "@catalog/runs";

import type { Database, Steps } from "../sql/database.ts";
import { fromJson, readInBatches, toJson } from "../sql/queries.ts";

/** What is known of the products that a draft was made of. */
export interface DraftBasis {
  readonly products: number;
  /** Unit in which their prices were shown. */
  readonly priceUnit: "minor" | "major" | "unknown";
  /** When the one that was read first was read. */
  readonly readAtMs: number;
  /** Runs that were planned from the draft, in their order. */
  readonly runs: readonly string[];
}

type StoreProduct = ListedProductRow["product"];

interface BasisRow {
  readonly row: number;
  readonly product: StoreProduct;
}

/** The products behind the rows of drafts, as steps. */
export interface DraftBasisTables {
  saveBasis(draft: string, rows: readonly BasisRow[]): Steps<void>;
  /** Reads the products of rows; a row without one is left out. */
  readBasis(draft: string, rows: readonly number[]): Steps<ReadonlyMap<number, StoreProduct>>;
}

/** Creates the tables' reader and writer. */
export function createDraftBasisTables(database: Database): DraftBasisTables {
  const { build } = database;
  const insert = database.prepareInsert("draft_basis", ["draft", "row_no", "product_json"]);
  return {
    *saveBasis(draft, rows) {
      yield* insert(
        rows.map(({ row, product }) => ({ draft, row_no: row, product_json: toJson(product) })),
      );
    },
    *readBasis(draft, rows) {
      const query = build
        .selectFrom("draft_basis")
        .select(["row_no", "product_json"])
        .where("draft", "=", draft);
      const found = yield* readInBatches(rows, (batch) =>
        database.all(query.where("row_no", "in", batch)),
      );
      return new Map(found.map((row) => [row.row_no, fromJson<StoreProduct>(row.product_json)]));
    },
  };
}
