import { closeSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";

import { expect, it } from "vitest";

import { openSheet } from "../../src/index.ts";
import { refusal, temporaryFolder } from "../helpers/files.ts";

const MB = 1024 * 1024;

it("finds a quote that is never closed without reading the gigabyte after it", async () => {
  const path = join(temporaryFolder(), "a.csv");
  const fd = openSync(path, "w");
  writeSync(fd, 'Kod;Ad\n1;a\n2;"b\n');
  // The rest of the file is a hole of NULs; letters at the start are enough for it to be read as
  // text.
  writeSync(fd, "x;y\n".repeat(MB));
  writeSync(fd, "\n", 1024 * MB);
  closeSync(fd);
  const before = process.memoryUsage.rss();
  const started = performance.now();

  const error = await refusal(openSheet({ path, limits: { fileMb: 2_048 } }));

  expect(error).toMatchObject({ code: "E_CSV_QUOTE", details: { row: 3 } });
  expect(performance.now() - started).toBeLessThan(5_000);
  expect(process.memoryUsage.rss() - before).toBeLessThan(200 * MB);
});

it("finds an unclosed quote far down in the file, and names its row", async () => {
  const path = join(temporaryFolder(), "a.csv");
  const fd = openSync(path, "w");
  writeSync(fd, "Kod;Ad\n".repeat(900_000));
  writeSync(fd, '1;"x\n');
  writeSync(fd, "x;y\n".repeat(MB));
  closeSync(fd);
  const limits = { rows: 2_000_000 };
  await using sheet = await openSheet({ path, limits });

  const error = await refusal(Array.fromAsync(sheet.rows()));

  expect(error).toMatchObject({ code: "E_CSV_QUOTE", details: { row: 900_001 } });
});
