/**
 * Checks all rows of a draft in slices, so that the event loop stays free: rows are grouped by their
 * codes first, then each is mapped and judged.
 */

import { createHash } from "node:crypto";
import { setImmediate } from "node:timers/promises";

import type { Connection } from "@catalog/connection";
import {
  CODE_KEYS,
  type ColumnMapping,
  createCodeSuspects,
  createSheetReader,
  type SourceRow,
  type NumberNotations,
} from "@catalog/mapping";
import { cellInSheet, createSameRequest } from "@catalog/runs";

import {
  type ColumnNotation,
  readRememberedNotations,
  type RememberedNotations,
} from "../columns/remembered-readings.ts";
import { createSheetJoiner, KEEP_UNPUBLISHED } from "../file/product-rows.ts";
import { lackedForAdd, readAlikeCodes, readShownCodes, type RowsOfCode } from "./draft-issues.ts";
import { type DraftSheet, readDraftRows } from "./draft-rows.ts";
import type { RowChecker } from "./row-checker.ts";
import type {
  DraftColumns,
  DraftRepository,
  DraftRow,
  RowFindings,
  RowKeys,
} from "./stored-draft.ts";

/** What other rows mean for a row. */
export interface CodeGroup extends RowsOfCode {
  readonly suspects: Pick<CodeSuspects, "judge" | "judgeAdd" | "propose"> | undefined;
}

/** Finds the groups of rows. */
export interface CodeGroups {
  read(row: DraftRow, code: string | undefined): Promise<CodeGroup>;
}

/** Rows of one code that are compared; more of them are never the same by chance. */
export const MAX_GROUP_ROWS = 1_000;
const MAX_KEPT = 1_000;

interface CodeGroupsOptions {
  readonly drafts: DraftRepository;
  readonly draft: string;
  readonly checker: Pick<RowChecker, "toSource" | "fold" | "prepare" | "toDraft" | "codes">;
  /** Whether all rows are checked, so that it pays to find the groups first. @default false */
  readonly isForAll?: boolean;
}

const ALONE = { rows: [], isIdentical: false, isCut: false };

/** Creates the groups of the rows as they are stored now. */
async function createCodeGroups(options: CodeGroupsOptions): Promise<CodeGroups> {
  const { drafts, draft, isForAll = false } = options;
  const repeated = isForAll ? new Set(await drafts.repeatedCodes(draft)) : undefined;
  const alike = isForAll ? new Set(await drafts.alikeKeys(draft)) : undefined;
  const zero = await readZeroLed(options);
  const groups = createKept<RowsOfCode>();
  const suspects = createKept<CodeSuspects>();
  const readGroup = async (key: string): Promise<RowsOfCode> => {
    const rows = await drafts.rowsWithCode(draft, key, MAX_GROUP_ROWS + 1);
    const isCut = rows.length > MAX_GROUP_ROWS;
    const isIdentical = rows.length > 1 && !isCut && (await asksForTheSame(options, rows));
    return { rows, isIdentical, isCut };
  };
  return {
    async read({ codeKey, alikeKey }, code) {
      if (codeKey === null || code === undefined) return { ...ALONE, suspects: undefined };
      const isAlone = repeated !== undefined && !repeated.has(codeKey);
      const group = isAlone ? ALONE : await groups(codeKey, () => readGroup(codeKey));
      const key = alikeKey ?? CODE_KEYS.suspect(code);
      const isUnlike = alike !== undefined && !alike.has(key);
      const readSuspects = async (): Promise<CodeSuspects> =>
        toSuspects(options, {
          zero,
          rows: isUnlike ? [] : await drafts.rowsAlike(draft, key, MAX_GROUP_ROWS),
        });
      return { ...group, suspects: await suspects(isUnlike ? "" : key, readSuspects) };
    },
  };
}

/** Keeps the latest results by key. */
function createKept<Value>(): (key: string, make: () => Promise<Value>) => Promise<Value> {
  const kept = new Map<string, Value>();
  return async (key, make) => {
    const known = kept.get(key);
    if (known !== undefined) return known;
    if (kept.size >= MAX_KEPT) kept.clear();
    const made = await make();
    kept.set(key, made);
    return made;
  };
}

/** Equal cells with different formats are different, as in the rows of a run. */
async function asksForTheSame(
  { drafts, draft, checker }: CodeGroupsOptions,
  numbers: readonly number[],
): Promise<boolean> {
  const stored = await drafts.readRowsAt(draft, numbers);
  const rows = stored.map((row) => checker.fold(checker.toSource(row)));
  const digests = rows.map(({ cells, formats, joined }) =>
    createHash("sha256")
      .update(JSON.stringify([cells, formats ?? null, joined ?? null]))
      .digest("base64"),
  );
  if (new Set(digests).size === 1) return true;
  const isSame = createSameRequest();
  for (const row of rows) {
    await checker.prepare(row);
    if (!isSame(checker.toDraft(row))) return false;
  }
  return true;
}

/** The code that shows that others have lost their leading zeros. */
async function readZeroLed({ drafts, draft }: CodeGroupsOptions): Promise<string | undefined> {
  return (await drafts.shortestZeroLed(draft))?.codeKey;
}

async function toSuspects(
  { drafts, draft, checker }: CodeGroupsOptions,
  { zero, rows }: { readonly zero: string | undefined; readonly rows: readonly number[] },
): Promise<CodeSuspects> {
  const suspects = createCodeSuspects();
  const codes = new Map<number, string>();
  for (const row of await drafts.readRowsAt(draft, rows)) {
    const code = checker.codes.read(checker.toSource(row))?.code;
    if (code !== undefined) codes.set(row.row, code);
  }
  for (const [row, code] of codes) suspects.note(code, row);
  for (const row of suspects.forgotten) {
    const code = codes.get(row);
    if (code !== undefined) suspects.recall(code);
  }
  // Noted last: a code without others like it adds nothing but its zeros.
  if (zero !== undefined && ![...codes.values()].includes(zero)) suspects.note(zero, 0);
  return suspects;
}

/** Rows of one slice. */
const SLICE_ROWS = 20;

/** What a check works on. */
export interface CheckContext {
  readonly connection: Pick<Connection, "codes" | "journal" | "runs">;
  readonly drafts: DraftRepository;
  readonly sheet: DraftSheet;
  readonly checker: RowChecker;
  readonly signal?: AbortSignal | undefined;
  readonly onRows?: ((done: number) => void) | undefined;
}

type CodeSuspects = ReturnType<typeof createCodeSuspects>;

/** The notations of a draft, and what a person is asked about them. */
interface DraftNotations extends RememberedNotations {
  /** Columns whose numbers only a person can tell apart, also where one has. */
  readonly unclear: NonNullable<NumberNotations["unclear"]>;
}

/** Decides the notation of the numbers of a draft from all its rows. */
export async function decideDraftNotations(
  { memory: { notes }, baseUrl }: Pick<Connection, "memory" | "baseUrl">,
  { drafts, sheet, signal }: Pick<CheckContext, "drafts" | "sheet" | "signal">,
  {
    mapping,
    decimal,
    given,
  }: {
    readonly mapping: ColumnMapping;
    readonly decimal: "comma" | "point" | undefined;
    /** Decimal sign by header, where a person has given it. */
    readonly given: DraftColumns["decimals"];
  },
): Promise<DraftNotations> {
  const observer = createSheetReader(mapping).observeNumbers({
    decimal,
    nameCell: (row, letter) => cellInSheet(sheet, row, letter),
  });
  for await (const rows of readDraftRows(drafts, sheet.draft)) {
    signal?.throwIfAborted();
    for (const row of rows) if (row.status !== "excluded") observer.observe(sheet.effective(row));
    await setImmediate();
  }
  const decided = observer.decide();
  const { notations, ...rest } = await readRememberedNotations(
    { notes, baseUrl },
    mapping,
    decided,
  );
  const decisions = [...(decided.unclear ?? [])].map(([index, numbers]) => {
    const answer = given?.[mapping.columns[index]?.header ?? ""];
    return { index, numbers, answer };
  });
  const answered = decisions.flatMap(({ index, answer }) =>
    answer === undefined ? [] : [[index, { decimal: answer, isMixed: false }] as const],
  );
  // What an accepted plan has taught needs no answer.
  const asked = decisions.filter(
    ({ index, answer }) =>
      answer !== undefined || notations.columns.get(index)?.decimal === undefined,
  );
  const withAnswers = new Map<number, ColumnNotation>([...notations.columns, ...answered]);
  return {
    ...rest,
    notations: { ...notations, columns: withAnswers },
    unclear: new Map(asked.map(({ index, numbers }) => [index, numbers])),
  };
}

/**
 * Groups all rows by their codes and joins the rows of products with variants. Returns the rows
 * whose keys were others before.
 */
export async function groupDraftRows(context: CheckContext): Promise<readonly number[]> {
  const { drafts, sheet, checker, signal } = context;
  const { draft } = sheet;
  const changed: number[] = [];
  const save = async ({ keys, before }: KeyedRows): Promise<void> => {
    const fresh = keys.filter((each) => isNew(each, before.get(each.row)));
    for (const { row } of fresh) changed.push(row);
    if (fresh.length > 0) await drafts.transact((tables) => tables.saveKeys(draft, fresh));
  };
  const joiner = createJoiner(context);
  for await (const rows of readDraftRows(drafts, draft)) {
    signal?.throwIfAborted();
    if (joiner === undefined) {
      await save({ keys: rows.map((row) => checker.toKeys(row)), before: byNumber(rows) });
    } else {
      const joined = await joinRows(joiner, { rows, checker, sheet });
      for (const part of [joined.alone, await keysOfJoined(context, joined.rows)]) {
        await save(part);
      }
    }
    await setImmediate();
  }
  await save(await keysOfJoined(context, joiner?.finish() ?? []));
  return changed;
}

const byNumber = (rows: readonly DraftRow[]): ReadonlyMap<number, DraftRow> =>
  new Map(rows.map((row) => [row.row, row]));

const isNew = (keys: RowKeys, before: DraftRow | undefined): boolean =>
  before === undefined ||
  before.status !== keys.status ||
  before.codeKey !== keys.codeKey ||
  before.alikeKey !== keys.alikeKey ||
  JSON.stringify(before.joined) !== JSON.stringify(keys.joined);

type Joiner = NonNullable<ReturnType<typeof createSheetJoiner>>;

function createJoiner({ drafts, sheet, checker }: CheckContext): Joiner | undefined {
  return createSheetJoiner(checker.mapping, {
    isWhole: checker.isWhole,
    unpublished: KEEP_UNPUBLISHED,
    readRow: async (row) => {
      const [found] = await drafts.readRowsAt(sheet.draft, [row]);
      return found === undefined ? undefined : checker.toSource(found);
    },
  });
}

interface KeyedRows {
  readonly keys: readonly RowKeys[];
  readonly before: ReadonlyMap<number, DraftRow>;
}

/** Rows that are no products do not reach the joiner. */
async function joinRows(
  joiner: Joiner,
  {
    rows,
    checker,
    sheet,
  }: Pick<CheckContext, "checker" | "sheet"> & {
    readonly rows: readonly DraftRow[];
  },
): Promise<{ readonly alone: KeyedRows; readonly rows: readonly SourceRow[] }> {
  const alone: DraftRow[] = [];
  const joined: SourceRow[] = [];
  for (const row of rows) {
    const source = sheet.effective(row);
    if (row.status === "excluded" || !checker.isProduct(source)) alone.push(row);
    else joined.push(...(await joiner.push(source)));
  }
  const keys = alone.map((row) => checker.toKeys(row));
  return { alone: { keys, before: byNumber(alone) }, rows: joined };
}

async function keysOfJoined(
  { drafts, sheet, checker }: CheckContext,
  joined: readonly SourceRow[],
): Promise<KeyedRows> {
  if (joined.length === 0) return { keys: [], before: new Map() };
  const before = byNumber(
    await drafts.readRowsAt(
      sheet.draft,
      joined.map(({ row }) => row),
    ),
  );
  const keys = joined.flatMap((row) => {
    const stored = before.get(row.row);
    return stored === undefined ? [] : [checker.toKeys(stored, row.joined)];
  });
  return { keys, before };
}

/** Checks every row; returns whether it was known which of them are new to the store. */
export async function checkAllRows(context: CheckContext): Promise<boolean> {
  const { drafts, sheet, checker, signal, onRows } = context;
  const { draft } = sheet;
  for (;;) {
    const { renewedLists } = checker.mapper;
    const isStoreKnown = await knowsStore(context);
    const groups = await createCodeGroups({ drafts, draft, checker, isForAll: true });
    await drafts.transact((tables) => tables.clearFindings(draft));
    let done = 0;
    for await (const rows of readDraftRows(drafts, draft)) {
      for (let at = 0; at < rows.length; at += SLICE_ROWS) {
        signal?.throwIfAborted();
        await checkSlice(context, { rows: rows.slice(at, at + SLICE_ROWS), groups, isStoreKnown });
        await setImmediate();
      }
      done += rows.length;
      onRows?.(done);
    }
    // A list that was fetched again may know the names of rows before.
    if (checker.mapper.renewedLists === renewedLists) return isStoreKnown;
  }
}

/** For more rows it pays to find the groups of codes first. */
const MAX_SINGLE_ROWS = 500;

/** Checks some rows again, as they are stored now. */
export async function recheckRows(
  context: CheckContext,
  numbers: readonly number[],
): Promise<void> {
  const { drafts, sheet, checker } = context;
  const { draft } = sheet;
  const isForAll = numbers.length > MAX_SINGLE_ROWS;
  const groups = await createCodeGroups({ drafts, draft, checker, isForAll });
  const isStoreKnown = await knowsStore(context);
  for (let at = 0; at < numbers.length; at += SLICE_ROWS) {
    const rows = await drafts.readRowsAt(draft, numbers.slice(at, at + SLICE_ROWS));
    await checkSlice(context, { rows, groups, isStoreKnown, isRepeated: true });
    if (at > 0) await setImmediate();
  }
}

interface Slice {
  readonly rows: readonly DraftRow[];
  readonly groups: CodeGroups;
  readonly isStoreKnown: boolean;
  readonly isRepeated?: boolean;
}

/** Runs among which the last one that has read the store is looked for. */
const RECENT_RUNS = 20;

/**
 * Whether the last reading of the store has shown all its products, where it matters: rows of a file
 * that lacks columns can only change products that are there.
 */
export async function knowsStore({
  connection,
  checker,
}: Pick<CheckContext, "connection" | "checker">): Promise<boolean> {
  if (lackedForAdd(checker.mapping).length === 0) return false;
  const runs = await connection.runs.list(RECENT_RUNS);
  return runs.find(({ facts }) => facts !== null)?.facts?.readBy === "listing";
}

async function checkSlice(
  { connection, drafts, sheet, checker }: CheckContext,
  { rows, groups, isStoreKnown, isRepeated = false }: Slice,
): Promise<void> {
  const { journal } = connection;
  const { listed, absent } = await readProducts(journal, rows, isStoreKnown);
  const unlisted = rows.flatMap(({ row, codeKey }) =>
    codeKey === null || listed.has(codeKey) ? [] : [{ row, codeKey }],
  );
  const alike = await readAlikeCodes(connection, unlisted);
  const ids = rows.map((row) => checker.mapper.readProductId?.(checker.toSource(row)));
  const shownCode = await readShownCodes(
    journal,
    ids.filter((id) => id !== undefined),
  );
  const found: RowFindings[] = [];
  for (const row of rows) {
    const codeKey = row.codeKey ?? "";
    const of = {
      isListed: listed.has(codeKey),
      isAbsent: absent.has(codeKey),
      lookAlikes: alike.get(row.row),
      shownCode,
    };
    const each = await checker.check(row, groups, of);
    // Most rows of a new draft are sound, as they are stored.
    if (!isStored(each, row)) found.push(each);
  }
  if (found.length === 0) return;
  await drafts.transact((tables) => tables.saveFindings(sheet.draft, found, { isRepeated }));
}

const isStored = ({ status, issues }: RowFindings, row: DraftRow): boolean =>
  status === row.status && issues.length === 0 && row.issues.length === 0;

/** Codes of rows that the store has shown, and those that neither it nor an earlier run has. */
async function readProducts(
  journal: CheckContext["connection"]["journal"],
  rows: Slice["rows"],
  isStoreKnown: boolean,
): Promise<{ readonly listed: ReadonlySet<string>; readonly absent: ReadonlySet<string> }> {
  const codes = rows.map(({ codeKey }) => codeKey).filter((key) => key !== null);
  const listed = await journal.readSeenCodes(codes);
  if (!isStoreKnown) return { listed, absent: new Set() };
  const sent = new Set((await journal.readKnownCodes(codes)).map(({ codeKey }) => codeKey));
  return { listed, absent: new Set(codes).difference(listed).difference(sent) };
}
