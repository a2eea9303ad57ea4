/** The log of edits of drafts: batches that can be undone and done again. */

import type { Database } from "../../sql/database.ts";
import type { DraftSchema } from "../../sql/draft-schema.ts";
import { fromJson, toJson } from "../../sql/json.ts";
import type { Steps } from "../../sql/steps.ts";
import type { DraftEdit } from "./draft-records.ts";

/** Appends to the log and reads it, as steps. */
export interface DraftEdits {
  /** Appends the edits of a batch. */
  logEdits(
    draft: string,
    edits: readonly DraftEdit[],
    batch: { readonly batch: number; readonly by: string | null; readonly atMs: number },
  ): Steps<void>;
  /** Reads a batch in the order in which it was logged. */
  readBatch(draft: string, batch: number): Steps<readonly DraftEdit[]>;
  /** Number of the last batch; 0 where there is none. */
  lastBatch(draft: string): Steps<number>;
  /** Forgets the batches after this one. */
  dropBatchesAfter(draft: string, batch: number): Steps<void>;
}

const prepareInsert = (
  database: Database,
): ((rows: readonly DraftSchema["draft_edit"][]) => Steps<number>) =>
  database.prepareEach<DraftSchema["draft_edit"]>((rows) =>
    database.build.insertInto("draft_edit").values(
      rows.map((arg) => ({
        draft: arg("draft"),
        seq: arg("seq"),
        batch: arg("batch"),
        row_no: arg("row_no"),
        col: arg("col"),
        before_json: arg("before_json"),
        after_json: arg("after_json"),
        by_user: arg("by_user"),
        at_ms: arg("at_ms"),
      })),
    ),
  );

function* readLast(database: Database, draft: string, column: "seq" | "batch"): Steps<number> {
  const edits = database.build.selectFrom("draft_edit").select(column);
  const found = yield* database.get(
    edits.where("draft", "=", draft).orderBy(column, "desc").limit(1),
  );
  return found?.[column] ?? 0;
}

/** Creates the log. */
export function createDraftEdits(database: Database): DraftEdits {
  const { build } = database;
  const insert = prepareInsert(database);
  return {
    *logEdits(draft, edits, { batch, by, atMs }) {
      const first = (yield* readLast(database, draft, "seq")) + 1;
      yield* insert(
        edits.map(({ row, column, before, after }, index) => ({
          draft,
          seq: first + index,
          batch,
          row_no: row,
          col: column,
          before_json: toJson(before),
          after_json: toJson(after),
          by_user: by,
          at_ms: atMs,
        })),
      );
    },
    *readBatch(draft, batch) {
      const edits = yield* database.all(
        build
          .selectFrom("draft_edit")
          .select(["row_no", "col", "before_json", "after_json"])
          .where("draft", "=", draft)
          .where("batch", "=", batch)
          .orderBy("seq"),
      );
      return edits.map((found) => ({
        row: found.row_no,
        column: found.col,
        before: fromJson<string | null>(found.before_json),
        after: fromJson<string | null>(found.after_json),
      }));
    },
    lastBatch: (draft) => readLast(database, draft, "batch"),
    *dropBatchesAfter(draft, batch) {
      yield* database.run(
        build.deleteFrom("draft_edit").where("draft", "=", draft).where("batch", ">", batch),
      );
    },
  };
}
