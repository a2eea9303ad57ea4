/**
 * The rows of a run for reports, with the results of reading back and advice for rows that were
 * given up.
 */

import { type Connection, fieldLabel } from "@catalog/connection";
import type { Lang, Localized } from "@catalog/i18n";
import {
  isAction,
  isBlocking,
  readAllRows,
  type RowIssue,
  type RowRecord,
  type RunRecord,
  type VerificationCounts,
  type Journal,
  type PaidPrices,
  type Verification,
} from "@catalog/runs";

import {
  createReadIdNames,
  findFieldLocation,
  formatFieldValue,
  type IdNames,
  isIdField,
  readBuyerPrices,
} from "./field-values.ts";

/** A row whose issues include those of reading back, with what buyers pay for its product. */
export interface ReportedRow extends RowRecord {
  /** Result of reading back; only of rows that are done. */
  readonly verification: keyof VerificationCounts | undefined;
  /** What buyers pay, where a discount makes it differ from the price. */
  readonly paid: PaidPrices | undefined;
  /** Fields that reading back has shown otherwise than the row states them. @default none */
  readonly shown?: Verification["fields"] | undefined;
  /** The row as it is stored, without the issues of reading back. */
  readonly stored: RowRecord;
}

/** Verifications read at a time. */
const BATCH_ROWS = 500;

/** The rows of a run in the order of the sheet, in batches: all of them or those of a kind. */
export async function* readReported(
  connection: Connection,
  run: RunRecord,
  kind: Pick<Parameters<Journal["readRows"]>[1], "states" | "mayHaveIssues"> = {},
): AsyncGenerator<readonly ReportedRow[]> {
  const verifications = readVerifications(connection, run);
  const readNames = createReadMismatchNames(connection, run);
  let next = await verifications.next();
  for await (const records of readAllRows(connection.journal, run.id, kind)) {
    const prices = await readBuyerPrices(connection, run, records);
    const rows: ReportedRow[] = [];
    for (const record of records) {
      while (next.done !== true && next.value.row < record.row) next = await verifications.next();
      const isOf = next.done !== true && next.value.row === record.row;
      const verification = isOf && next.done !== true ? next.value : undefined;
      const names = await readNames(record, verification);
      rows.push(toReported(run, record, { verification, names, paid: prices.get(record.row) }));
    }
    yield rows;
  }
}

/** Which rows to read at once. */
interface ReportedPage {
  /** Only rows with a higher number than this one. */
  readonly after: number;
  readonly limit: number;
}

type ReportedParts = Pick<Connection, "journal" | "verificationLog" | "memory" | "baseUrl">;

/** Reads some rows in the order of the sheet. */
export async function readReportedPage(
  connection: ReportedParts,
  run: RunRecord,
  page: ReportedPage,
): Promise<readonly ReportedRow[]> {
  return await report(connection, run, await connection.journal.readRows(run.id, page));
}

/** A hole that is read with the rows around it, as a further reading takes longer. */
const MAX_HOLE = 3;

/** Reads the rows with these numbers, in their order; unknown numbers are left out. */
export async function readReportedRows(
  connection: ReportedParts,
  run: RunRecord,
  numbers: readonly number[],
): Promise<readonly ReportedRow[]> {
  const records: RowRecord[] = [];
  const asked = new Set(numbers);
  for (const { first, last } of toSpans(
    [...asked].toSorted((a, b) => a - b),
    MAX_HOLE,
  )) {
    const filter = { after: first - 1, limit: last - first + 1 };
    const found = await connection.journal.readRows(run.id, filter);
    records.push(...found.filter(({ row }) => asked.has(row)));
  }
  const byRow = new Map((await report(connection, run, records)).map((row) => [row.row, row]));
  return numbers.flatMap((row) => byRow.get(row) ?? []);
}

interface Span {
  readonly first: number;
  readonly last: number;
}

/** Joins sorted numbers whose neighbours differ by at most so much. */
function toSpans(sorted: readonly number[], maxStep: number): readonly Span[] {
  const spans: Span[] = [];
  for (const row of sorted) {
    const open = spans.at(-1);
    if (open !== undefined && row - open.last <= maxStep) {
      spans[spans.length - 1] = { first: open.first, last: row };
    } else {
      spans.push({ first: row, last: row });
    }
  }
  return spans;
}

/** Adds what reading back has found, and what buyers pay, to records in the order of the sheet. */
async function report(
  connection: ReportedParts,
  run: RunRecord,
  records: readonly RowRecord[],
): Promise<readonly ReportedRow[]> {
  if (records.length === 0) return [];
  // Only rows that are done are read back.
  const done = records.filter(({ state }) => state === "done").map(({ row }) => row);
  const verified = new Map<number, Verification>();
  for (const { first, last } of toSpans(done, MAX_APART)) {
    const span = last - first + 1;
    const found = await connection.verificationLog.readVerifications(run.id, first - 1, span);
    for (const verification of found) verified.set(verification.row, verification);
  }
  const readNames = createReadMismatchNames(connection, run);
  const prices = await readBuyerPrices(connection, run, records);
  const rows: ReportedRow[] = [];
  for (const record of records) {
    const verification = verified.get(record.row);
    const names = await readNames(record, verification);
    rows.push(toReported(run, record, { verification, names, paid: prices.get(record.row) }));
  }
  return rows;
}

/** Verifications between rows that are further apart are not read. */
const MAX_APART = 100;

/** Creates the function that reads the names of the ids that reading back has found to differ. */
function createReadMismatchNames(
  connection: Parameters<typeof createReadIdNames>[0],
  run: RunRecord,
): (record: RowRecord, verification: Verification | undefined) => Promise<IdNames> {
  const readNames = createReadIdNames(connection, run);
  return async (record, verification) => {
    const found = verification?.fields.filter(({ field }) => isIdField(field)) ?? [];
    if (found.length === 0) return new Map();
    const changes = found.map(({ field, sent, seen }) => ({ field, old: seen, new: sent }));
    return await readNames({ ...record, changes });
  };
}

async function* readVerifications(
  { verificationLog }: Connection,
  { id }: RunRecord,
): AsyncGenerator<Verification, undefined> {
  let after = 0;
  for (;;) {
    const batch = await verificationLog.readVerifications(id, after, BATCH_ROWS);
    const last = batch.at(-1);
    if (last === undefined) return undefined;
    yield* batch;
    after = last.row;
  }
}

/** Result of reading a row back, the names of its ids, and what buyers pay. */
interface FoundBack {
  readonly verification: Verification | undefined;
  readonly names: IdNames;
  readonly paid: PaidPrices | undefined;
}

function toReported(
  run: RunRecord,
  stored: RowRecord,
  { verification, names, paid }: FoundBack,
): ReportedRow {
  if (stored.state !== "done")
    return { ...stored, paid, issues: issuesOf(run, stored), stored, verification: undefined };
  const status = verification?.status ?? "accepted";
  const issues = stored.issues.map(toDoneIssue);
  if (verification === undefined || status === "visible") {
    const shown = verification?.fields;
    const changes = withSeen(stored, verification);
    return { ...stored, changes, paid, issues, stored, shown, verification: status };
  }
  const found =
    status === "not-visible"
      ? [isAction(stored.action) ? toGone(run, stored) : toNotVisible(run, stored)]
      : verification.fields.map((field) => toMismatch(run, stored, { ...field, names }));
  return { ...stored, paid, stored, verification: status, issues: [...issues, ...found] };
}

/** The changes of an action, with what the store has shown in place of what nobody could know. */
function withSeen(
  { action, changes }: RowRecord,
  verification: Verification | undefined,
): RowRecord["changes"] {
  if (!isAction(action) || verification === undefined) return changes;
  return changes.map((change) => {
    const { isAssumed: _, ...known } = change;
    const found = verification.fields.find(({ field }) => field === change.field);
    return found === undefined ? known : Object.assign(known, { new: found.seen });
  });
}

/** What a plan has announced, once it is done; any other issue stays as it is. */
function toDoneIssue(issue: RowIssue): RowIssue {
  return issue.code === "W_UNDO_ADD_EMPTIED" ? { ...issue, message: STOCK_EMPTIED } : issue;
}

const STOCK_EMPTIED: Localized = {
  tr: "Bu satır bir ürün eklemişti; ürün silinemez, onun yerine stoğu 0 oldu.",
  en: "This row added a product; it cannot be deleted, so its stock is 0 now instead.",
};

const locationOf = ({ file }: RunRecord, { row, code }: RowRecord) => ({
  sheet: file.sheet,
  row,
  column: "",
  cell: "",
  value: code ?? "",
});

const toNotVisible = (run: RunRecord, record: RowRecord): RowIssue => ({
  ...locationOf(run, record),
  code: "W_NOT_VISIBLE",
  message: {
    tr: "Pazaryeri kabul etti, ama ürün mağaza listesinde henüz görünmüyor.",
    en: "The marketplace has accepted it, but the store's listing does not show the product yet.",
  },
  suggestion: {
    tr: `Onay bekliyor olabilir. Sonra yeniden bakmak için: catalog report ${run.id}`,
    en: `It may be waiting for approval. To look again later: catalog report ${run.id}`,
  },
});

const toGone = (run: RunRecord, record: RowRecord): RowIssue => ({
  ...locationOf(run, record),
  code: "W_NOT_VISIBLE",
  message: {
    tr: "Pazaryeri kabul etti, ama kayıt mağazanın listesinde artık görünmüyor.",
    en: "The marketplace has accepted it, but the store's listing does not show the record any more.",
  },
});

function toMismatch(
  run: RunRecord,
  record: RowRecord,
  { field, sent, seen, isOld, names }: Verification["fields"][number] & Pick<FoundBack, "names">,
): RowIssue {
  const describe = (lang: Lang) => ({
    name: fieldLabel(field, lang),
    sent: formatFieldValue(field, sent, { payload: record.payload, lang, names }),
    seen: formatFieldValue(field, seen, { payload: record.payload, lang, names }),
  });
  const [tr, en] = [describe("tr"), describe("en")];
  return {
    ...findFieldLocation(run, record, field),
    code: "W_MISMATCH",
    message: {
      tr: `${tr.name} (${field}): ${tr.sent} gönderildi, mağazada ${tr.seen} görünüyor${isOld ? " (eski değer)" : ""}.`,
      en: `${en.name} (${field}): ${en.sent} was sent, the store shows ${en.seen}${isOld ? " (the old value)" : ""}.`,
    },
    suggestion: {
      tr: `Panelden bakın. Sonra yeniden karşılaştırmak için: catalog report ${run.id}`,
      en: `Look at it in the panel. To compare again later: catalog report ${run.id}`,
    },
  };
}

/** Later syncs send what the feed says, so that nothing is imported. */
const IMPORT_AGAIN: Localized = {
  tr: "Satırdan vazgeçildi; yapılacak bir şey yok. Yine de gönderilecekse satırı kendi dosyanızda düzeltip dosyayı yeniden yükleyin.",
  en: "The row was given up; there is nothing to do. To send it after all, correct the row in your own file and import that file again.",
};

/**
 * The issues of a row. Advice to decide about a row is replaced where it was given up, as nothing
 * can be approved any more.
 */
export function issuesOf(
  { kind }: Pick<RunRecord, "kind">,
  { state, issues }: Pick<RowRecord, "state" | "issues">,
): readonly RowIssue[] {
  if (state !== "cancelled") return issues;
  const first = kind === "sync" ? -1 : issues.findIndex(isBlocking);
  return issues.map(({ suggestion: _decide, ...issue }, index) =>
    index === first ? { ...issue, suggestion: IMPORT_AGAIN } : issue,
  );
}
