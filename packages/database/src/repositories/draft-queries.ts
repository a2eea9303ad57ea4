/** Questions about all rows of a draft, each answered by one indexed query. */

import { sql } from "kysely";

import type { Database, Steps } from "../sql/database.ts";
import { dialectFunctions, fromJson } from "../sql/queries.ts";
import type { DraftRowCounts, DraftRowFilter } from "./drafts.ts";

/** Finds rows of drafts by their codes, names, issues and texts, as steps. */
export interface DraftQueries {
  /** Numbers of the rows of a filter, in the order of the sheet; rows that are no products are left out. */
  order(draft: string, filter: DraftRowFilter): Steps<Uint32Array>;
  counts(draft: string): Steps<DraftRowCounts>;
  /** Rows with a product code, in the order of the sheet. */
  rowsWithCode(draft: string, codeKey: string, limit: number): Steps<readonly number[]>;
  /** Rows whose codes look alike, in the order of the sheet. */
  rowsAlike(draft: string, alikeKey: string, limit: number): Steps<readonly number[]>;
  /** Codes that stand in several rows. */
  repeatedCodes(draft: string): Steps<readonly string[]>;
  /** Keys of codes that differ and look alike. */
  alikeKeys(draft: string): Steps<readonly string[]>;
  /** The shortest code with a leading zero and digits only, first in the sheet. */
  shortestZeroLed(
    draft: string,
  ): Steps<{ readonly row: number; readonly codeKey: string } | undefined>;
  /** Keys of the open names with their rows, in the order of the sheet. */
  openNames(
    draft: string,
  ): Steps<readonly { readonly key: string; readonly rows: number; readonly first: number }[]>;
  rowsWithName(draft: string, nameKey: string): Steps<readonly number[]>;
}

/** Creates the queries. */
export function createDraftQueries(database: Database): DraftQueries {
  return {
    ...createOrder(database),
    ...createCodeQueries(database),
    ...createNameQueries(database),
  };
}

const STATUS = { errors: "error", warnings: "warn", excluded: "excluded" } as const;

function createOrder(database: Database): Pick<DraftQueries, "order" | "counts"> {
  const { build } = database;
  const { toJsonArray, contains } = dialectFunctions(database.dialect);
  return {
    *order(draft, { show, code, folded }) {
      let query = build
        .selectFrom("draft_row")
        // One text, because an object for each row takes longer than finding it.
        .select(toJsonArray(sql.ref<number>("row_no")).as("rows"))
        .where("draft", "=", draft);
      query =
        show === undefined || show === "edited"
          ? query.where("status", "<>", "left")
          : query.where("status", "=", STATUS[show]);
      if (show === "edited") {
        const edited = build.selectFrom("draft_row").select("row_no").where("draft", "=", draft);
        query = query.where("row_no", "in", edited.where("is_edited", "=", 1));
      }
      if (code !== undefined) {
        const found = build.selectFrom("draft_issue").select("row_no");
        query = query.where(
          "row_no",
          "in",
          found.where("draft", "=", draft).where("code", "=", code),
        );
      }
      if (folded !== undefined && folded !== "") {
        query = query.where(contains(sql.ref<string>("folded"), folded));
      }
      const found = yield* database.get(query);
      return Uint32Array.from(fromJson<number[]>(found?.rows ?? "[]"));
    },
    counts: (draft) => readCounts(database, draft),
  };
}

function* readCounts(database: Database, draft: string): Steps<DraftRowCounts> {
  const { build } = database;
  const rowCount = sql<number>`count(*)`;
  const statuses = yield* database.all(
    build
      .selectFrom("draft_row")
      .select(["status", rowCount.as("rows")])
      .where("draft", "=", draft)
      .groupBy("status"),
  );
  const of = (status: string): number => statuses.find((each) => each.status === status)?.rows ?? 0;
  const edited = yield* database.get(
    build
      .selectFrom("draft_row")
      .select(rowCount.as("rows"))
      .where("draft", "=", draft)
      .where("is_edited", "=", 1),
  );
  const kinds = yield* database.all(
    build
      .selectFrom("draft_issue")
      .select(["code", "severity", rowCount.as("rows")])
      .where("draft", "=", draft)
      .groupBy(["code", "severity"])
      .orderBy("rows", "desc")
      .orderBy("code"),
  );
  const names = yield* database.get(
    build
      .selectFrom("draft_name")
      .select(sql<number>`count(DISTINCT name_key)`.as("rows"))
      .where("draft", "=", draft),
  );
  return {
    ok: of("ok"),
    warn: of("warn"),
    error: of("error"),
    excluded: of("excluded"),
    edited: edited?.rows ?? 0,
    kinds: kinds.map(({ code, severity, rows }) => ({
      code,
      severity: severity === "error" ? "error" : "warning",
      rows,
    })),
    openNames: names?.rows ?? 0,
  };
}

type CodeQueries = Pick<
  DraftQueries,
  "rowsWithCode" | "rowsAlike" | "repeatedCodes" | "alikeKeys" | "shortestZeroLed"
>;

function createCodeQueries(database: Database): CodeQueries {
  const { build } = database;
  const rowsBy = (
    column: "code_key" | "alike_key",
  ): ((draft: string, key: string, limit: number) => Steps<readonly number[]>) => {
    const read = database.prepareAll<
      { draft: string; key: string; limit: number },
      { row_no: number }
    >((arg) =>
      build
        .selectFrom("draft_row")
        .select("row_no")
        .where("draft", "=", arg("draft"))
        .where(column, "=", arg("key"))
        // Sorted below: a sorted query would read all rows in their order instead of the index.
        .limit(arg("limit")),
    );
    return function* readRows(draft, key, limit) {
      const found = yield* read({ draft, key, limit });
      return found.map(({ row_no: row }) => row).toSorted((a, b) => a - b);
    };
  };
  const rowsOf = (draft: string) => build.selectFrom("draft_row").where("draft", "=", draft);
  return {
    rowsWithCode: rowsBy("code_key"),
    rowsAlike: rowsBy("alike_key"),
    *repeatedCodes(draft) {
      const found = yield* database.all(
        rowsOf(draft)
          .select(sql<string>`code_key`.as("key"))
          .where("code_key", "is not", null)
          .groupBy("code_key")
          .having(sql<boolean>`count(*) > 1`),
      );
      return found.map(({ key }) => key);
    },
    *alikeKeys(draft) {
      const found = yield* database.all(
        rowsOf(draft)
          .select(sql<string>`alike_key`.as("key"))
          .where("alike_key", "is not", null)
          .groupBy("alike_key")
          .having(sql<boolean>`min(code_key) <> max(code_key)`),
      );
      return found.map(({ key }) => key);
    },
    shortestZeroLed: (draft) => readShortestZeroLed(database, draft),
  };
}

function* readShortestZeroLed(
  { build, get }: Pick<Database, "build" | "get">,
  draft: string,
): ReturnType<DraftQueries["shortestZeroLed"]> {
  const found = yield* get(
    build
      .selectFrom("draft_row")
      .where("draft", "=", draft)
      .select(["row_no", sql<string>`code_key`.as("key")])
      .where("code_key", ">=", "0")
      .where("code_key", "<", "1")
      .where(sql<boolean>`length(code_key) > 1 AND ltrim(code_key, '0123456789') = ''`)
      .orderBy(sql`length(code_key)`)
      .orderBy("row_no")
      .limit(1),
  );
  return found && { row: found.row_no, codeKey: found.key };
}

function createNameQueries(database: Database): Pick<DraftQueries, "openNames" | "rowsWithName"> {
  const names = (draft: string) =>
    database.build.selectFrom("draft_name").where("draft", "=", draft);
  return {
    openNames: (draft) =>
      database.all(
        names(draft)
          .select([
            "name_key as key",
            sql<number>`count(*)`.as("rows"),
            sql<number>`min(row_no)`.as("first"),
          ])
          .groupBy("name_key")
          .orderBy("first")
          .orderBy("key"),
      ),
    *rowsWithName(draft, key) {
      const found = yield* database.all(
        names(draft).select("row_no").where("name_key", "=", key).orderBy("row_no"),
      );
      return found.map(({ row_no: row }) => row);
    },
  };
}
