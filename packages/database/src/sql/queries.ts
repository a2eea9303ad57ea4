/**
 * How queries are built: JSON columns, texts and lists as both databases take them, and statements that
 * are compiled once and run for every row. JSON columns hold only what this package wrote, so they are
 * read without validation.
 */

import { DummyDriver, type Expression, type Kysely, type RawBuilder, sql } from "kysely";
import type { ZodType } from "zod";

import { DatabaseError } from "../errors.ts";
import {
  type Arg,
  changeRows,
  type Compilable,
  type Database,
  noSteps,
  type OnKnown,
  type Queries,
  readRows,
  type SqlValue,
  type Steps,
  together,
} from "./database.ts";
import type { Schema } from "./schema.ts";

/** Writes a value as JSON text. */
export function toJson(value: unknown): string {
  return JSON.stringify(value);
}

/** Reads a value that was written with {@link toJson} from a value of the same type. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller knows its column
export function fromJson<Value>(text: string): Value {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by us, see above
  return JSON.parse(text) as Value;
}

/** Parses a stored note; `undefined` where it does not match the schema. */
export function parseNote<Note>(json: string | undefined, schema: ZodType<Note>): Note | undefined {
  return json === undefined ? undefined : schema.safeParse(fromJson<unknown>(json)).data;
}

const EMPTY_LIST = "[]";

/** Writes a list as JSON text; most lists are empty. */
export function toJsonList(list: readonly unknown[]): string {
  return list.length === 0 ? EMPTY_LIST : toJson(list);
}

/** Reads a list that was written with {@link toJsonList}. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller knows its column
export function fromJsonList<Item>(text: string): readonly Item[] {
  return text === EMPTY_LIST ? [] : fromJson<readonly Item[]>(text);
}

/**
 * PostgreSQL has no text with NUL (SQLSTATE 22021), and the driver would write half of a surrogate
 * pair as U+FFFD without a word. Both are written as U+FFFD there, in queries as well, so that what
 * was stored is found again.
 */
export function toStoredText(text: string): string {
  const formed = text.isWellFormed() ? text : text.toWellFormed();
  return formed.includes("\0") ? formed.replaceAll("\0", "\u{fffd}") : formed;
}

/**
 * A value that is written into the statement instead of bound to it. SQLite uses a partial index
 * only when the statement itself contains the index's condition (sqlite.org/partialindex.html,
 * section 3); pass constants only.
 */
export function toLiteral<const Value extends string>(value: Value): RawBuilder<Value> {
  return sql.lit(value);
}

/** Constants as a list, such as `'done', 'held'`. */
export const inList = (values: Iterable<string>): string =>
  [...new Set(values)].map((value) => `'${value}'`).join(", ");

/** Constants as the rows of `VALUES`. */
export const toValues = (rows: readonly (readonly string[])[]): string =>
  rows.map((row) => `(${row.map((value) => `'${value}'`).join(", ")})`).join(", ");

/** Functions of a dialect. */
interface DialectFunctions {
  /** Gives a value its type where nothing else gives it to PostgreSQL. */
  readonly asInteger: <Value>(value: Value) => RawBuilder<Value>;
  /**
   * All values of a column as one JSON text, in an order as `ORDER BY` has it; `null` or an empty list
   * where there is no row. @default in ascending order
   */
  readonly toJsonArray: (
    column: Expression<number>,
    order?: Expression<unknown>,
  ) => RawBuilder<string | null>;
  /** Whether the column contains the text, which is not empty. Upper and lower case differ. */
  readonly contains: (column: Expression<string>, text: string) => RawBuilder<boolean>;
  /** Selects the texts of a list that is given as JSON. */
  readonly listTexts: (list: string) => RawBuilder<string>;
  /** A text of a JSON object; `null` where it has none of this name, which is a constant. */
  readonly jsonText: (column: Expression<string>, name: string) => RawBuilder<string | null>;
}

export const dialectFunctions = (dialect: Database["dialect"]): DialectFunctions =>
  dialect === "sqlite"
    ? {
        asInteger: (value) => sql`${value}`,
        toJsonArray: (column, order = column) => sql`json_group_array(${column} ORDER BY ${order})`,
        contains: (column, text) => sql`instr(${column}, ${text}) > 0`,
        listTexts: (list) => sql`SELECT value FROM json_each(${list})`,
        jsonText: (column, name) => sql`json_extract(${column}, ${sql.lit(`$.${name}`)})`,
      }
    : {
        asInteger: (value) => sql`${value}::bigint`,
        toJsonArray: (column, order = column) => sql`json_agg(${column} ORDER BY ${order})::text`,
        contains: (column, text) => sql`strpos(${column}, ${text}) > 0`,
        listTexts: (list) => sql`SELECT json_array_elements_text(${list}::json)`,
        jsonText: (column, name) => sql`(${column}::json ->> ${sql.lit(name)})`,
      };

/**
 * Values in one `in (…)`, far below the maximum number of parameters. Each length of list is a
 * separate statement, and statements are cached; so lists are cut into batches of a few lengths.
 */
export const MAX_VALUES = 512;

/**
 * Reads rows for the values, each value once. A batch holds 1, 2, 4, … or {@link MAX_VALUES}
 * values; a shorter list is filled up with its first value, which finds no row twice.
 */
export function* readInBatches<Value, Row>(
  values: readonly Value[],
  read: (batch: readonly Value[]) => Steps<readonly Row[]>,
): Steps<Row[]> {
  const distinct = [...new Set(values)];
  const rows: Row[] = [];
  for (let start = 0; start < distinct.length; start += MAX_VALUES) {
    const batch = fill(distinct.slice(start, start + MAX_VALUES));
    for (const row of yield* read(batch)) rows.push(row);
  }
  return rows;
}

function fill<Value>(values: readonly Value[]): readonly Value[] {
  const length = 2 ** Math.ceil(Math.log2(values.length));
  return [
    ...values,
    ...values.slice(0, 1).flatMap((first) => repeat(first, length - values.length)),
  ];
}

const repeat = <Value>(value: Value, times: number): Value[] =>
  Array.from({ length: times }, () => value);

/** A list that is given later, for `in`. */
type LaterList<Value> = RawBuilder<Value>;

/**
 * Compiles a query for rows with any of some texts, for code that runs it for every row of a file;
 * the list is one text, of any length, and each text is looked for once.
 */
export function prepareLookup<Value extends string, Row>(
  database: Pick<Database, "prepareAll" | "dialect">,
  make: (values: LaterList<Value>) => Compilable<Row>,
): (values: readonly Value[]) => Steps<readonly Row[]> {
  const { listTexts } = dialectFunctions(database.dialect);
  const read = database.prepareAll<{ readonly list: string }, Row>((arg) =>
    make(sql<Value>`(${listTexts(arg("list"))})`),
  );
  return (values) =>
    values.length === 0
      ? noSteps([])
      : read({ list: toJson([...new Set<string>(values)].map(toStoredText)) });
}

/**
 * Makes the steps of a query with its values by `run`. The query is compiled once, when it is first run:
 * a command runs only some of the statements of its repositories.
 */
function prepareOne<Args extends object, Result>(
  make: (arg: Arg<Args>) => Compilable<unknown>,
  run: (text: string, input: readonly SqlValue[]) => Result,
): (args: Args) => Result {
  const compile = once(() => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it stands for the later value
    const arg = ((name: string) => new Placeholder(name)) as unknown as Arg<Args>;
    const { sql: text, parameters } = make(arg).compile();
    const values = parameters.map((value) =>
      value instanceof Placeholder ? value : { fixed: toInput(value) },
    );
    return { text, values };
  });
  return (args) => {
    const { text, values } = compile();
    return run(
      text,
      values.map((value) =>
        value instanceof Placeholder ? toInput(Reflect.get(args, value.name)) : value.fixed,
      ),
    );
  };
}

function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}

class Placeholder {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** Converts to the kinds of value that we store; throws for any other kind. */
export function toInput(value: unknown): SqlValue {
  if (value === null || typeof value === "string" || typeof value === "number") return value;
  if (value instanceof Uint8Array) return value;
  throw new TypeError(`cannot store a value of type ${typeof value}`);
}

/** Builds and compiles queries only; rejects when one is executed through it. */
export class NoDriver extends DummyDriver {
  override acquireConnection(): Promise<never> {
    return Promise.reject(new Error("give the query to the database instead of executing it"));
  }
}

const SAVEPOINT = "part";

function all<Row>(query: Compilable<Row>): Steps<Row[]> {
  const { sql: text, parameters } = query.compile();
  return readRows<Row>(text, parameters.map(toInput));
}

export function createQueries(build: Kysely<Schema>): Queries {
  return {
    build,
    all,
    *get(query) {
      return (yield* all(query))[0];
    },
    run(query) {
      const { sql: text, parameters } = query.compile();
      return changeRows(text, parameters.map(toInput));
    },
    upsert(table, key, columns) {
      const query = insertInto(table, Object.keys(columns), {
        rows: [Object.values(columns)],
        onKnown: { replaceBy: key },
      });
      const { sql: text, parameters } = query.compile(build);
      return changeRows(text, parameters.map(toInput));
    },
    prepare: (make) => prepareOne(make, changeRows),
    prepareGet<Args extends object, Row>(make: (arg: Arg<Args>) => Compilable<Row>) {
      return prepareOne(make, readFirst<Row>);
    },
    prepareAll<Args extends object, Row>(make: (arg: Arg<Args>) => Compilable<Row>) {
      return prepareOne(make, readRows<Row>);
    },
    prepareInsert(table, columns, onKnown) {
      const compileFor = (count: number): string => {
        const rows = Array.from({ length: count }, () => columns.map(() => 0));
        return insertInto(table, columns, { rows, onKnown }).compile(build).sql;
      };
      const one = once(() => compileFor(1));
      const many = once(() => compileFor(ROWS_AT_ONCE));
      const insert = (text: string, rows: readonly object[]): Steps<number> =>
        changeRows(
          text,
          rows.flatMap((row) => columns.map((name) => toInput(Reflect.get(row, name)))),
        );
      return function* insertRows(rows) {
        const whole = rows.length - (rows.length % ROWS_AT_ONCE);
        const inserting: Steps<number>[] = [];
        for (let at = 0; at < whole; at += ROWS_AT_ONCE) {
          inserting.push(insert(many(), rows.slice(at, at + ROWS_AT_ONCE)));
        }
        for (const row of rows.slice(whole)) inserting.push(insert(one(), [row]));
        const changes = yield* together<readonly number[]>(inserting);
        return changes.reduce((sum, changed) => sum + changed, 0);
      };
    },
    prepareUpdate: (table, key, columns) =>
      prepareText(build, [...columns, ...key], (value) => {
        const changes = columns.map((name) => sql`${sql.ref(name)} = ${value}`);
        return sql`UPDATE ${sql.table(table)} SET ${sql.join(changes)} WHERE ${matches(key, value)}`;
      }),
    prepareDelete: (table, key) =>
      prepareText(
        build,
        key,
        (value) => sql`DELETE FROM ${sql.table(table)} WHERE ${matches(key, value)}`,
      ),
    savepoint,
  };
}

/** Prepares a statement whose values are those of the columns in their order. */
function prepareText(
  build: Kysely<Schema>,
  columns: readonly string[],
  make: (value: number) => RawBuilder<unknown>,
): (row: object) => Steps<number> {
  const text = once(() => make(0).compile(build).sql);
  return (row) =>
    changeRows(
      text(),
      columns.map((name) => toInput(Reflect.get(row, name))),
    );
}

const matches = (key: readonly string[], value: number): RawBuilder<unknown> =>
  sql.join(
    key.map((name) => sql`${sql.ref(name)} = ${value}`),
    sql` AND `,
  );

/**
 * Rows in one statement. A statement that fires triggers keeps each changed page until it ends; one
 * statement for each row would keep the same page again and again.
 */
const ROWS_AT_ONCE = 50;

interface Inserted {
  /** Values of each row, in the order of the columns. */
  readonly rows: readonly (readonly unknown[])[];
  readonly onKnown: OnKnown<string> | undefined;
}

function insertInto(
  table: string,
  columns: readonly string[],
  { rows, onKnown }: Inserted,
): RawBuilder<unknown> {
  const insert = sql`INSERT INTO ${sql.table(table)} (${sql.join(columns.map((name) => sql.ref(name)))})
    VALUES ${sql.join(rows.map((values) => sql`(${sql.join(values)})`))}`;
  if (onKnown === undefined) return insert;
  if (onKnown === "keep") return sql`${insert} ON CONFLICT DO NOTHING`;
  const replaced = columns.map((name) => sql`${sql.ref(name)} = ${sql.ref(`excluded.${name}`)}`);
  return sql`${insert} ON CONFLICT (${sql.join(onKnown.replaceBy.map((name) => sql.ref(name)))})
    DO UPDATE SET ${sql.join(replaced)}`;
}

function* readFirst<Row>(...statement: Parameters<typeof readRows>): Steps<Row | undefined> {
  return (yield* readRows<Row>(...statement))[0];
}

function* savepoint<Result>(work: () => Steps<Result>): Steps<Result> {
  try {
    const [, result] = yield* together([changeRows(`SAVEPOINT ${SAVEPOINT}`, []), work()]);
    yield* changeRows(`RELEASE SAVEPOINT ${SAVEPOINT}`, []);
    return result;
  } catch (error) {
    yield* undo(error);
    throw error;
  }
}

function* undo(error: unknown): Steps<void> {
  try {
    yield* changeRows(`ROLLBACK TO SAVEPOINT ${SAVEPOINT}`, []);
    yield* changeRows(`RELEASE SAVEPOINT ${SAVEPOINT}`, []);
  } catch (undoing) {
    // On a full disk SQLite may have rolled back the whole transaction with its savepoints.
    throw error instanceof DatabaseError ? error : undoing;
  }
}
