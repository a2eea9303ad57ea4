/** Stores the rows of a sheet unchanged, and learns from them what depends on all rows. */

import type { Connection } from "@catalog/connection";
import type { Localized } from "@catalog/i18n";
import {
  createCodeSuspects,
  createSheetReader,
  type NumberNotations,
  type SheetReader,
  type SourceRow,
} from "@catalog/mapping";
import {
  cellInSheet,
  createCompactTextMap,
  createWriteBehind,
  type Journal,
  type RunWarning,
} from "@catalog/runs";

import { readRememberedNotations } from "../columns/remembered-readings.ts";
import { createSheetCount } from "../file/describe-file.ts";
import {
  createLeftOutRows,
  createSheetJoiner,
  createUnpublishedRows,
  type JoinedRows,
  KEEP_UNPUBLISHED,
  productBatches,
  type SheetJoiner,
  type SheetJoinerOptions,
  toMappingRow,
  type UnpublishedRows,
} from "../file/product-rows.ts";
import { createNameCases, type NameCase, type NameCases } from "../names/open-names.ts";
import type { OpenedRun } from "./make-plan.ts";
import type { PlanFileOptions } from "./plan-options.ts";

type CodeSuspects = ReturnType<typeof createCodeSuspects>;
type ParsedRow = Parameters<Connection["journal"]["appendRows"]>[1][number];

/** Rows written to the journal at a time. Of more, more is copied at each collection of garbage. */
const BATCH_ROWS = 200;

export interface StoredRows {
  readonly total: number;
  /** Warnings that name the rows that were left out. */
  readonly leftOut: readonly RunWarning[];
  /** How rows of products with variants were joined; `undefined` where no file has any. */
  readonly joined: JoinedRows | undefined;
  readonly notations: NumberNotations;
  /** Notes on the sheets, and on notations that differ from the accepted ones. */
  readonly notes: readonly Localized[];
  /** Codes of all rows, to find those that look alike. */
  readonly suspects: CodeSuspects;
  /** Combinations of names in the rows; `undefined` where there are too many to keep. */
  readonly cases: readonly NameCase[] | undefined;
}

interface StoreRowsOptions {
  readonly onProgress: PlanFileOptions["onProgress"] | undefined;
  /** Whether all cells of a row could be read. */
  readonly isWhole: (row: SourceRow) => boolean;
}

/** Stores the rows below the headers, and leaves out those that hold nothing of a product. */
export async function storeRows(
  connection: Pick<Connection, "journal" | "memory" | "baseUrl">,
  opened: OpenedRun,
  { isWhole, onProgress }: StoreRowsOptions,
): Promise<StoredRows> {
  const { sheet, mapping, recalled, notations: known } = opened;
  const { decimal } = recalled;
  const learnt = createLearnt(opened, isWhole, decimal);
  const leftOut = createLeftOutRows(mapping, sheet);
  const sheetCount = createSheetCount(sheet);
  await using saving = createWriteBehind();
  const appender = createAppender(connection.journal, opened, { learnt, saving, onProgress });
  const readRow: Appender["readRow"] = (row) => appender.readRow(row);
  const { unpublished, joiner } = createJoining(opened, { isWhole, readRow });
  for await (const rows of productBatches(sheet, mapping, (left, kind) =>
    leftOut.noteLeftOut(left, kind),
  )) {
    for (const row of rows) {
      leftOut.noteProduct(row);
      sheetCount.note(row.row);
      if (joiner !== undefined) await appender.appendAll(await joiner.push(row));
      else if (unpublished.keeps(row) && appender.isFullWith(row)) await appender.flush();
    }
  }
  await appender.appendAll(joiner?.finish() ?? []);
  await appender.flush();
  await saving.end();
  const { suspects, cases, observer } = learnt;
  await recallCodes(connection.journal, opened.runId, suspects);
  const { notes } = connection.memory;
  const read =
    known === undefined
      ? await readRememberedNotations({ ...connection, notes }, mapping, observer.decide())
      : { notations: known, notes: [] };
  return {
    total: appender.total(),
    leftOut: [...leftOut.warnings(), ...unpublished.warnings()],
    joined: joiner?.counts(),
    suspects,
    cases: cases.list(),
    notations: read.notations,
    notes: [...sheetCount.notes(), ...read.notes],
  };
}

interface Joining {
  readonly unpublished: UnpublishedRows;
  readonly joiner: SheetJoiner | undefined;
}

/** Rows of an earlier run were joined, and asked for, when it was planned. */
function createJoining(
  { sheet, mapping, isJoined }: Pick<OpenedRun, "sheet" | "mapping" | "isJoined">,
  { isWhole, readRow }: Pick<SheetJoinerOptions, "isWhole" | "readRow">,
): Joining {
  if (isJoined === true) return { unpublished: KEEP_UNPUBLISHED, joiner: undefined };
  const unpublished = createUnpublishedRows(mapping, { sheet, isWhole });
  return { unpublished, joiner: createSheetJoiner(mapping, { isWhole, readRow, unpublished }) };
}

/** What is learnt from the rows while they are stored. */
interface Learnt {
  readonly reader: SheetReader;
  readonly observer: ReturnType<SheetReader["observeNumbers"]>;
  readonly suspects: CodeSuspects;
  readonly cases: NameCases;
}

const createLearnt = (
  { sheet, mapping }: OpenedRun,
  isWhole: StoreRowsOptions["isWhole"],
  decimal: "comma" | "point" | undefined,
): Learnt => {
  const reader = createSheetReader(mapping, sheet.sheet);
  return {
    reader,
    observer: reader.observeNumbers({
      decimal,
      nameCell: (row, letter) => cellInSheet(sheet, row, letter),
    }),
    suspects: createCodeSuspects(createCompactTextMap()),
    cases: createNameCases(reader.groupNames(), isWhole),
  };
};

/** Writes rows to the journal in batches. */
interface Appender {
  /** Adds a row; returns whether the batch must be written before the next one. */
  isFullWith(row: SourceRow): boolean;
  appendAll(rows: readonly SourceRow[]): Promise<void>;
  flush(): Promise<void>;
  /** Reads a row that was added. */
  readRow(row: number): Promise<SourceRow | undefined>;
  /** Number of rows that were written. */
  total(): number;
}

interface AppenderOptions extends Pick<StoreRowsOptions, "onProgress"> {
  readonly learnt: Learnt;
  readonly saving: ReturnType<typeof createWriteBehind>;
}

function createAppender(
  journal: Connection["journal"],
  { runId }: Pick<OpenedRun, "runId">,
  { learnt, saving, onProgress }: AppenderOptions,
): Appender {
  let batch: ParsedRow[] = [];
  let total = 0;
  const flush = async (): Promise<void> => {
    const full = batch;
    batch = [];
    total += full.length;
    await saving.start(() => journal.appendRows(runId, full));
    onProgress?.({ step: "read", done: total, total: undefined });
  };
  const isFullWith = (row: SourceRow): boolean => {
    batch.push(toParsedRow(row, learnt));
    return batch.length === BATCH_ROWS;
  };
  return {
    flush,
    isFullWith,
    total: () => total,
    async appendAll(rows) {
      for (const row of rows) if (isFullWith(row)) await flush();
    },
    async readRow(row) {
      const waiting = batch.filter((each) => each.row === row);
      if (waiting.length === 0) await saving.end();
      const after = { after: row - 1, limit: 1 };
      const [found] = waiting.length > 0 ? waiting : await journal.readRows(runId, after);
      return found?.row === row ? toMappingRow(found) : undefined;
    },
  };
}

/** Only a row that is sent has a code. */
function toParsedRow(row: SourceRow, { reader, observer, suspects, cases }: Learnt): ParsedRow {
  observer.observe(row);
  if (!reader.isSent(row)) return { ...row, code: null, codeKey: null };
  cases.note(row);
  const { code = null, codeKey = null } = reader.codes.read(row) ?? {};
  if (code !== null) suspects.note(code, row.row);
  return { ...row, code, codeKey };
}

async function recallCodes(
  journal: Pick<Journal, "readRows">,
  runId: string,
  suspects: CodeSuspects,
): Promise<void> {
  for (const row of suspects.forgotten) {
    const [record] = await journal.readRows(runId, { after: row - 1, limit: 1 });
    if (record?.row !== row) throw new Error(`row ${row} was stored and is gone`);
    if (record.code !== null) suspects.recall(record.code);
  }
}
