import { existsSync, statSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, it } from "vitest";

import { createBallast } from "../../src/database/ballast.ts";
import { openStore } from "../helpers/open-store.ts";
import { planToSend } from "../helpers/send-rows.ts";
import { temporaryFolder } from "../helpers/temporary-folder.ts";

const MIB = 1024 * 1024;

describe("createBallast", () => {
  it("sets eight megabytes aside when it is asked first, and keeps them for later processes", () => {
    const databasePath = join(temporaryFolder(), "catalog.db");
    const path = `${databasePath}.ballast`;
    const ballast = createBallast({ databasePath });
    expect(existsSync(path)).toBe(false);

    ballast.assertKept();

    const { size, blocks } = statSync(path);
    expect(size).toBe(8 * MIB);
    expect(blocks * 512).toBeGreaterThanOrEqual(8 * MIB);
    createBallast({ databasePath, freeBytes: () => 64 * MIB }).assertKept();
  });

  it("lets nothing new be sent on a disk that is nearly full", () => {
    const databasePath = join(temporaryFolder(), "catalog.db");
    const ballast = createBallast({ databasePath, freeBytes: () => 64 * MIB - 1 });

    expect(() => ballast.assertKept()).toThrow(expect.objectContaining({ code: "E_DISK_FULL" }));
  });

  it("gives the room up once, and lets nothing new be sent from then on", () => {
    const databasePath = join(temporaryFolder(), "catalog.db");
    const ballast = createBallast({ databasePath });
    ballast.assertKept();

    expect([ballast.drop(), ballast.drop()]).toEqual([true, false]);

    expect(existsSync(`${databasePath}.ballast`)).toBe(false);
    expect(() => ballast.assertKept()).toThrow(expect.objectContaining({ code: "E_DISK_FULL" }));
  });

  it("has nothing to give up before it set anything aside", () => {
    expect(createBallast({ databasePath: join(temporaryFolder(), "a.db") }).drop()).toBe(false);
  });
});

describe("a database whose disk is full", () => {
  it("begins no request, and still writes down what became of the one on its way", async () => {
    const { journal, database } = await openStore();
    await planToSend(journal, { runId: "run-1", row: 2 });
    await planToSend(journal, { runId: "run-1", row: 3 });
    journal.beginSending({ runId: "run-1", row: 2 });
    limitPages(database);

    await journal.settle(
      { runId: "run-1", row: 2, from: "sending" },
      { to: "ambiguous", cause: "lost", evidence: { excerpt: "x".repeat(500) } },
    );

    expect(await statesOf(journal)).toEqual(["ambiguous", "ready"]);
    expect(() => journal.beginSending({ runId: "run-1", row: 3 })).toThrow();
    expect(await statesOf(journal)).toEqual(["ambiguous", "ready"]);
  });
});
