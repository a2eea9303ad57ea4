/**
 * Decides whether a product found by a lookup is the product of a lost add, and checks after a run
 * whether the store has a product of one of its adds twice.
 */

import type { Localized } from "@catalog/i18n";

import { type CodeNormalization, normalizeCode } from "../plan/look-alikes.ts";
import { findUnits } from "../plan/price-unit.ts";
import type { Journal } from "../ports/journal.ts";
import type { Marketplace } from "../ports/marketplace.ts";
import type { ProductId, StoreProduct } from "../ports/product.ts";
import type { RowRecord } from "../row/row-record.ts";
import type { Explain } from "../send/outcome.ts";
import { toAddHistory } from "./decide-absent.ts";
import { findLostAdds, type WantedAdd } from "./find-products.ts";

/** How product codes are compared; codes with the same key are the same product. */
export interface CodeKeys {
  readonly codeKey: (code: string) => string;
  /**
   * Key under which similar codes are equal; a product that only shares this key proves nothing.
   */
  readonly looseCodeKey?: ((code: string) => string) | undefined;
  /** How the store rewrites codes. @default codes are kept as sent */
  readonly normalization?: CodeNormalization | undefined;
}

/**
 * - `absent`: no product that could be it.
 * - `strong`: one product with exactly this code and the values that were sent.
 * - `different`: one product with exactly this code and other values.
 * - `several`: more than one product with exactly this code.
 * - `similar`: only products whose code is similar.
 */
export interface ProductMatch {
  readonly strength: "absent" | "strong" | "different" | "several" | "similar";
  readonly ids: readonly ProductId[];
}

/** Judges the products that a lookup for the row has found. */
export function matchProduct(
  record: RowRecord,
  shown: readonly StoreProduct[],
  { codeKey, looseCodeKey = codeKey, normalization = [] }: CodeKeys,
): ProductMatch {
  const code = record.code ?? "";
  const own = new Set([codeKey(code), codeKey(normalizeCode(normalization, code))]);
  const exact = distinct(shown.filter((one) => own.has(codeKey(one.product_code ?? ""))));
  const [product, ...others] = exact;
  if (product === undefined) {
    const similar = distinct(
      shown.filter((one) => looseCodeKey(one.product_code ?? "") === looseCodeKey(code)),
    );
    return { strength: similar.length === 0 ? "absent" : "similar", ids: toIds(similar) };
  }
  if (others.length > 0) return { strength: "several", ids: toIds(exact) };
  return { strength: isSame(record, product) ? "strong" : "different", ids: [product.id] };
}

/** Compares the fields that every listing shows. */
function isSame({ payload }: RowRecord, { title, price }: StoreProduct): boolean {
  const wanted = payload?.title;
  const isTitle = title == null || wanted === undefined || fold(title) === fold(wanted);
  const minor = payload?.price;
  // The API does not state the unit of listed prices, so either unit counts.
  const isPrice = price == null || minor === undefined || findUnits(minor, price).length > 0;
  return isTitle && isPrice;
}

const fold = (text: string): string =>
  text.normalize("NFKC").replaceAll(/\s+/gu, " ").trim().toLocaleLowerCase("tr");

const distinct = (products: readonly StoreProduct[]): readonly StoreProduct[] => [
  ...new Map(products.map((product) => [product.id, product])).values(),
];

const toIds = (products: readonly StoreProduct[]): readonly ProductId[] =>
  products.map(({ id }) => id);

/** Ports and run for {@link auditDuplicates}. */
interface AuditDuplicatesOptions extends CodeKeys {
  readonly runId: string;
  readonly journal: Journal;
  readonly marketplace: Marketplace;
  /** Names a row for people. @default by its number */
  readonly nameRow?: ((row: number) => string) | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Knows the errors of the marketplace. @default every error is thrown */
  readonly explain?: Explain | undefined;
}

/** A product code of the run that more than one product has. */
interface FoundDuplicate {
  readonly row: number;
  readonly code: string;
  readonly ids: readonly ProductId[];
  /** Message for people, in both languages. */
  readonly message: Localized;
}

/** Maximum number of adds to check; the circuit breaker keeps a run well below it. */
const MAX_ROWS = 1_000;

/**
 * Returns the duplicates that the store shows for the run's adds. Only an add whose outcome was once
 * unknown can be doubled: a proxy may have repeated its request, or another program may have added
 * the same code meanwhile. Makes no call where there is none. A product cannot be deleted, so it
 * only reports. Returns none where the store cannot be read, by an error that `explain` knows.
 */
export async function auditDuplicates(
  options: AuditDuplicatesOptions,
): Promise<readonly FoundDuplicate[]> {
  const { journal, marketplace, runId, signal } = options;
  const rows = await journal.readSuspectAdds(runId, MAX_ROWS);
  if (rows.length === 0) return [];
  const wanted: WantedAdd[] = [];
  for (const { row, code } of rows) {
    const { startedMs } = toAddHistory(await journal.readEvents({ runId, row }));
    const stored = normalizeCode(options.normalization ?? [], code ?? "");
    wanted.push({ code: code ?? "", variants: stored === code ? [] : [stored], startedMs });
  }
  let shownFor: Awaited<ReturnType<typeof findLostAdds>>;
  try {
    shownFor = await findLostAdds(marketplace, wanted, signal);
  } catch (error) {
    if (options.explain?.(error) === undefined) throw error;
  }
  if (shownFor === undefined) return [];
  return rows.flatMap((record) => {
    const { strength, ids } = matchProduct(record, shownFor(record.code ?? ""), options);
    return strength === "several" ? [toDuplicate(record, ids, options.nameRow)] : [];
  });
}

function toDuplicate(
  { row, code: known }: RowRecord,
  ids: readonly ProductId[],
  nameRow: (row: number) => string = String,
): FoundDuplicate {
  const code = known ?? "";
  const named = nameRow(row);
  const list = ids.join(", ");
  const message = {
    tr: `DUPLICATE_FOUND: ${named}. satırdaki "${code}" kodunu mağazada birden çok ürün taşıyor (${list}). Ürünleri panelde karşılaştırın ve fazlasını oradan kaldırın.`,
    en: `DUPLICATE_FOUND: several products have the code "${code}" of row ${named} (${list}). Compare them in the store's panel, and remove the surplus one there.`,
  };
  return { row, code, ids, message };
}
