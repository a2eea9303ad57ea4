/** Imports a file into a new sandbox, and compares its products with what a person reads. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { CatalogError } from "@catalog/connection";
import type { RowRecord } from "@catalog/runs";
import { SheetError } from "@catalog/sheets";

import type { ConnectionHarness } from "../../helpers/markets/connection-harness.ts";
import type { Facts, Kind } from "./kind.ts";

type Product = ReturnType<ConnectionHarness["sandbox"]["products"]>[number];

/** Outcome of a file: the products that exist now, and every reason that was given. */
export interface Outcome {
  readonly added: readonly Product[];
  readonly rows: readonly RowRecord[];
  readonly codes: readonly string[];
}

export async function importFile(
  harness: ConnectionHarness,
  name: string,
  content: string | Buffer,
): Promise<Outcome> {
  const path = join(harness.folder, name);
  writeFileSync(path, content);
  try {
    const { id } = await harness.importFile(path);
    const rows = await harness.connection.journal.readRows(id, { limit: 999 });
    const codes = rows.flatMap(({ issues }) => issues.map(({ code }) => code));
    return { added: harness.sandbox.products(), rows, codes };
  } catch (error) {
    if (!(error instanceof CatalogError || error instanceof SheetError)) throw error;
    const inside = error instanceof CatalogError ? error.issues : [];
    const codes = [error.code, ...inside.map(({ code }) => code)];
    return { added: harness.sandbox.products(), rows: [], codes };
  }
}

/** The deviation of an outcome from what is expected; `undefined` without one. */
export function findWrong(
  { reads, or = [], must, code = /^E_/u }: Pick<Kind, "reads" | "or" | "must" | "code">,
  { added, codes }: Outcome,
): readonly string[] {
  const wrong = added
    .filter((product) => ![...reads, ...or].some((facts) => isSame(product, facts)))
    .map((product) => `sent ${show(product, reads)}, a person reads ${JSON.stringify(reads)}`);
  if (wrong.length > 0) return wrong;
  if (must === "refused" && added.length > 0) return [`sent ${show(added[0], reads)}`];
  if (added.length === reads.length) return [];
  const given = [...new Set(codes)].join(", ");
  if (must === "sent") return [`sent ${added.length} of ${reads.length}: ${given}`];
  return codes.some((each) => code.test(each)) ? [] : [`not sent without a reason: ${given}`];
}

const isSame = (product: Product, facts: Facts): boolean =>
  Object.entries(facts).every(([field, value]) => valueOf(product, field) === value);

const show = (product: Product | undefined, reads: readonly Facts[]): string => {
  const fields = new Set(["product_code", ...reads.flatMap((facts) => Object.keys(facts))]);
  return JSON.stringify(
    Object.fromEntries([...fields].map((field) => [field, product && valueOf(product, field)])),
  );
};

const valueOf = (product: Product, field: string): unknown =>
  new Map<string, unknown>(Object.entries(product)).get(field);
