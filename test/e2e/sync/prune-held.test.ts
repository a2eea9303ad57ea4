import { join } from "node:path";

import { describe, expect, it } from "vitest";

import { ageRuns } from "../../helpers/age-runs.ts";
import { type FeedLine, readStore, writeFeed } from "../../helpers/feed.ts";
import { openTestStore } from "../../helpers/markets/test-store.ts";

describe("syncs that hold the same row again and again", { timeout: 60_000 }, () => {
  it("are deleted but for the newest, whose row waits", async () => {
    const { sandbox, folder, run } = await openTestStore({ products: 12 });
    const feed = join(folder, "stok.csv");
    const lines = readStore(sandbox);
    const sync = async (given: readonly FeedLine[]): Promise<string> => {
      writeFeed(feed, given);
      const { out } = await run("sync", feed, "--json", "--price-unit", "minor");
      return JSON.parse(out).run;
    };
    const ids: string[] = [];
    for (let at = 1; at <= 4; at += 1) {
      const [first, ...rest] = lines.map((line) => ({ ...line, stock: line.stock + at }));
      if (first === undefined) throw new Error("the store is empty");
      ids.push(await sync([{ ...first, priceMinor: Math.round(first.priceMinor / 10) }, ...rest]));
    }
    // Of another feed, so that the four are not the newest runs.
    const other = join(folder, "baska.csv");
    writeFeed(other, lines);
    await run("sync", other);
    ageRuns(join(folder, "home"), 200);

    const told = await run("runs", "prune", "--older-than", "1d", "--lang", "tr");

    expect(told.out).toMatch(/^2 çalıştırmanın \d+ satırı silindi/u);
    const words = told.err.replaceAll(/\s+/gu, " ");
    expect(words).toContain("Karar bekleyen satırları olan 1 eski çalıştırma saklanıyor.");
    expect(words).toContain(`catalog release ${ids[3]}`);
    const shown = await Promise.all(
      ids.map(async (id) => JSON.parse((await run("runs", id, "--json")).out)),
    );
    expect(shown.map(({ counts, pruned }) => [counts.held, pruned !== undefined])).toEqual([
      [0, true],
      [0, true],
      // It has the newest event, and waits until there is a newer one.
      [0, false],
      [1, false],
    ]);
    const replaced = await run("release", ids[2] ?? "", "--lang", "tr");
    expect(replaced.err.replaceAll(/\s+/gu, " ")).toContain(`catalog release ${ids[3]}`);
    expect((await run("explain", ids[2] ?? "", "2", "--lang", "tr")).out).toContain(
      "Beslemenin daha yeni bir eşitlemesi var",
    );
  });
});
