import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { createFakeClock } from "@catalog/clock/testing";
import type { Journal } from "@catalog/runs";
import { describe, expect, it } from "vitest";

import { DatabaseError } from "../../src/errors.ts";
import { createJournal } from "../../src/journal/journal.ts";
import { createInFlightMarkers, markersPath } from "../../src/journal/markers.ts";
import { readPlace } from "../../src/locks/processes.ts";
import { createRunRepository } from "../../src/repositories/runs.ts";
import {
  describeOnPostgres,
  openTestPostgres,
  type TestPostgres,
} from "../helpers/open-test-postgres.ts";
import { newRun, planToSend, STORE } from "../helpers/runs-and-rows.ts";
import { temporaryFolder } from "../helpers/temporary-folder.ts";

const canProve = existsSync("/proc/sys/kernel/random/boot_id");

const A = { runId: "r-1", row: 2 };
const B = { runId: "r-1", row: 3 };

/** Markers of a store of a new database. */
function openMarkers(databasePath = join(temporaryFolder(), "catalog.db")) {
  const path = `${databasePath}.1.marks`;
  const open = () => createInFlightMarkers(markersPath({ databasePath, store: 1 }));
  return { path, open, markers: open() };
}

describe.runIf(canProve)("createInFlightMarkers", () => {
  it("proves that a row without a marker was never sent, once the file was started in this boot", () => {
    const { open, markers } = openMarkers();
    markers.clear();
    markers.write(A);

    const isUnsent = open().readUnsent();

    expect([isUnsent(A), isUnsent(B)]).toEqual([false, true]);
  });

  it("proves nothing without a file, and nothing from markers before a start", () => {
    const { markers } = openMarkers();

    expect(markers.readUnsent()(B)).toBe(false);
    markers.write(A);
    expect(markers.readUnsent()(B)).toBe(false);
  });

  it("proves nothing after a restart of the machine", () => {
    const { path, markers } = openMarkers();
    markers.clear();
    writeFileSync(path, readFileSync(path, "utf8").replace(/^\S+/u, "another-boot"));

    expect(markers.readUnsent()(B)).toBe(false);
  });

  it("keeps the markers of each store apart", () => {
    const databasePath = join(temporaryFolder(), "catalog.db");
    const first = createInFlightMarkers(markersPath({ databasePath, store: 1 }));
    const second = createInFlightMarkers(markersPath({ databasePath, store: 2 }));
    first.clear();
    second.clear();
    first.write(A);
    second.clear();

    expect(first.readUnsent()(A)).toBe(false);
  });

  it("ignores a marker that was cut off, because its request had not left", () => {
    const { path, markers } = openMarkers();
    markers.clear();
    markers.write({ runId: "r-1", row: 25 });
    writeFileSync(path, readFileSync(path, "utf8").slice(0, -2));

    const isUnsent = markers.readUnsent();

    expect(isUnsent({ runId: "r-1", row: 25 })).toBe(true);
    markers.write(B);
    expect(markers.readUnsent()(B)).toBe(false);
  });

  it("throws when the marker cannot be written, so that the request does not leave", () => {
    const { path, markers } = openMarkers();
    mkdirSync(path);

    expect(() => markers.write(A)).toThrow(DatabaseError);
  });

  it("proves nothing for a database in memory", () => {
    const { markers } = openMarkers(":memory:");
    markers.clear();
    markers.write(A);

    expect(markers.readUnsent()(B)).toBe(false);
  });
});

const DEAD = { pid: 4_194_303, started: "1" };

interface Claimed {
  readonly opened: TestPostgres;
  readonly journal: Journal;
  readonly folder: string;
  /** Says by whom the rows were claimed. */
  readonly nameSender: (sender: object) => Promise<void>;
}

/** Claims rows 1 and 2; row 1 has left. */
async function claimTwo(folder = temporaryFolder()): Promise<Claimed> {
  const opened = await openTestPostgres();
  const { database, leases, server } = opened;
  const options = { database, clock: createFakeClock(1_000), store: STORE, leases };
  const journal = createJournal({ ...options, markersFolder: folder });
  await createRunRepository(options).create(newRun("run-1"));
  await leases.take("store", { command: "catalog import", pid: process.pid, sinceMs: 0 });
  const keys = [1, 2].map((row) => ({ runId: "run-1", row }));
  for (const key of keys) await planToSend(journal, key);
  const [first] = await journal.claim(keys);
  if (first === undefined) throw new Error("it was not claimed");
  journal.beginSending(first);
  return {
    opened,
    journal,
    folder,
    async nameSender(sender) {
      await server.query("ALTER TABLE event DISABLE TRIGGER ALL");
      await server.query("UPDATE event SET evidence_json = $1 WHERE to_state = 'sending'", [
        JSON.stringify({ sender }),
      ]);
      await server.query("ALTER TABLE event ENABLE TRIGGER ALL");
    },
  };
}

/** Gives the markers of this process to one that is dead. */
function killSender(folder: string): void {
  const [name = ""] = readdirSync(folder);
  const [store, kind] = name.split("-");
  const text = readFileSync(join(folder, name));
  writeFileSync(join(folder, `${store}-${kind}-${DEAD.pid}-${DEAD.started}`), text);
}

const readStates = async ({ journal }: Claimed): Promise<readonly string[]> =>
  (await journal.readRows("run-1", { limit: 9 })).map(({ state }) => state);

describeOnPostgres("a claim that is found after its process has ended", () => {
  it("is ready again where the markers of a dead process of this machine prove that it never left", async () => {
    const claimed = await claimTwo();
    killSender(claimed.folder);
    await claimed.nameSender({ place: readPlace(), ...DEAD, folder: claimed.folder });

    await claimed.journal.recover();

    expect(await readStates(claimed)).toEqual(["ambiguous", "ready"]);
    // The file of the dead process is not needed any more.
    expect(readdirSync(claimed.folder)).toHaveLength(1);
  });

  it("is ready again where an earlier connection of this process has not let it leave", async () => {
    const claimed = await claimTwo();
    const { database, leases } = claimed.opened;
    const options = { database, clock: createFakeClock(1_000), store: STORE, leases };

    const later = createJournal({ ...options, markersFolder: claimed.folder });
    await later.recover();

    expect(await readStates(claimed)).toEqual(["ambiguous", "ready"]);
  });

  it.each([
    ["its process is only suspended", async () => undefined],
    [
      "it is of another machine",
      ({ nameSender, folder }: Claimed) => nameSender({ place: "another one", ...DEAD, folder }),
    ],
    [
      "the markers of its process are gone",
      ({ nameSender, folder }: Claimed) =>
        nameSender({ place: readPlace(), ...DEAD, folder: join(folder, "gone") }),
    ],
    ["its claim names nobody", ({ nameSender }: Claimed) => nameSender({})],
  ] as const)("is unknown where %s", async (_, make) => {
    const claimed = await claimTwo();
    killSender(claimed.folder);
    await make(claimed);

    await claimed.journal.recover();

    expect(await readStates(claimed)).toEqual(["ambiguous", "ambiguous"]);
  });
});
