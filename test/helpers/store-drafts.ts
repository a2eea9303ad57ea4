/** Drafts of the store's products in tests: made, edited and planned. */

import type { Connection } from "@catalog/connection";
import { LISTING_STATUSES } from "@catalog/contract";
import {
  type ChosenProduct,
  createStoreDraft,
  type LiveDraft,
  openDrafts,
} from "@catalog/importer";
import type { RunRecord } from "@catalog/runs";

/** Reads the products of the store as the list of products has them. */
export async function* readChosen({
  marketplace,
  clock,
}: Pick<Connection, "marketplace" | "clock">): AsyncGenerator<ChosenProduct> {
  for (const status of LISTING_STATUSES) {
    for await (const product of marketplace.listProducts({ status })) {
      yield { product, status, atMs: clock.now() };
    }
  }
}

/** Makes a draft of products and checks it. */
export async function openStoreDraft(
  connection: Connection,
  products: AsyncIterable<ChosenProduct> = readChosen(connection),
  fields?: readonly string[],
): Promise<LiveDraft> {
  const { id } = await createStoreDraft(connection, { products, lang: "tr", fields });
  const live = await openDrafts(connection).open(id);
  await live.check();
  return live;
}

/** Writes cells, each by the number of its row and the header of its column. */
export async function editCells(
  live: LiveDraft,
  edits: readonly (readonly [row: number, header: string, value: string])[],
): Promise<void> {
  const { version, columns } = await live.details();
  const indexes = new Map(columns?.columns.map(({ header, index }) => [header, index]));
  const toEdit = ([row, header, value]: (typeof edits)[number]) => {
    const column = indexes.get(header);
    if (column === undefined) throw new Error(`the draft has no ${header}`);
    return { row, column, value };
  };
  await live.edit({ version }, edits.map(toEdit));
}

/** Plans the draft. */
export const planStoreDraft = (
  connection: Connection,
  { id }: Pick<LiveDraft, "id">,
  reportDir: string,
): Promise<RunRecord> =>
  openDrafts(connection).plan(id, { command: "plan", lang: "tr", mode: "upsert", reportDir });
