import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { createFakeClock } from "@catalog/clock/testing";
import type { Journal } from "@catalog/runs";
import { expect, it } from "vitest";

import { createJournal } from "../../src/journal/journal.ts";
import { readPlace } from "../../src/locks/processes.ts";
import { createRunRepository } from "../../src/repositories/runs.ts";
import {
  describeOnPostgres,
  openTestPostgres,
  STORE,
  type TestPostgres,
} from "../helpers/open-test-postgres.ts";
import { newRun, planToSend } from "../helpers/runs-and-rows.ts";
import { temporaryFolder } from "../helpers/temporary-folder.ts";

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
