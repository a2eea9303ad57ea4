/**
 * The types of the tables, as SQLite returns their columns. Columns that end in `_json` hold JSON
 * text.
 */

import type { Lang } from "@catalog/i18n";
import type {
  ProductAction,
  RowRecord,
  RowState,
  RunRecord,
  VerificationLog,
  WriteAction,
} from "@catalog/runs";
import type { Generated } from "kysely";

import type { TeamSchema } from "../team/team-schema.ts";

export type ProductId = NonNullable<RowRecord["productId"]>;

export interface Schema
  extends
    AlertSchema,
    DraftSchema,
    JobSchema,
    PeriodSchema,
    ScheduleSchema,
    PriceSchema,
    RawCallSchema,
    StoreProductSchema,
    TeamSchema {
  readonly store: { id: Generated<number>; base_url: string; store_id: string };
  readonly token: { key: string; token: string; expires_at_ms: number };
  readonly name_list: { key: string; fetched_at_ms: number; entries_json: string };
  readonly picture_memo: { key: string; written_at_ms: number; memo_json: string };
  readonly budget: BudgetTable;
  readonly call_minute: { key: string; minute: number; calls: number };
  readonly run_call_minute: {
    run_id: string;
    minute: number;
    calls: number;
    per_hour: number | null;
  };
  readonly run: RunTable;
  readonly run_row: RunRowTable;
  readonly row_piece: RowPieceTable;
  readonly final_piece: FinalPieceTable;
  readonly op: OpTable;
  readonly run_archive: RunArchiveTable;
  /** Archived rows with their events, compressed. */
  readonly archive_piece: {
    id: Generated<number>;
    run_id: string;
    /** Number of the last row in the piece. */
    last_row: number;
    piece: Uint8Array;
  };
  readonly event: EventTable;
  readonly seen_product: {
    id: Generated<number>;
    store: number;
    product_id: ProductId;
    code_key: string;
    suspect_key: string | null;
    status: string;
    price: number | null;
    product_json: string;
  };
  readonly signature: {
    store: number;
    key: string;
    applied: number;
    not_applied: number;
    last_seen_ms: number | null;
  };
  readonly lag_sample: {
    seq: Generated<number>;
    store: number;
    product_id: ProductId;
    added_ms: number | null;
    shown_ms: number | null;
    looked_ms: number | null;
    is_shown: number;
  };
  readonly value_rule: {
    store: number;
    key: string;
    field: string;
    value: string;
    target: string;
    target_id: string | null;
    created_at_ms: number;
    further_json: string | null;
  };
  /** What holds in all stores of a marketplace that have nothing of their own. */
  readonly shared_rule: {
    base_url: string;
    kind: "names" | "prices" | "profile";
    key: string;
    value_json: string;
    /** Grows with each change; what is shared no longer keeps its row. */
    version: number;
    at_ms: number;
  };
  readonly rule_change: {
    id: Generated<number>;
    store: number;
    /** Changes of one batch were made at once. */
    batch: number;
    key: string;
    before_json: string | null;
    after_json: string | null;
    at_ms: number;
    undone_at_ms: number | null;
  };
  readonly column_profile: {
    store: number;
    name: string;
    header_key: string;
    profile_json: string;
    updated_at_ms: number;
  };
  readonly export_job: {
    id: Generated<number>;
    store: number;
    key: string;
    checkpoint_json: string | null;
    begun_at_ms: number;
    updated_at_ms: number;
  };
  readonly export_item: {
    seq: Generated<number>;
    job: number;
    item_id: string;
    rank: number;
    item_json: string;
  };
  readonly export_seen: { store: number; key: string; item_id: string };
  readonly export_mark: { store: number; key: string; mark_json: string; saved_at_ms: number };
  readonly feed_product: {
    store: number;
    product_id: ProductId;
    code_key: string;
    status: string;
    shown_json: string;
    sent_json: string;
    sweep: number;
  };
  readonly feed_note: { store: number; key: string; note_json: string };
  readonly feed_named: {
    store: number;
    feed: string;
    product_id: ProductId;
    absences: number;
    absent_since_ms: number | null;
    is_emptied: number;
  };
  readonly verification: {
    run_id: string;
    row_no: number;
    status: Awaited<ReturnType<VerificationLog["readVerifications"]>>[number]["status"];
    fields_json: string;
    looks: number;
    looked_at_ms: number;
  };
  readonly before_value: { run_id: string; row_no: number; product_json: string };
  readonly capability: {
    base_url: string;
    action: ProductAction;
    field: string;
    state: "proven" | "refused";
    found_at_ms: number;
  };
  readonly filter_proof: {
    store: number;
    filter: string;
    works: number;
    found_at_ms: number;
  };
  readonly copy: {
    id: number;
    database_id: string;
    line: string;
    doubted_seq: number;
    /** Whether a backup may have brought back sessions and keys; see `DOUBT`. */
    people_doubted: Generated<number>;
    /** Where a server keeps the rows; files leave it empty. */
    place: Generated<string>;
    /** How often an older copy was put in their place on a server. */
    generation: Generated<number>;
  };
  readonly code_way: { store: number; way_json: string; found_at_ms: number };
  /** Locks over several machines; only PostgreSQL has them. */
  readonly lease: {
    key: string;
    holder: string;
    epoch: number;
    until_ms: number;
    note_json: string;
  };
  /** Calls since the table was made. */
  readonly call_total: { store: number; kind: string; outcome: string; calls: number };
  /** How often a lease was taken that its owner had not given back, by the first part of its key. */
  readonly lease_take_over: { scope: string; kind: string; take_overs: number };
  readonly legal_move: { from_state: RowState; to_state: RowState };
}

/** Times are by the machine's clock, in milliseconds since 1970; 0 is never. */
interface BudgetTable {
  key: string;
  /** Theoretical arrival time (TAT) of GCRA: the time up to which slots are reserved. */
  tat_ms: number;
  /** End of the pause after the marketplace has refused a call. */
  blocked_until_ms: Generated<number>;
  /** Consecutive refusals, each after the pause of the one before it. */
  strikes: Generated<number>;
  /** Until this time one caller probes whether calls are accepted again. */
  probe_until_ms: Generated<number>;
  /** Time of the first refusal, and the number of calls in the hour before it. */
  struck_at_ms: Generated<number>;
  struck_calls: Generated<number>;
  learnt_per_hour: Generated<number | null>;
  learnt_at_ms: Generated<number>;
  /** Until this time a caller of the class waits. */
  urgent_until_ms: Generated<number>;
  bulk_until_ms: Generated<number>;
  /** Urgent slots since the last bulk slot. */
  streak: Generated<number>;
}

interface RunTable {
  id: string;
  store: number;
  command: string;
  state: RunRecord["state"];
  file_json: string;
  mode: RunRecord["mode"];
  lang: Lang;
  facts_json: string | null;
  token_calls: Generated<number>;
  read_calls: Generated<number>;
  write_calls: Generated<number>;
  report_dir: string;
  warnings_json: string;
  settings_json: Generated<string>;
  /** The first event after an older copy was put in place of the file; 0 is none. */
  must_recheck: Generated<number>;
  /** The time from which on the run is looked at for archiving; `null` once it is archived. */
  archive_at_ms: Generated<number | null>;
  /** Who made the run; `null` where that is not known. */
  maker_json: string | null;
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
  payload_json: string | null;
  changes_json: Generated<string>;
  issues_json: Generated<string>;
  attempts: Generated<number>;
  note: string | null;
  updated_at_ms: number;
}

/** Rows of a run as they were read, in the order of the sheet. */
export interface RowPieceTable {
  id: Generated<number>;
  run_id: string;
  first_row: number;
  last_row: number;
  /** Number of the rows, which may be fewer than between the first and the last. */
  rows: number;
  stored_at_ms: number;
  codes_json: string;
  /** Compressed. */
  cells: Uint8Array;
}

/** Rows of a run that are in a final state since they were decided, in the order of the sheet. */
export interface FinalPieceTable {
  id: Generated<number>;
  run_id: string;
  first_row: number;
  last_row: number;
  decided_at_ms: number;
  /** Counts of the rows by state. */
  states_json: string;
  /** Numbers of the rows, which are not all rows between the first and the last. */
  rows_json: string;
  decisions_json: string;
}

/** One entry for each product code that a row has taken, and for each product being updated. */
interface OpTable {
  run_id: string;
  row_no: number;
  store: number;
  kind: WriteAction;
  state: RowState;
  code_key: string | null;
  /** Filled when codes are first compared; adds only. */
  suspect_key: Generated<string | null>;
  product_id: ProductId | null;
  price: number | null;
  payload_json: string;
  begun_at_ms: number;
  settled_at_ms: number | null;
  /** The last event of a request whose events are archived. */
  ended_seq: Generated<number | null>;
}

/** One entry for each run whose rows are archived or deleted. */
interface RunArchiveTable {
  run_id: string;
  store: number;
  stage: ArchiveStage;
  /** The last row that is archived or deleted. */
  archived_to: number;
  /** Counts of the rows by state, as `StateCount` has them. */
  states_json: string;
  /** Counts of the results of reading back. */
  verified_json: string;
  finished_at_ms: number;
  /** When the first rows were deleted; `null` where none were. */
  pruned_at_ms: number | null;
}

/**
 * - `archiving`: rows up to `archived_to` are in pieces.
 * - `archived`: all rows are.
 * - `pruning`: pieces and rows are being deleted.
 * - `pruned`: all are deleted, but those that something else needs.
 */
export type ArchiveStage = "archiving" | "archived" | "pruning" | "pruned";

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

/** Tables of drafts as the query builder sees them. */
export interface DraftSchema {
  readonly draft: {
    id: string;
    store: number;
    name: string;
    path: string;
    sha256: string;
    bytes: number;
    state: string;
    version: number;
    /** The last batch of edits that holds; later ones are undone. */
    done_batch: number;
    reading_json: string;
    columns_json: string;
    source_json: string | null;
    check_json: string | null;
    created_by: string | null;
    created_by_person: number | null;
    created_at_ms: number;
    updated_at_ms: number;
    run_id: string | null;
    run_version: number | null;
    basis_json: string | null;
    period_json: string | null;
  };
  readonly draft_basis: { draft: string; row_no: number; product_json: string };
  readonly draft_row: {
    draft: string;
    row_no: number;
    status: string;
    code_key: string | null;
    alike_key: string | null;
    folded: string;
    cells_json: string;
    traits_json: string | null;
    formats_json: string | null;
    joined_json: string | null;
    edits_json: string | null;
    /** 1 where the row has edits: a search for such rows by `edits_json` would read all of them. */
    is_edited: number;
    issues_json: string;
  };
  readonly draft_issue: { draft: string; code: string; severity: string; row_no: number };
  readonly draft_name: { draft: string; name_key: string; row_no: number };
  readonly draft_edit: {
    draft: string;
    seq: number;
    batch: number;
    row_no: number;
    /** -1 for leaving the row out. */
    col: number;
    before_json: string;
    after_json: string;
    by_user: string | null;
    at_ms: number;
  };
}

/** The table of jobs as the query builder sees it. */
export interface JobSchema {
  readonly job: {
    store: number;
    kind: string;
    key: string;
    spec_json: string;
    asked_at_ms: number;
    not_before_ms: number;
    failures: number;
    ended_at_ms: number | null;
    result_json: string | null;
  };
}

/** The table of schedules as the query builder sees it. */
export interface ScheduleSchema {
  readonly schedule: {
    id: string;
    store: number;
    /** A path or an address, which may hold a key. */
    feed: string;
    options_json: string;
    cron: string;
    time_zone: string;
    state: string;
    made_by: string;
    is_spread: number;
    owner_json: string | null;
    progress_json: string | null;
    result_json: string | null;
    succeeded_at_ms: number | null;
    created_at_ms: number;
    updated_at_ms: number;
  };
}

/** The table of periods as the query builder sees it. */
export interface PeriodSchema {
  readonly run_period: {
    store: number;
    run_id: string;
    version: number;
    period_json: string;
    /** When a process must look at it; `null` where nothing is to be done by itself any more. */
    due_at_ms: number | null;
  };
}

/** The tables of alerts as the query builder sees them. */
export interface AlertSchema {
  readonly alert_channel: {
    store: number;
    name: string;
    kind: string;
    settings_json: string;
    delivery_json: string | null;
    created_at_ms: number;
  };
  readonly alert: {
    store: number;
    channel: string;
    /** What it is about: a schedule, a run or the machine. */
    subject: string;
    /** Grows with each change, so that two processes do not overwrite each other's. */
    version: number;
    state_json: string;
    updated_at_ms: number;
  };
}

/** The tables of price rules as the query builder sees them. */
export interface PriceSchema {
  readonly price_rules: {
    store: number;
    version: number;
    costs_version: number;
    rules_json: string;
    saved_at_ms: number;
  };
  readonly product_cost: {
    store: number;
    code_key: string;
    code: string;
    cost: number;
    saved_at_ms: number;
  };
  readonly price_base: {
    store: number;
    product_id: ProductId;
    price: number;
    at_ms: number;
    made_json: string;
  };
}

/**
 * - `sending`: no outcome is written. The call is under way, or its process has died.
 * - `done`: the marketplace has carried it out.
 * - `refused`: it has refused it.
 * - `unknown`: no answer came that can be relied on.
 * - `unsent`: nothing of it left this machine.
 * - `absent`: a person has found that an unknown call was not carried out.
 */
export type RawCallState = "sending" | "done" | "refused" | "unknown" | "unsent" | "absent";

/** The log of single calls as the query builder sees it. */
export interface RawCallSchema {
  readonly raw_call: {
    id: Generated<number>;
    store: number;
    endpoint: string;
    body_json: string;
    /** What the ledger calls a request like it, where it holds a key; else `null`. */
    kind: WriteAction | null;
    code_key: string | null;
    state: RawCallState;
    status: number | null;
    detail: string | null;
    maker_json: string | null;
    begun_at_ms: number;
    ended_at_ms: number | null;
  };
}

/** The tables of the store's products as the query builder sees them. */
export interface StoreProductSchema {
  readonly store_product: {
    store: number;
    /** Names the product in lists; no other product of the store ever has it. */
    number: number;
    product_id: ProductId;
    code: string | null;
    status: string;
    brand: string | null;
    category: string | null;
    /** Folded texts in which a text is looked for. */
    folded: string;
    /** Texts that compare byte by byte as the texts are sorted. */
    code_sort: string;
    title_sort: string;
    brand_sort: string;
    category_sort: string;
    /** Amounts in minor units, under each unit that the listing may have. */
    price_if_minor: number | null;
    price_if_major: number | null;
    paid_if_minor: number | null;
    paid_if_major: number | null;
    /** In percent of the price. */
    discount: number | null;
    stock: number | null;
    images: number;
    /** The last reading of the whole store that met it. */
    reading: number;
    read_at_ms: number;
    ours_at_ms: number | null;
    others_at_ms: number | null;
    /** What was sent and no reading has shown yet; `null` for nothing. */
    unshown_json: string | null;
  };
  readonly store_product_json: { store: number; number: number; product_json: string };
  readonly store_change: {
    id: Generated<number>;
    store: number;
    product_id: ProductId;
    field: string;
    before_json: string | null;
    after_json: string | null;
    since_ms: number;
    at_ms: number;
  };
  readonly store_reading: {
    store: number;
    /** Grows with each change of what the list shows. */
    version: number;
    /** Number of the last reading of the whole store. */
    reading: number;
    last_number: number;
    /** The last event of a request that is counted in. */
    seq: number;
    /** Set while a reading is under way, or after it was cut off. */
    begun_at_ms: number | null;
    /** When the last whole reading began. */
    read_at_ms: number | null;
  };
}
