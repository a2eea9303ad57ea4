import { createIssue, RUN_ID, storeRun, type StoredRow } from "@catalog/connection/testing";
import { expect, it } from "vitest";

import { releaseCommand } from "../../../src/commands/release/index.ts";
import { type CommandHarness, createCommandHarness } from "../../helpers/command-harness.ts";

/** A run that holds 12 of 13 rows. */
async function storeHeld(options: { json?: boolean; lang: "tr" | "en" }): Promise<CommandHarness> {
  const harness = createCommandHarness(options);
  await using connection = await harness.open();
  const rows = Array.from({ length: 13 }, (_, index): StoredRow => {
    const cells = [`KOD-${index}`];
    return index === 0
      ? { cells, outcome: { to: "done", cause: "answer" } }
      : { cells, state: "held", issues: [createIssue({ row: index + 2 })] };
  });
  const { id } = await storeRun(connection, { header: ["Ürün Kodu"], rows });
  await connection.runs.update(id, { state: "finished" });
  return harness;
}

it("lists nothing where no row waits, and refuses a decision beside the list", async () => {
  const { context, terminal } = createCommandHarness({ lang: "tr" });

  expect(await releaseCommand.run(context, { waiting: true })).toBe(0);
  expect(terminal.written.out).toBe("Mağazada karar bekleyen satır yok.\n");
  await expect(releaseCommand.run(context, { waiting: true, resend: true })).rejects.toThrow(
    "--waiting",
  );
  await expect(releaseCommand.run(context, {})).rejects.toThrow("release --waiting");
});

it("lists what waits in every run, with the command that decides on it", async () => {
  const { context, terminal } = await storeHeld({ lang: "en" });

  await releaseCommand.run(context, { waiting: true });

  const [head, first, ...rest] = terminal.written.out.split("\n");
  expect(head).toMatch(new RegExp(`^${RUN_ID} .* urunler.xlsx: 12 rows wait$`, "u"));
  expect(first).toBe("  3  KOD-1  “on iki” is not a number.");
  expect(rest.slice(9)).toEqual(["  … 2 more rows", `  catalog release ${RUN_ID}`, "", ""]);
});

it("lists it for a program, with every row", async () => {
  const { context, terminal } = await storeHeld({ lang: "en", json: true });

  await releaseCommand.run(context, { waiting: true });

  const document = JSON.parse(terminal.written.out);
  expect(document).toMatchObject({
    command: "release",
    run: null,
    exit: 0,
    rows: 12,
    waiting: [{ run: RUN_ID, source: { kind: "file", name: "urunler.xlsx" }, held: 12 }],
  });
  expect(document.waiting[0].rows).toHaveLength(12);
});
