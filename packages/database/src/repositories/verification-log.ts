/**
 * Results of reading back, values overwritten by updates, and fields that a marketplace accepts.
 */

import type { Clock } from "@catalog/clock";
import type { DoneRow, VerificationLog, Verification } from "@catalog/runs";

import { withArchivedVerifications } from "../archive/archived-verifications.ts";
import { createRunArchive } from "../archive/run-archive.ts";
import { type JournalContext, selectRun } from "../journal/context.ts";
import { createRowPieces } from "../journal/row-pieces.ts";
import { createRowRecords, selectRecords } from "../journal/row-records.ts";
import { readInBatches } from "../sqlite/batches.ts";
import { fromJson, toJson } from "../sqlite/json.ts";
import { toLiteral } from "../sqlite/literals.ts";
import type { Schema } from "../sqlite/schema.ts";
import type { Database } from "../sqlite/sqlite.ts";
import { readStoreKey, type StoreAddress, toStoreAddress } from "../store-key.ts";

/** The database, the clock and the store of the log. */
export interface VerificationLogOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly store: StoreAddress;
}

/** Creates the log of one store; what was learnt of its marketplace is shared by all its stores. */
export function createVerificationLog({
  database,
  clock,
  ...of
}: VerificationLogOptions): VerificationLog {
  const runKind = "runs" as const;
  const context = { database, clock, store: readStoreKey(database, of.store), runKind };
  const tables = {
    ...createReadings(context),
    ...createVerifications(context),
    ...createBeforeValues(context),
  };
  return {
    ...withArchivedVerifications(database, tables, createRunArchive(context)),
    ...createCapabilities(context, toStoreAddress(of.store).baseUrl),
  };
}

/** Reads the rows that are to be read back. */
function createReadings(
  context: JournalContext,
): Pick<VerificationLog, "readUnverified" | "readOpen"> {
  const { build } = context.database;
  const toRecord = createRowRecords(context.database, createRowPieces(context.database));
  const rows = selectRecords(context.database)
    .leftJoin("verification", (join) =>
      join
        .onRef("verification.run_id", "=", "run_row.run_id")
        .onRef("verification.row_no", "=", "run_row.row_no"),
    )
    .select(["verification.looks", "verification.fields_json"])
    .where("run_row.state", "=", toLiteral("done"));
  type Found = ReturnType<typeof rows.execute> extends Promise<(infer T)[]> ? T : never;
  const toDone = (found: Found): DoneRow => ({
    runId: found.run_id,
    row: found.row_no,
    record: toRecord(found),
    readings: found.looks ?? 0,
    fields: found.fields_json === null ? [] : fromJson(found.fields_json),
  });
  return {
    async readUnverified(runId, after, limit) {
      const query = rows
        .where("run_row.run_id", "=", selectRun(context, runId))
        .where("run_row.row_no", ">", after)
        .where("run_row.product_id", "is not", null)
        .where("verification.row_no", "is", null)
        .orderBy("run_row.row_no")
        .limit(limit);
      return context.database.all(query).map(toDone);
    },
    async readOpen({ runId, maxLookups, limit }) {
      const runs = build.selectFrom("run").select("id").where("store", "=", context.store);
      const query = rows
        .where("run_row.run_id", "in", runId === undefined ? runs : selectRun(context, runId))
        .where("verification.status", "<>", toLiteral("visible"))
        .where("verification.looks", "<", Math.min(maxLookups, Number.MAX_SAFE_INTEGER))
        .orderBy("verification.looked_at_ms", "desc")
        .orderBy("run_row.run_id")
        .orderBy("run_row.row_no")
        .limit(limit);
      return context.database.all(query).map(toDone);
    },
  };
}

type VerificationMethods = Pick<
  VerificationLog,
  "saveVerifications" | "readVerifications" | "countVerifications"
>;

function createVerifications(context: JournalContext): VerificationMethods {
  const { database } = context;
  const { build } = database;
  const ofRun = (runId: string) =>
    build.selectFrom("verification").where("run_id", "=", selectRun(context, runId));
  return {
    async saveVerifications(runId, verifications) {
      database.transaction(() => {
        for (const verification of verifications) saveOne(context, runId, verification);
      });
    },
    async readVerifications(runId, after, limit) {
      const query = ofRun(runId).selectAll().where("row_no", ">", after).orderBy("row_no");
      return database
        .all(query.limit(limit))
        .map(({ row_no: row, status, fields_json, looks }): Verification => ({
          row,
          status,
          fields: fromJson(fields_json),
          looks,
        }));
    },
    async countVerifications(runId) {
      const counts = {
        accepted: countDone(context, runId),
        visible: 0,
        mismatch: 0,
        "not-visible": 0,
      };
      const found = database.all(
        ofRun(runId)
          .select(["status", (select) => select.fn.countAll<number>().as("rows")])
          .groupBy("status"),
      );
      for (const { status, rows } of found) {
        counts[status] += rows;
        counts.accepted -= rows;
      }
      return counts;
    },
  };
}

function saveOne(
  { database, clock }: JournalContext,
  runId: string,
  { row, status, fields, looks }: Verification,
): void {
  const columns = {
    run_id: runId,
    row_no: row,
    status,
    fields_json: toJson(fields),
    looks,
    looked_at_ms: clock.now(),
  };
  database.run(
    database.build
      .insertInto("verification")
      .values(columns)
      .onConflict((conflict) => conflict.columns(["run_id", "row_no"]).doUpdateSet(columns)),
  );
}

function countDone(context: JournalContext, runId: string): number {
  const done = context.database.get(
    context.database.build
      .selectFrom("run_row")
      .select((select) => select.fn.countAll<number>().as("rows"))
      .where("run_id", "=", selectRun(context, runId))
      .where("state", "=", toLiteral("done")),
  );
  return done?.rows ?? 0;
}

function createBeforeValues(
  context: JournalContext,
): Pick<VerificationLog, "saveBefore" | "readBefore"> {
  const { database } = context;
  const { build } = database;
  const save = database.prepare<Schema["before_value"]>((arg) => {
    const product = { product_json: arg("product_json") };
    return build
      .insertInto("before_value")
      .values({ run_id: arg("run_id"), row_no: arg("row_no"), ...product })
      .onConflict((conflict) => conflict.columns(["run_id", "row_no"]).doUpdateSet(product));
  });
  return {
    async saveBefore(runId, values) {
      if (values.length === 0) return;
      // Unsynced: the commit that makes the run `planned` syncs it, and nothing is sent before
      // that.
      database.transactionUnsynced(() => {
        for (const { row, product } of values) {
          save({ run_id: runId, row_no: row, product_json: toJson(product) });
        }
      });
    },
    async readBefore(runId, rows) {
      const found = readInBatches(rows, (batch) =>
        database.all(
          build
            .selectFrom("before_value")
            .select(["row_no", "product_json"])
            .where("run_id", "=", selectRun(context, runId))
            .where("row_no", "in", batch),
        ),
      );
      return new Map(found.map(({ row_no, product_json }) => [row_no, fromJson(product_json)]));
    },
  };
}

function createCapabilities(
  { database, clock }: JournalContext,
  baseUrl: string,
): Pick<VerificationLog, "readCapabilities" | "saveCapabilities" | "forgetRefusals"> {
  const { build } = database;
  return {
    async readCapabilities() {
      const query = build
        .selectFrom("capability")
        .select(["action", "field", "state"])
        .where("base_url", "=", baseUrl);
      return database.all(query.orderBy("action").orderBy("field"));
    },
    async saveCapabilities(findings) {
      database.transaction(() => {
        for (const { action, field, state } of findings) {
          const columns = { base_url: baseUrl, action, field, state, found_at_ms: clock.now() };
          database.run(
            build
              .insertInto("capability")
              .values(columns)
              .onConflict((conflict) =>
                conflict.columns(["base_url", "action", "field"]).doUpdateSet(columns),
              ),
          );
        }
      });
    },
    async forgetRefusals(fields) {
      if (fields.length === 0) return;
      database.run(
        build
          .deleteFrom("capability")
          .where("base_url", "=", baseUrl)
          .where("action", "=", "update")
          .where("state", "=", "refused")
          .where("field", "in", fields),
      );
    },
  };
}
