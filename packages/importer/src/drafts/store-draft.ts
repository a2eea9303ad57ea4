/**
 * Drafts that are made of the store's products: a workbook with the columns of an export, and each
 * row with its product as it was shown, against which the draft is planned.
 */

import { rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";

import { type Connection, priceUnitOf } from "@catalog/connection";
import { LISTING_STATUSES, type ListingStatus } from "@catalog/contract";
import { writeProductSheet } from "@catalog/exporter/product-sheet";
import { formatNumber, InputError, type Lang, type Localized, makeFolder } from "@catalog/i18n";
import {
  type NamedPerson,
  type ListedProductRow,
  type Payload,
  readAllRows,
  readSentUnit,
  type RunRecord,
  sentBody,
} from "@catalog/runs";

import { hashFile } from "../file/open-table.ts";
import type { EditedBasis, PlanSource, ReadBasis } from "../plan/plan-options.ts";
import { createDraftId, type DraftRecord } from "./stored-draft.ts";

/** A product as the store has shown it, and when. */
export interface ChosenProduct extends Pick<ListedProductRow, "product" | "status"> {
  readonly atMs: number;
}

/** The products of a new draft. */
interface StoreDraftOptions {
  readonly products: AsyncIterable<ChosenProduct>;
  readonly lang: Lang;
  /** Keys of columns of an export of products. @default those that are edited most */
  readonly fields?: readonly string[] | undefined;
  /** The text that the products were found by, for the name of the draft. @default none */
  readonly text?: string | undefined;
  /** @default nobody is named */
  readonly by?: NamedPerson | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The brand's name is for reading; its id can be added as a column. */
const DEFAULT_FIELDS = [
  "product_code",
  "title",
  "brand_name",
  "price",
  "discount_type",
  "discount_value",
  "stock",
] as const;

/** Products stored at a time. */
const BATCH_PRODUCTS = 500;

/**
 * Makes a draft of the products, which is checked like that of a file. Throws {@link InputError},
 * `E_NO_ROWS` where there are none, and for a field that is no column.
 */
export async function createStoreDraft(
  connection: Connection,
  { products, lang, fields = DEFAULT_FIELDS, text, by, signal }: StoreDraftOptions,
): Promise<{ readonly id: string }> {
  const { memory, clock, journal } = connection;
  const { drafts } = memory;
  const { set, remembered } = await priceUnitOf(connection).known();
  const sent = await readSentUnit(journal);
  const priceUnit = set ?? (sent === "unknown" ? (remembered ?? sent) : sent);
  const id = createDraftId(clock);
  const path = join(memory.tableFolder, "products", `${id}.xlsx`);
  makeFolder(dirname(path));
  const abandoned = await drafts.begin({ id, path, createdBy: by ?? null });
  for (const file of abandoned) await rm(file, { force: true });
  try {
    const seen = createSeenProducts();
    const isRaw = priceUnit === "unknown" && fields.includes("price");
    const columns = isRaw ? [...fields, "price_raw"] : fields;
    const stored = storeProducts(connection, id, { products, seen, signal });
    const sheet = { path, lang, columns, priceUnit, products: stored, signal };
    await writeProductSheet(connection, sheet);
    const { count, readAtMs } = seen;
    if (count === 0) throw new InputError(NO_PRODUCTS, { code: "E_NO_ROWS" });
    const name = nameDraft({ count, text, brand: seen.brand() }, lang);
    const sha256 = (await hashFile(path)) ?? "";
    const { size: bytes } = await stat(path);
    const basis = { products: count, priceUnit, readAtMs, runs: [] };
    await drafts.finish(id, { name, sha256, bytes, basis });
    return { id };
  } catch (error) {
    await drafts.remove(id);
    await rm(path, { force: true });
    throw error;
  }
}

const NO_PRODUCTS: Localized = {
  tr: "Seçtiğiniz ürünlerin hiçbiri listede yok. Listeyi yenileyip yeniden seçin.",
  en: "None of the products that you chose is in the list. Read the store again and choose anew.",
};

interface SeenProducts {
  readonly note: (product: ChosenProduct) => void;
  readonly count: number;
  /** When the first of them was read. */
  readonly readAtMs: number;
  /** The brand of all of them; `undefined` where they have several. */
  readonly brand: () => string | undefined;
}

function createSeenProducts(): SeenProducts {
  const brands = new Set<string>();
  let [count, readAtMs] = [0, Infinity];
  return {
    note({ product, atMs }) {
      count += 1;
      readAtMs = Math.min(readAtMs, atMs);
      if (brands.size < 2) brands.add(product.brand_name ?? "");
    },
    get count() {
      return count;
    },
    get readAtMs() {
      return readAtMs;
    },
    brand() {
      const [first = "", second] = brands;
      return first === "" || second !== undefined ? undefined : first;
    },
  };
}

/** The row of the first product, below the header. */
const FIRST_ROW = 2;

interface WrittenProduct extends Pick<ChosenProduct, "product"> {
  readonly status: ListingStatus;
}

const toStatus = (text: string): ListingStatus =>
  LISTING_STATUSES.find((status) => status === text) ?? "approved";

/** Hands the products on once they are stored. */
async function* storeProducts(
  { memory: { drafts } }: Connection,
  id: string,
  {
    products,
    seen,
    signal,
  }: Pick<StoreDraftOptions, "products" | "signal"> & { readonly seen: SeenProducts },
): AsyncGenerator<WrittenProduct> {
  let batch: ChosenProduct[] = [];
  async function* store(): AsyncGenerator<WrittenProduct> {
    const rows = batch.map(({ product }, at) => ({ row: seen.count + FIRST_ROW + at, product }));
    await drafts.transact((tables) => tables.saveBasis(id, rows));
    for (const each of batch) seen.note(each);
    yield* batch.map(({ product, status }) => ({ product, status: toStatus(status) }));
    batch = [];
  }
  for await (const product of products) {
    signal?.throwIfAborted();
    batch.push(product);
    if (batch.length === BATCH_PRODUCTS) yield* store();
  }
  yield* store();
}

interface DraftProducts {
  readonly count: number;
  readonly brand: string | undefined;
  readonly text: string | undefined;
}

/** Such as `Ürünler: 200 ürün, Acme`. */
function nameDraft({ count, brand, text = "" }: DraftProducts, lang: Lang): string {
  const number = formatNumber(count, lang);
  const products = {
    tr: `${number} ürün`,
    en: `${number} ${count === 1 ? "product" : "products"}`,
  };
  const found = text === "" ? undefined : `“${text}”`;
  const parts = [products[lang], brand, found].filter((part) => part !== undefined);
  return `${lang === "tr" ? "Ürünler" : "Products"}: ${parts.join(", ")}`;
}

/** The products that the rows of a plan were made of. */
type PlanBasis = Pick<PlanSource, "readBasis" | "basisOf">;

/** Opens the products that the rows of a draft were made of; nothing for a draft of a file. */
export async function openDraftBasis(
  { memory: { drafts }, journal }: Pick<Connection, "memory" | "journal">,
  { id, basis, columns }: Pick<DraftRecord, "id" | "basis" | "columns">,
): Promise<PlanBasis> {
  if (basis === null) return {};
  const { priceUnit } = basis;
  // A person who gives a column another field, or a text to all rows, has edited their cells as well.
  const given = [columns.columns, columns.constants].flatMap((each) => Object.keys(each));
  const sent = await readSentFields(journal, basis.runs);
  const readBasis: ReadBasis = async (rows) => {
    const found = await drafts.readBasis(id, rows);
    const stored = given.length > 0 ? [] : await drafts.readRowsAt(id, rows);
    const editsOf = new Map(
      stored.map(({ row, edits }) => [row, new Set(Object.keys(edits).map(Number))]),
    );
    const rowBasis = new Map<number, EditedBasis>();
    for (const [row, product] of found) {
      const edited = editsOf.get(row);
      rowBasis.set(row, { product, priceUnit, sent: sent.get(row), edited });
    }
    return rowBasis;
  };
  return { basisOf: id, readBasis };
}

/** What runs have sent, by row; of a field the latest value. */
async function readSentFields(
  journal: Connection["journal"],
  runs: readonly string[],
): Promise<ReadonlyMap<number, Partial<Payload>>> {
  const sent = new Map<number, Partial<Payload>>();
  for (const run of runs) {
    for await (const rows of readAllRows(journal, run, { states: ["done", "held"] })) {
      for (const row of rows) {
        const fields: Partial<Payload> = sentBody(row);
        if (Object.keys(fields).length > 0) sent.set(row.row, { ...sent.get(row.row), ...fields });
      }
    }
  }
  return sent;
}

/** Notes a run with rows of the draft; a draft that is gone, or of a file, stays as it is. */
export async function noteRunOfDraft(
  { memory: { drafts } }: Pick<Connection, "memory">,
  id: string,
  run: string,
): Promise<void> {
  const basis = (await drafts.read(id))?.basis ?? null;
  if (basis === null) return;
  await drafts.update(id, { basis: { ...basis, runs: [...basis.runs, run] } });
}

/** The products that the rows of a retry were compared with, of which it writes what it wrote then. */
export function openRetryBasis(
  { verificationLog, journal }: Pick<Connection, "verificationLog" | "journal">,
  { id, facts, progress: { basisOf } }: Pick<RunRecord, "id" | "facts" | "progress">,
): PlanBasis {
  if (basisOf === undefined) return {};
  const priceUnit = facts?.priceUnit ?? "unknown";
  const readBasis: ReadBasis = async (rows) => {
    const before = await verificationLog.readBefore(id, rows);
    const basis = new Map<number, EditedBasis>();
    for (const row of rows) {
      const [record] = await journal.readRows(id, { after: row - 1, limit: 1 });
      if (record?.row !== row || record.productId === null) continue;
      const product = before.get(row) ?? { id: record.productId };
      basis.set(row, { product, priceUnit, fields: Object.keys(record.payload ?? {}) });
    }
    return basis;
  };
  return { basisOf, readBasis };
}
