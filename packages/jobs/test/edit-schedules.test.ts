import { createTestConnection } from "@catalog/connection/testing";
import { describe, expect, it } from "vitest";

import { addSchedule, changeSchedule, goLive, removeSchedule } from "../src/edit-schedules.ts";

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
