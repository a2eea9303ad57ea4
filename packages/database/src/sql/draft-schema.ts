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
    created_at_ms: number;
    updated_at_ms: number;
    run_id: string | null;
    run_version: number | null;
  };
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
