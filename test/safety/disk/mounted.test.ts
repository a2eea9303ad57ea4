import { rmSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, it, onTestFinished, type TestContext } from "vitest";

import { callCatalog } from "../../helpers/call-catalog.ts";
import { openTestStore, type TestStore } from "../../helpers/markets/test-store.ts";
import { goodRows, writeWorkbook } from "../../helpers/product-sheet.ts";
import { fill, type Mounted, mountSmall } from "./mount.ts";

const ROWS = 12;

interface Document {
  readonly run: string;
  readonly counts: Readonly<Record<string, number>>;
  readonly error?: { readonly code: string };
}

interface SmallShop extends TestStore {
  readonly disk: Mounted;
  readonly file: string;
  readonly go: (...args: readonly string[]) => Promise<{ code: number | null; said: Document }>;
}

/**
 * A store whose database is on a file system of its own; the test is skipped where none can be
 * mounted.
 */
async function openSmall(context: TestContext, megabytes: number): Promise<SmallShop> {
  const shop = await openTestStore();
  const home = join(shop.folder, "small");
  const disk = mountSmall(home, megabytes);
  if (disk === undefined) return context.skip("nobody may mount a file system here");
  onTestFinished(() => disk[Symbol.dispose]());
  const file = await writeWorkbook(shop.folder, "urunler.xlsx", goodRows(ROWS));
  return {
    ...shop,
    disk,
    file,
    async go(...args) {
      const env = { ...shop.env, CATALOG_HOME: home };
      const { code, out } = await callCatalog([...args, "--json"], { env, cwd: shop.folder });
      return { code, said: JSON.parse(out) };
    },
  };
}

describe("a home on a file system", () => {
  it("that is read-only sends nothing, and is reported before the file is read", async (context) => {
    const { disk, file, go, sandbox } = await openSmall(context, 128);
    disk.remount("ro");

    const { code, said } = await go("import", file, "--yes");

    expect(code).toBe(2);
    expect(said.error?.code).toBe("E_DATABASE");
    expect(sandbox.stats().requests).toBe(0);
  });

  it("that becomes read-only keeps the plan and sends nothing of it until it can be written", async (context) => {
    const { disk, file, go, sandbox } = await openSmall(context, 128);
    const planned = await go("plan", file);
    disk.remount("ro");

    const refused = await go("apply", planned.said.run);
    expect(refused.code).toBe(2);
    expect(refused.said.error?.code).toBe("E_DATABASE");
    expect(sandbox.stats().adds).toBe(0);
    disk.remount("rw");
    const applied = await go("apply", planned.said.run);

    expect(applied.code).toBe(0);
    expect(applied.said.counts).toMatchObject({ rows: ROWS, added: ROWS });
  });

  it("that is full sends nothing that cannot be stored", async (context) => {
    const { disk, file, go, sandbox } = await openSmall(context, 128);
    const planned = await go("plan", file);
    const filler = fill(disk);

    const full = await go("apply", planned.said.run);
    expect(full.code).toBe(6);
    expect(full.said.error?.code).toBe("E_DISK_FULL");
    expect(sandbox.stats().adds).toBe(0);
    rmSync(filler);
    const resumed = await go("resume", planned.said.run);

    expect(resumed.code).toBe(0);
    expect(resumed.said.counts).toMatchObject({ rows: ROWS, added: ROWS });
    expect(sandbox.inspect().doubles).toEqual({});
  });

  it("that is too small from the start is refused with the code of a full disk", async (context) => {
    const { file, go, sandbox } = await openSmall(context, 1);

    const { code, said } = await go("import", file, "--yes");

    expect(code).toBe(6);
    expect(said.error?.code).toBe("E_DISK_FULL");
    expect(sandbox.stats().adds).toBe(0);
  });
});
