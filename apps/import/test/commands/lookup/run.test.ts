import { InputError } from "@catalog/i18n";
import { describe, expect, it } from "vitest";

import { lookupCommand } from "../../../src/commands/lookup/index.ts";
import {
  createCommandHarness,
  type CommandHarness,
  type CommandHarnessOptions,
} from "../../helpers/command-harness.ts";

/** A store whose lists are cached, so that no call is made. */
async function openFixture(options: CommandHarnessOptions = {}): Promise<CommandHarness> {
  const harness = createCommandHarness(options);
  await using connection = await harness.open();
  await connection.memory.names.write(`${connection.baseUrl} categories`, [
    { id: "c-1", name: "Fincan", category_path: "Ev > Fincan" },
  ]);
  await connection.memory.names.write(`${connection.baseUrl} brands c-1`, [
    { id: "b-1", name: "Bosch" },
    { id: "b-2", name: "Işık" },
  ]);
  return harness;
}

describe("catalog lookup", () => {
  it("finds the id of a name in any case", async () => {
    const { context, terminal } = await openFixture({ lang: "tr" });

    const exit = await lookupCommand.run(context, { kind: "categories", text: "FİNCAN" });

    expect(exit).toBe(0);
    expect(terminal.written).toEqual({ out: "c-1  Ev > Fincan\n", err: "" });
  });

  it("shows similar names for an unknown one, and still succeeds", async () => {
    const { context, terminal } = await openFixture({ lang: "tr" });

    const flags = { kind: "brands", text: "bosh", category: "fincan" };

    expect(await lookupCommand.run(context, flags)).toBe(0);
    expect(terminal.written.out).toBe(
      "Adı ya da kimliği tam olarak “bosh” olan yok.\nBenzer adlar:\nb-1  Bosch\n",
    );
  });

  it("prints one document", async () => {
    const { context, terminal } = await openFixture({ json: true });

    await lookupCommand.run(context, { kind: "brands", text: "isik", category: "c-1" });

    expect(JSON.parse(terminal.written.out)).toEqual({
      command: "lookup",
      kind: "brands",
      results: [{ id: "b-2", name: "Işık", match: "exact" }],
      total: 2,
      exit: 0,
    });
  });

  it("prints at most as many results as the limit", async () => {
    const { context, terminal } = await openFixture();

    await lookupCommand.run(context, { kind: "brands", category: "c-1", limit: 1 });

    expect(terminal.written.out).toBe(
      "b-1  Bosch\nShown: 1 of 2. For all of them: --all; to search, add a word.\n",
    );
  });

  it("prints everything with --all, which excludes --limit", async () => {
    const { context, terminal } = await openFixture();

    await lookupCommand.run(context, { kind: "brands", category: "c-1", all: true });

    expect(terminal.written.out).toContain("b-1  Bosch\n");
    expect(terminal.written.out).not.toContain("--all");
    const both = lookupCommand.run(context, { kind: "categories", all: true, limit: 2 });
    await expect(both).rejects.toThrow("--limit");
  });

  it.each([
    ["what cannot be looked up", { kind: "orders" }, "cities"],
    ["a limit of nothing", { kind: "categories", limit: 0 }, "--limit"],
    ["brands without a category", { kind: "brands" }, "--category"],
    ["models without a brand", { kind: "models", category: "c-1" }, "--brand"],
  ])("refuses %s", async (_name, flags, output) => {
    const { context } = await openFixture();

    const running = lookupCommand.run(context, flags);

    await expect(running).rejects.toThrow(InputError);
    await expect(running).rejects.toThrow(output);
  });
});
