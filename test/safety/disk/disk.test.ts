import { rmSync } from "node:fs";
import { join } from "node:path";

import { beforeAll, describe, expect, it, onTestFinished, type TestContext } from "vitest";

import { callCatalog } from "../../helpers/call-catalog.ts";
import { openTestStore, type TestStore } from "../../helpers/markets/test-store.ts";
import { goodRows, writeWorkbook } from "../../helpers/product-sheet.ts";
import { fill, type Mounted, mountSmall } from "./mount.ts";
import {
  bitFlippedAt,
  DELETED,
  fullAt,
  logCutAt,
  OLD_COPY,
  type TriedDamage,
  tryDamage,
} from "./try-damage.ts";
import { readCalls } from "./wal-first.ts";

/** A few of each kind; the soak tests play many. */
const DAMAGES = [fullAt(450), logCutAt(0.6), bitFlippedAt(0.3), OLD_COPY, DELETED];

describe("an import on a damaged disk", () => {
  const tried = new Map<string, TriedDamage>();

  beforeAll(async () => {
    await Promise.all(
      DAMAGES.map(async (damage) => {
        tried.set(damage.name, await tryDamage(damage));
      }),
    );
  });

  for (const { name } of DAMAGES) {
    it(`ends without a loss or duplicate: ${name}`, () => {
      const result = tried.get(name);

      expect(result).toMatchObject({ doubles: [], lost: [] });
      expect([0, 5]).toContain(result?.code);
    });
  }

  it(`${DELETED.name}: it stops and gives advice`, () => {
    const met = tried.get(DELETED.name)?.met;

    expect(met?.code).toBe(6);
    expect(met?.out).toContain("E_DATABASE_REPLACED");
    expect(met?.out).toContain("catalog resume");
  });
});

const WRITE = 'pwrite64(19</home/catalog.db-wal>, "7..."..., 4096, 32) = 4096';
const SYNC = "fdatasync(19</home/catalog.db-wal>) = 0";
const OTHER = "fdatasync(18</home/catalog.db>) = 0";
const POST = 'sendto(22<socket:[991]>, "POST /api/v1.0/product/add?access_token="..., 900) = 900';
const GET = 'sendto(22<socket:[991]>, "GET /api/v1.0/product/list?access_token="..., 900) = 900';

describe("the system calls of an import", () => {
  it.each([
    ["with each add after its sync", [WRITE, SYNC, GET, POST, WRITE, SYNC, POST], 0],
    ["with an add before the sync", [WRITE, POST, SYNC], 1],
    ["with a sync of another file", [WRITE, OTHER, POST], 1],
    ["with an add for which nothing was written", [WRITE, SYNC, POST, POST], 1],
    ["with a write after the sync", [WRITE, SYNC, WRITE, POST], 1],
  ])("%s reveal whether an add was sent early", (_, lines, early) => {
    const read = readCalls(lines);

    expect(read.early).toBe(early);
    expect(read.posts).toBe(lines.filter((line) => line === POST).length);
  });
});

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
