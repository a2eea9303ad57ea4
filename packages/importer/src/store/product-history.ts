/**
 * What our runs have changed of one product, over all of them, and how it is taken back. Makes no
 * call.
 */

import type { Connection } from "@catalog/connection";
import { idSchemas, type ProductId } from "@catalog/contract";
import type { Lang } from "@catalog/i18n";
import { codeKey } from "@catalog/mapping";
import { readRowViews, type ViewedChange } from "@catalog/report";
import { hasSent, type RowRecord, type RunRecord, type UndoPart } from "@catalog/runs";

/** A row that has sent something about a product, and its run. */
export interface ProductRow {
  readonly run: RunRecord;
  readonly record: RowRecord;
}

type Rows = Pick<Connection, "journal" | "runs">;

/**
 * Reads the rows that have sent something about the product, over all runs, the latest first. Of runs
 * whose rows were deleted only those are left whose values no later run has sent again.
 */
export async function readProductRows(
  { journal, runs }: Rows,
  productId: ProductId,
): Promise<readonly ProductRow[]> {
  const read = new Map<string, ProductRow | undefined>();
  const readAll = async (codeKeys: readonly string[]): Promise<readonly ProductRow[]> => {
    const rows: ProductRow[] = [];
    for (const { runId, row } of await journal.findProductRows({ productId, codeKeys })) {
      const key = `${runId} ${row}`;
      if (!read.has(key)) read.set(key, await readSent({ journal, runs }, runId, row));
      const found = read.get(key);
      if (found !== undefined) rows.push(found);
    }
    return rows;
  };
  const kept = await readAll([]);
  const listed = await journal.readSeenById([productId]);
  const keys = [
    ...kept.map(({ record }) => record.codeKey ?? ""),
    ...listed.map((one) => one.codeKey),
  ].filter((key) => key !== "");
  return keys.length === 0 ? kept : await readAll([...new Set(keys)]);
}

async function readSent(
  { journal, runs }: Rows,
  runId: string,
  row: number,
): Promise<ProductRow | undefined> {
  const run = await runs.read(runId);
  const [record] = await journal.readRows(runId, { after: row - 1, limit: 1 });
  if (run === undefined || record?.row !== row || !hasSent(record)) return undefined;
  return { run, record };
}

/** A change of one field of a product by a run of ours. */
export interface OwnChange extends Pick<ViewedChange, "field" | "label" | "before"> {
  /** `null` of the line that says that the product was added. */
  readonly after: string | null;
  /** When its request was answered, in milliseconds since 1970. */
  readonly atMs: number;
  readonly run: RunRecord;
  readonly row: number;
  readonly isAdd: boolean;
  /**
   * The field to name where the change is taken back; `null` where it is not the latest one of its
   * field, or made by an add.
   */
  readonly undoField: string | null;
}

/** The field of the line that says that a product was added. */
export const ADDED_FIELD = "product";

const ADDED: Readonly<Record<Lang, string>> = { tr: "Ürün eklendi", en: "Product added" };

/** Fields of an add that are lines of their own. */
const ADDED_FIELDS: ReadonlySet<string> = new Set(["price", "paid_price", "stock_count"]);

/** Fields that say nothing beside what the buyer pays. */
const DISCOUNT_PARTS: ReadonlySet<string> = new Set(["has_discount", "discount_type"]);

/** What one says of the others: a price is changed and taken back with its discount and currency. */
const PRICE_PARTS: ReadonlySet<string> = new Set([
  "price",
  "paid_price",
  "currency",
  "discount_value",
  ...DISCOUNT_PARTS,
]);

const toUndoField = (field: string): string => (PRICE_PARTS.has(field) ? "price" : field);

/** Reads all changes of the product by our runs in the words of a language, the latest first. */
export async function readProductHistory(
  connection: Connection,
  productId: ProductId,
  lang: Lang,
): Promise<readonly OwnChange[]> {
  const changes: OwnChange[] = [];
  const seen = new Set<string>();
  for (const { run, record } of await readProductRows(connection, productId)) {
    const lines = await readLines(connection, { run, record }, lang);
    changes.push(
      ...lines.map((line) => {
        const field = toUndoField(line.field);
        return { ...line, undoField: line.isAdd || seen.has(field) ? null : field };
      }),
    );
    for (const { field } of lines) seen.add(toUndoField(field));
  }
  return changes;
}

async function readLines(
  connection: Connection,
  { run, record }: ProductRow,
  lang: Lang,
): Promise<readonly Omit<OwnChange, "undoField">[]> {
  const { row, action, updatedAtMs: atMs } = record;
  const [view] = await readRowViews(connection, run, { rows: [row], lang });
  const isAdd = action === "add";
  const base = { atMs, run, row, isAdd };
  const isPaid = view?.changes.some(({ field }) => field === "paid_price") === true;
  const sent = sentFields(record);
  const lines = (view?.changes ?? [])
    .filter(({ field }) => (isAdd ? ADDED_FIELDS.has(field) : sent(field)))
    .filter(({ field }) => !(isPaid && DISCOUNT_PARTS.has(field)))
    .map(({ field, label, before, after }) => Object.assign({ field, label, before, after }, base));
  if (!isAdd) return lines;
  const added = { ...base, field: ADDED_FIELD, label: ADDED[lang], before: null, after: null };
  return [added, ...lines];
}

/** A row whose price waits has only sent its stock. */
function sentFields({ state, changes }: RowRecord): (field: string) => boolean {
  if (state === "done") return () => true;
  const sent = new Set(changes.filter(({ part }) => part === "sent").map(({ field }) => field));
  return (field) => sent.has(field);
}

/** The run whose undo takes back our changes of a product, and what is undone of it. */
export interface ProductUndo {
  readonly run: RunRecord;
  readonly part: UndoPart;
  /** The product as people name it. */
  readonly product: string;
}

/**
 * Finds what an undo takes back of a product: all updates of ours as one row, which brings each field
 * back to what it was before the first of them. Of a product that we have only added, the add.
 * `undefined` where no run of ours has changed it.
 */
export async function findProductUndo(
  connection: Rows,
  productId: ProductId,
  fields?: readonly string[],
): Promise<ProductUndo | undefined> {
  const rows = await readProductRows(connection, productId);
  const updates = rows.filter(({ record }) => record.action === "update");
  const [latest, ...earlier] = updates.length === 0 ? rows.slice(0, 1) : updates;
  if (latest === undefined) return undefined;
  const { run, record } = latest;
  return {
    run,
    part: {
      isChosen: (row) => row === record.row,
      fields,
      earlier: earlier.map((one) => ({ runId: one.run.id, row: one.record.row })),
    },
    product: record.code ?? productId,
  };
}

/**
 * Finds a product by its id or its code, among those that the store has shown and those that our runs
 * have sent; several may share a code.
 */
export async function findProducts(
  { journal }: Pick<Connection, "journal">,
  text: string,
): Promise<readonly ProductId[]> {
  const id = idSchemas.product.parse(text);
  const known = await journal.readSeenById([id]);
  const rows = await journal.findProductRows({ productId: id, codeKeys: [] });
  if (known.length + rows.length > 0) return [id];
  const key = codeKey(text);
  const listed = await journal.readSeenByCode([key]);
  const sent = await journal.findSentProducts(key);
  return [...new Set([...listed.map(({ product }) => product.id), ...sent])];
}
