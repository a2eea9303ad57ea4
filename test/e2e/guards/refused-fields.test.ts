import type { Fault } from "@catalog/sandbox";
import { describe, expect, it } from "vitest";

import { openTestStore, type TestStore } from "../../helpers/markets/test-store.ts";
import type { Finished } from "../../helpers/processes/catalog-process.ts";
import { goodRows, writeWorkbook } from "../../helpers/product-sheet.ts";

type Counts = Readonly<Record<string, number>>;

interface Ended {
  readonly run: string;
  readonly exit: number | null;
  /** Counts of rows by class, without empty classes. */
  readonly counts: Counts;
  readonly files: { readonly failed: string };
}

function read({ code, out }: Finished): Ended {
  const { run, counts, files }: Ended = JSON.parse(out);
  const filled = Object.entries(counts).filter(([, rows]) => rows > 0);
  return { run, exit: code, counts: Object.fromEntries(filled), files };
}

const ROWS = 3;

/** Refuses the second add with this status, although it carries it out. */
const refused = (status: number): Fault => ({
  kind: "refused-after",
  endpoint: "product.add",
  nth: 2,
  status,
});

const writeSheet = async ({ folder }: TestStore): Promise<string> =>
  await writeWorkbook(folder, "urunler.xlsx", goodRows(ROWS));

describe("an add that is refused after it was carried out", { timeout: 120_000 }, () => {
  it.each([200, 422])("is found when the store shows it (%i)", async (status) => {
    const shop = await openTestStore({ faults: [refused(status)] });

    const imported = read(await shop.run("import", await writeSheet(shop), "--yes", "--json"));

    expect(imported).toMatchObject({ exit: 0, counts: { rows: ROWS, added: ROWS } });
    expect(shop.sandbox.stats().adds).toBe(ROWS);
    expect(shop.sandbox.inspect().doubles).toEqual({});
  });

  it("is held by retry, by the same file and by failed.xlsx when the store hides it", async () => {
    const shop = await openTestStore({
      faults: [refused(422)],
      personality: { "new-product": "after-approval" },
    });
    const file = await writeSheet(shop);
    const first = read(await shop.run("import", file, "--yes", "--json"));

    const retried = read(await shop.run("retry", first.run, "--yes", "--json"));
    const again = read(await shop.run("import", file, "--yes", "--json"));
    const corrected = read(await shop.run("import", first.files.failed, "--yes", "--json"));

    expect(first).toMatchObject({ exit: 5, counts: { rows: ROWS, added: 2, rejected: 1 } });
    expect(retried).toMatchObject({ exit: 5, counts: { rows: 1, held: 1 } });
    expect(again).toMatchObject({ exit: 5, counts: { rows: ROWS, unchanged: 2, held: 1 } });
    expect(corrected).toMatchObject({ exit: 5, counts: { rows: 1, held: 1 } });
    expect(shop.sandbox.inspect().doubles).toEqual({});
    expect(shop.sandbox.products()).toHaveLength(ROWS);
  });
});

it("reads back an update that was refused after it was carried out", async () => {
  const shop = await openTestStore({
    products: 3,
    faults: [{ kind: "refused-after", endpoint: "product.update", nth: 1, status: 422 }],
  });
  const [product] = shop.sandbox.products();
  const row = { "Ürün Kodu *": product?.product_code ?? "", "Başlık *": "Yeni başlık" };
  const file = await writeWorkbook(shop.folder, "liste.xlsx", [row]);

  const ended = read(await shop.run("import", file, "--yes", "--json"));

  expect(ended).toMatchObject({ exit: 0, counts: { rows: 1, updated: 1 } });
  expect(shop.sandbox.products()[0]?.title).toBe("Yeni başlık");
});
