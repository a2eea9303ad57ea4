/** Codes and product ids under which the products of a run's rows can be looked up. */

import { MAX_PAGE_SIZE, type ProductId } from "@catalog/contract";

import type { Journal } from "../ports/journal.ts";
import { readAllCodes } from "../ports/read-all-rows.ts";
import type { RowFilter } from "../ports/row-repository.ts";
import { idsOf } from "../reconcile/find-products.ts";
import type { RowCode } from "../row/source-row.ts";
import { type CodeNormalization, normalizeCode } from "./codes/code-normalization.ts";

/** The rows of a run, and how they name their products. */
export interface LookupOptions {
  readonly runId: string;
  readonly journal: Journal;
  /** Product codes with the same key are the same product. */
  readonly codeKey: (code: string) => string;
  /**
   * Reads the rows whose products are wanted, some at a time, with their product ids.
   * @default the rows have codes and no ids
   */
  readonly readIdentities?: (() => AsyncIterable<readonly RowIdentity[]>) | undefined;
}

/** How a row names its product. */
export interface RowIdentity extends Pick<RowCode, "code" | "codeKey"> {
  readonly productId: ProductId | null;
}

/** The rows whose products are wanted. */
export interface ListingScope {
  /** Number of rows whose products are wanted. */
  readonly rows: number;
  /** The rows of the run whose products are wanted. @default all */
  readonly filter?: Omit<RowFilter, "after" | "limit"> | undefined;
  /** How the store rewrites codes. @default codes are kept as sent */
  readonly normalization?: CodeNormalization | undefined;
}

/** Rows read from the journal at a time. */
const BATCH_ROWS = 200;

/** Codes and ids to look up, each once. */
export interface LookupKeys {
  readonly codes: ReadonlySet<string>;
  readonly ids: ReadonlySet<ProductId>;
}

/** Sweeps over the statuses that look them up. */
export const countSweeps = ({ codes, ids }: LookupKeys): number =>
  codes.size + Math.ceil(ids.size / MAX_PAGE_SIZE);

/** Codes under which the store may show the products of the rows, and their ids. */
export async function listKeys(options: LookupOptions, scope: ListingScope): Promise<LookupKeys> {
  const { normalization = [] } = scope;
  const codes = new Set<string>();
  const ids = new Set<ProductId>();
  for await (const rows of readKeys(options, scope)) {
    for (const { productId } of rows) if (productId !== null) ids.add(productId);
    for (const code of toFirstCodes(rows).values()) {
      codes.add(code).add(normalizeCode(normalization, code));
    }
  }
  return { codes, ids };
}

/**
 * Keys of rows whose product the listing did not show, as {@link listKeys}; where they take more
 * sweeps than the maximum, only the first ones, but more than that.
 */
export async function listAbsent(
  options: LookupOptions,
  scope: ListingScope,
  maxSweeps: number,
): Promise<LookupKeys> {
  const { journal, codeKey } = options;
  const { normalization = [] } = scope;
  const absent = { codes: new Set<string>(), ids: new Set<ProductId>() };
  for await (const rows of readKeys(options, scope)) {
    const ids = idsOf(rows);
    const listed = new Set((await journal.readSeenById(ids)).map(({ product }) => product.id));
    for (const id of ids) if (!listed.has(id)) absent.ids.add(id);
    const codes = [...toFirstCodes(rows)].map(([key, code]) => {
      const stored = normalizeCode(normalization, code);
      return { code, stored, keys: [key, codeKey(stored)] };
    });
    const shown = await journal.readSeenCodes(codes.flatMap(({ keys }) => keys));
    for (const { code, stored, keys } of codes) {
      if (!keys.some((key) => shown.has(key))) absent.codes.add(code).add(stored);
    }
    if (countSweeps(absent) > maxSweeps) break;
  }
  return absent;
}

async function* readKeys(
  { journal, runId, readIdentities }: LookupOptions,
  { filter = {} }: ListingScope,
): AsyncGenerator<readonly RowIdentity[]> {
  if (readIdentities !== undefined) {
    yield* readIdentities();
    return;
  }
  for await (const rows of readAllCodes(journal, runId, filter, BATCH_ROWS)) {
    yield rows.map(({ code, codeKey }) => ({ code, codeKey, productId: null }));
  }
}

/** The first of the codes with each key; a row that names its product by id needs no code. */
function toFirstCodes(rows: readonly RowIdentity[]): ReadonlyMap<string, string> {
  const codes = new Map<string, string>();
  for (const { code, codeKey: key, productId } of rows) {
    if (productId !== null || code === null || key === null) continue;
    if (!codes.has(key)) codes.set(key, code);
  }
  return codes;
}
