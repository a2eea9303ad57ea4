import { InputError } from "@catalog/i18n";
import { LOOKUP_KINDS } from "@catalog/importer/lookup-kinds";
import { describe, expect, it } from "vitest";

import { lookupCommand } from "../../src/commands/lookup/index.ts";
import { formatFindings, type LookupView } from "../../src/commands/lookup/run.ts";
import {
  type CommandHarness,
  type CommandHarnessOptions,
  createCommandHarness,
} from "../helpers/command-harness.ts";

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

type LookupFindings = Parameters<typeof formatFindings>[0];

const ID = "30515660606ea449afc6b11b";
const CUP: LookupFindings["results"][number] = {
  id: ID,
  name: "Fincan",
  path: "Ev > Fincan",
  match: "exact",
};
const PLATE: LookupFindings["results"][number] = { id: "t-9", name: "Tabak", match: "similar" };

const show = (findings: LookupFindings, view: Partial<LookupView> = {}): string =>
  formatFindings(findings, {
    kind: "categories",
    text: "fincan",
    limit: 20,
    lang: "tr",
    columns: 80,
    ...view,
  });

describe("formatFindings", () => {
  it("lists exact results, then similar ones under a heading", () => {
    expect(show({ results: [CUP, PLATE], total: 9 })).toBe(
      `${ID}  Ev > Fincan\nBenzer adlar:\nt-9  Tabak\n`,
    );
  });

  it("says that there may be more where the limit is reached", () => {
    expect(show({ results: [CUP, PLATE], total: 9 }, { limit: 2 })).toContain(
      "\nİlk 2 sonuç gösterildi. Hepsi için --all.\n",
    );
  });

  it("states that no name matches before it lists similar ones", () => {
    expect(show({ results: [PLATE], total: 9 }, { text: "tabk" })).toBe(
      "Adı ya da kimliği tam olarak “tabk” olan yok.\nBenzer adlar:\nt-9  Tabak\n",
    );
    expect(show({ results: [PLATE], total: 9 }, { text: "tabk", lang: "en" })).toBe(
      "Nothing has exactly the name or id “tabk”.\nSimilar names:\nt-9  Tabak\n",
    );
  });

  it("states that no name is similar either", () => {
    expect(show({ results: [], total: 9 })).toContain("Yakın bir ad da yok.");
    expect(show({ results: [], total: 9 }, { lang: "en" })).toContain("Nothing comes close either");
  });

  it("states how many more results there are than it lists", () => {
    const listed = { ...CUP, match: "listed" } as const;

    expect(show({ results: [listed], total: 1200 }, { text: undefined })).toBe(
      `${ID}  Ev > Fincan\n1.200 kayıttan ilk 1 tanesi gösterildi, 1.199 kayıt daha var. Hepsi için --all;\naramak için bir sözcük ekleyin.\n`,
    );
    expect(show({ results: [listed], total: 1 }, { text: undefined })).toBe(`${ID}  Ev > Fincan\n`);
  });

  it.each(LOOKUP_KINDS)("states in both languages that there are no %s", (kind) => {
    const turkish = show({ results: [], total: 0 }, { kind });
    const english = show({ results: [], total: 0 }, { kind, lang: "en" });

    expect(turkish).toMatch(/yok\./u);
    expect(english).toMatch(/\bno\b/iu);
  });

  it("fits 80 columns with long paths, and never breaks an id", () => {
    const path = Array.from({ length: 9 }, (_, n) => `Bölüm ${n}`).join(" > ");

    const text = show({ results: [{ ...CUP, path }], total: 1 });

    const lines = text.trimEnd().split("\n");
    expect(lines.every((line) => line.length <= 80)).toBe(true);
    expect(lines.length).toBe(2);
    expect(lines[1]).toMatch(/^ {26}\S/u);
  });

  it("lists the values of the one exact property, and counts those of others", () => {
    const options = [
      { id: "o-1", name: "Mavi" },
      { id: "o-2", name: "Sarı" },
    ];
    const colour: LookupFindings["results"][number] = {
      id: "p-1",
      name: "Renk",
      options,
      match: "exact",
    };
    const one = show({ results: [colour], total: 1 }, { kind: "properties", text: "renk" });
    const two = show({ results: [colour, { ...colour, id: "p-2" }], total: 2 });

    expect(one).toBe("p-1  Renk  (2 seçenek)\n  o-1  Mavi\n  o-2  Sarı\n");
    expect(two).toBe("p-1  Renk  (2 seçenek)\np-2  Renk  (2 seçenek)\n");
  });

  it("counts the districts of a city, and lists those of the one exact city", () => {
    const options = [{ id: "0101", name: "Aladağ" }];
    const city: LookupFindings["results"][number] = {
      id: "01",
      name: "Adana",
      path: "Adana",
      options,
      match: "exact",
    };
    const view = { kind: "cities", text: "adana" } as const;

    expect(show({ results: [city], total: 81 }, view)).toBe(
      "01  Adana  (1 ilçe)\n  0101  Aladağ\n",
    );
    expect(show({ results: [city], total: 81 }, { ...view, lang: "en" })).toContain("(1 district)");
  });
});
