/** The tables, as their columns come out of SQLite. Columns that end in `_json` hold JSON text. */

import {
  type RowRecord,
  type RowState,
  type RunMode,
  type RunState,
  type WriteAction,
} from "@catalog/runs";
import { type Generated } from "kysely";

export type ProductId = NonNullable<RowRecord["productId"]>;

export interface Schema {
  readonly store: { id: Generated<number>; base_url: string; store_id: string };
  readonly token: { key: string; token: string; expires_at_ms: number };
  readonly name_list: { key: string; fetched_at_ms: number; entries_json: string };
  readonly picture_memo: { key: string; written_at_ms: number; memo_json: string };
  readonly budget: { key: string; tat_ms: number };
  readonly run: RunTable;
  readonly run_row: RunRowTable;
  readonly op: OpTable;
  readonly event: EventTable;
  readonly seen_product: {
    store: number;
    product_id: ProductId;
    code_key: string;
    status: string;
    price: number | null;
    product_json: string;
  };
  readonly legal_move: { from_state: RowState; to_state: RowState };
}

interface RunTable {
  id: string;
  store: number;
  command: string;
  state: RunState;
  file_json: string;
  mode: RunMode;
  lang: "tr" | "en";
  facts_json: string | null;
  token_calls: Generated<number>;
  read_calls: Generated<number>;
  write_calls: Generated<number>;
  report_dir: string;
  warnings_json: string;
  created_at_ms: number;
  updated_at_ms: number;
}

export interface RunRowTable {
  run_id: string;
  row_no: number;
  state: RowState;
  action: WriteAction | null;
  code: string | null;
  code_key: string | null;
  product_id: ProductId | null;
  cells_json: string;
  traits_json: string | null;
  payload_json: string | null;
  changes_json: Generated<string>;
  issues_json: Generated<string>;
  attempts: Generated<number>;
  note: string | null;
  updated_at_ms: number;
}

/** One line for each product code that a row of ours has taken, or each product being updated. */
interface OpTable {
  run_id: string;
  row_no: number;
  store: number;
  kind: WriteAction;
  state: RowState;
  code_key: string | null;
  product_id: ProductId | null;
  price: number | null;
  payload_json: string;
  begun_at_ms: number;
  settled_at_ms: number | null;
}

interface EventTable {
  seq: Generated<number>;
  run_id: string;
  row_no: number;
  from_state: RowState;
  to_state: RowState;
  cause: string;
  evidence_json: string;
  at_ms: number;
}
