/**
 * Results of reading back, values overwritten by updates, and fields that a marketplace accepts.
 */

import type { VerificationLog, Verification } from "@catalog/runs";

import { createRunArchive } from "../archive/archive.ts";
import { type VerificationReads, withArchivedVerifications } from "../archive/archived-reads.ts";
import { PRODUCT_KINDS } from "../journal/actions.ts";
import { createRowRecords, selectRecords } from "../journal/read-rows.ts";
import { createRowPieces } from "../journal/row-pieces.ts";
import { type JournalContext, selectRun } from "../journal/transitions.ts";
import { createLeasedDatabase, type RepositoryOptions } from "../locks/leases.ts";
import { eachStep, type Steps, toStoreAddress } from "../sql/database.ts";
import { fromJson, readInBatches, toJson, toLiteral } from "../sql/queries.ts";

type DoneRow = Awaited<ReturnType<VerificationLog["readOpen"]>>[number];

/** Creates the log of one store; what was learnt of its marketplace is shared by all its stores. */
export function createVerificationLog({ clock, ...of }: RepositoryOptions): VerificationLog {
  const runKind = "runs" as const;
  const database = createLeasedDatabase(of);
  const context = { database, clock, store: database.storeKey(of.store), runKind };
  const { readOpen, ...readings } = createReadings(context);
  const before = createBeforeValues(context);
  const tables = { ...readings, ...createVerificationReads(context), readBefore: before.read };
  return {
    ...withArchivedVerifications(database, tables, createRunArchive(context)),
    readOpen: (query) => database.execute(readOpen(query)),
    saveVerifications: (runId, verifications) =>
      database.transaction(() => saveVerifications(context, runId, verifications)),
    saveBefore: before.save,
    ...createCapabilities(context, toStoreAddress(of.store).baseUrl),
  };
}

interface Readings extends Pick<VerificationReads, "readUnverified"> {
  readonly readOpen: (
    query: Parameters<VerificationLog["readOpen"]>[0],
  ) => Steps<readonly DoneRow[]>;
}

/** Reads the rows that are to be read back. */
function createReadings(context: JournalContext): Readings {
  const { build } = context.database;
  const toRecord = createRowRecords(createRowPieces(context.database));
  const rows = selectRecords(context.database)
    .leftJoin("verification", (join) =>
      join
        .onRef("verification.run_id", "=", "run_row.run_id")
        .onRef("verification.row_no", "=", "run_row.row_no"),
    )
    .select(["verification.looks", "verification.fields_json"])
    .where("run_row.state", "=", toLiteral("done"));
  type Found = ReturnType<typeof rows.execute> extends Promise<(infer T)[]> ? T : never;
  const toDone = function* toDone(found: Found): Steps<DoneRow> {
    return {
      runId: found.run_id,
      row: found.row_no,
      record: yield* toRecord(found),
      readings: found.looks ?? 0,
      fields: found.fields_json === null ? [] : fromJson(found.fields_json),
    };
  };
  return {
    *readUnverified(runId, after, limit) {
      const query = rows
        .where("run_row.run_id", "=", selectRun(context, runId))
        .where("run_row.row_no", ">", after)
        .where((where) =>
          where.or([
            where("run_row.product_id", "is not", null),
            where("run_row.action", "not in", PRODUCT_KINDS),
          ]),
        )
        .where("verification.row_no", "is", null)
        .orderBy("run_row.row_no")
        .limit(limit);
      return yield* eachStep(yield* context.database.all(query), toDone);
    },
    *readOpen({ runId, maxLookups, limit }) {
      const runs = build.selectFrom("run").select("id").where("store", "=", context.store);
      const query = rows
        .where("run_row.run_id", "in", runId === undefined ? runs : selectRun(context, runId))
        .where("verification.status", "<>", toLiteral("visible"))
        .where("verification.looks", "<", Math.min(maxLookups, Number.MAX_SAFE_INTEGER))
        .orderBy("verification.looked_at_ms", "desc")
        .orderBy("run_row.run_id")
        .orderBy("run_row.row_no")
        .limit(limit);
      return yield* eachStep(yield* context.database.all(query), toDone);
    },
  };
}

function createVerificationReads(
  context: JournalContext,
): Pick<VerificationReads, "readVerifications" | "countVerifications"> {
  const { database } = context;
  const { build } = database;
  const ofRun = (runId: string) =>
    build.selectFrom("verification").where("run_id", "=", selectRun(context, runId));
  return {
    *readVerifications(runId, after, limit) {
      const query = ofRun(runId).selectAll().where("row_no", ">", after).orderBy("row_no");
      const found = yield* database.all(query.limit(limit));
      return found.map(({ row_no: row, status, fields_json, looks }): Verification => ({
        row,
        status,
        fields: fromJson(fields_json),
        looks,
      }));
    },
    *countVerifications(runId) {
      const counts = {
        accepted: yield* countDone(context, runId),
        visible: 0,
        mismatch: 0,
        "not-visible": 0,
      };
      const found = yield* database.all(
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

function* saveVerifications(
  { database, clock }: JournalContext,
  runId: string,
  verifications: readonly Verification[],
): Steps<void> {
  for (const { row, status, fields, looks } of verifications) {
    const columns = {
      run_id: runId,
      row_no: row,
      status,
      fields_json: toJson(fields),
      looks,
      looked_at_ms: clock.now(),
    };
    yield* database.upsert("verification", ["run_id", "row_no"], columns);
  }
}

function* countDone(context: JournalContext, runId: string): Steps<number> {
  const done = yield* context.database.get(
    context.database.build
      .selectFrom("run_row")
      .select((select) => select.fn.countAll<number>().as("rows"))
      .where("run_id", "=", selectRun(context, runId))
      .where("state", "=", toLiteral("done")),
  );
  return done?.rows ?? 0;
}

interface BeforeValues {
  readonly save: VerificationLog["saveBefore"];
  readonly read: VerificationReads["readBefore"];
}

function createBeforeValues(context: JournalContext): BeforeValues {
  const { database } = context;
  const { build } = database;
  const saveAll = database.prepareInsert("before_value", ["run_id", "row_no", "product_json"], {
    replaceBy: ["run_id", "row_no"],
  });
  return {
    async save(runId, values) {
      if (values.length === 0) return;
      // Unsynced: the commit that makes the run `planned` syncs it, and nothing is sent before
      // that.
      await database.transactionUnsynced(() =>
        saveAll(
          values.map(({ row, product }) => ({
            run_id: runId,
            row_no: row,
            product_json: toJson(product),
          })),
        ),
      );
    },
    *read(runId, rows) {
      const found = yield* readInBatches(rows, (batch) =>
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
      return await database.execute(database.all(query.orderBy("action").orderBy("field")));
    },
    async saveCapabilities(findings) {
      await database.transaction(function* saveAll() {
        for (const { action, field, state } of findings) {
          const columns = { base_url: baseUrl, action, field, state, found_at_ms: clock.now() };
          yield* database.upsert("capability", ["base_url", "action", "field"], columns);
        }
      });
    },
    async forgetRefusals(fields) {
      if (fields.length === 0) return;
      const query = build
        .deleteFrom("capability")
        .where("base_url", "=", baseUrl)
        .where("action", "=", "update")
        .where("state", "=", "refused")
        .where("field", "in", fields);
      await database.transaction(() => database.run(query));
    },
  };
}
