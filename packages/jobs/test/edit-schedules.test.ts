import { createTestConnection } from "@catalog/connection/testing";
import { describe, expect, it } from "vitest";

import { findTroubles } from "../src/alerts/find-trouble.ts";
import {
  addSchedule,
  changeSchedule,
  goLive,
  handOverSchedule,
  noteOwners,
  removeSchedule,
} from "../src/edit-schedules.ts";

const TIMES = { cron: "30 9 * * *", timeZone: "Europe/Istanbul" } as const;

/** A schedule in shadow, as a person saw it. */
async function openShadow() {
  const { connection } = await createTestConnection();
  const options = { shadow: true, absent: "keep" };
  const shown = await addSchedule(connection, { ...TIMES, feed: "/a/stok.csv", options });
  return { connection, shown, options };
}

describe("a schedule that goes live", () => {
  it("keeps the times that it was given since", async () => {
    const { connection, shown, options } = await openShadow();
    await changeSchedule(connection, shown, { ...TIMES, cron: "0 6 * * 1", options });

    await goLive(connection, shown);

    const [stored] = await connection.memory.schedules.list();
    expect(stored).toMatchObject({ cron: "0 6 * * 1", options: { absent: "keep" } });
    expect(stored?.options).not.toHaveProperty("shadow");
  });

  it("stays in shadow with the options that it was given since", async () => {
    const { connection, shown } = await openShadow();
    const options = { shadow: true, absent: "zero" };
    await changeSchedule(connection, shown, { ...TIMES, options });

    await expect(goLive(connection, shown)).rejects.toMatchObject({ code: "E_SCHEDULE_CHANGED" });

    expect(await connection.memory.schedules.list()).toMatchObject([{ options }]);
  });

  it("stays removed", async () => {
    const { connection, shown } = await openShadow();
    await removeSchedule(connection, shown);

    await expect(goLive(connection, shown)).rejects.toMatchObject({ code: "E_SCHEDULE_UNKNOWN" });

    expect(await connection.memory.schedules.list()).toEqual([]);
  });
});

describe("the owner of a schedule", () => {
  const AYSE = { person: 7, name: "Ayşe" } as const;
  const open = async () => {
    const { connection, clock } = await createTestConnection();
    const added = { ...TIMES, feed: "/a/stok.csv", options: {}, owner: AYSE };
    const { id } = await addSchedule(connection, added);
    const readOwner = async () => (await connection.memory.schedules.read(id))?.owner;
    const note = (mayOwn: boolean, name = "Ayşe"): Promise<void> =>
      noteOwners(connection, async () => ({ name, mayOwn }));
    const listCauses = async (): Promise<readonly unknown[]> =>
      (await findTroubles(connection))
        .filter(({ subject }) => subject === `schedule ${id}`)
        .flatMap(({ troubles }) => troubles.map(({ cause, owner }) => [cause, owner]));
    return { connection, clock, id, readOwner, note, listCauses };
  };

  it("is told to people from when the person may not approve any more until another one does", async () => {
    const { connection, clock, id, readOwner, note, listCauses } = await open();

    await note(true);
    const before = [await readOwner(), await listCauses()];
    const goneSinceMs = clock.now();
    await note(false);
    await clock.advance(60_000);
    await note(false);
    const gone = [await readOwner(), await listCauses()];
    await handOverSchedule(connection, { id }, { person: 8, name: "Veli" });
    const after = [await readOwner(), await listCauses()];

    expect(before).toEqual([AYSE, []]);
    expect(gone).toEqual([{ ...AYSE, goneSinceMs }, [["owner", "Ayşe"]]]);
    expect(after).toEqual([{ person: 8, name: "Veli" }, []]);
  });

  it("stays with other times, and follows the person's name and a role that comes back", async () => {
    const { connection, id, readOwner, note } = await open();
    const shown = await connection.memory.schedules.read(id);
    if (shown === undefined) throw new Error("it is gone");

    await changeSchedule(connection, shown, { ...TIMES, cron: "0 6 * * 1", options: {} });
    await note(false);
    await note(true, "Ayşe Yılmaz");

    expect(await readOwner()).toEqual({ person: 7, name: "Ayşe Yılmaz" });
  });

  it("is nobody where a schedule was added at the terminal", async () => {
    const { connection, shown } = await openShadow();

    await noteOwners(connection, async () => ({ name: "?", mayOwn: false }));

    expect((await connection.memory.schedules.read(shown.id))?.owner).toBeUndefined();
  });
});
