import { readdirSync, utimesSync } from "node:fs";
import { join } from "node:path";

import { createFakeClock } from "@catalog/clock/testing";
import { expect, it } from "vitest";

import { removeLeftovers, removeOldFiles } from "../../src/server/files.ts";
import { createFolder } from "../helpers/temporary-folder.ts";

it("keeps whole uploads, however old they are", async () => {
  const folder = createFolder({
    "uploads/a.csv": "",
    "uploads/b.csv.part": "",
    "commands/a.out": "",
  });
  for (const name of ["uploads/a.csv", "uploads/b.csv.part", "commands/a.out"]) {
    utimesSync(join(folder, name), 1, 1);
  }

  await removeLeftovers({ folder, clock: createFakeClock(Date.UTC(2026, 0, 1)) });

  expect(readdirSync(join(folder, "uploads"))).toEqual(["a.csv"]);
  expect(readdirSync(join(folder, "commands"))).toEqual([]);
});

it("removes files that are old and whose names end so", async () => {
  const folder = createFolder({ "new.part": "", "old.part": "", kept: "", "inner.part/old": "" });
  for (const name of ["old.part", "kept", "inner.part/old"]) utimesSync(join(folder, name), 1, 1);
  utimesSync(join(folder, "new.part"), 100, 100);

  const old = { maxAgeMs: 50_000, nowMs: 101_000 };
  await removeOldFiles({ ...old, folder, ending: ".part" });
  await removeOldFiles({ ...old, folder: join(folder, "none") });

  expect(readdirSync(folder).toSorted()).toEqual(["inner.part", "kept", "new.part"]);
});
