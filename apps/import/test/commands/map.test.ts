import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { startMarketplaceServer } from "@catalog/connection/testing";
import { UsageError } from "@catalog/console";
import { describe, expect, it } from "vitest";

import { mapCommand } from "../../src/commands/map/index.ts";
import { type CommandHarnessOptions, createCommandHarness } from "../helpers/command-harness.ts";

const FILE = [
  "Ürün Kodu;Başlık;Kategori;Renk",
  "KOD-1;Mavi fincan;Home > Fincann;Mavi",
  "KOD-2;Beyaz fincan;Home > Fincann;Mavi",
  "KOD-3;Bardak;Home > Glasses;",
  "KOD-4;Fincan;Fincan;Mavii",
].join("\n");

async function createHarness(options: CommandHarnessOptions = {}) {
  const { baseUrl } = await startMarketplaceServer();
  const harness = createCommandHarness({ lang: "tr", baseUrl, ...options });
  const file = harness.write("urunler.csv", FILE);
  const map = async (flags: Readonly<Record<string, unknown>> = {}): Promise<number> =>
    mapCommand.run(harness.context, { file, ...flags });
  return { ...harness, map };
}

describe("catalog map", () => {
  it.each([
    [
      120,
      [
        "Karşılığı bilinmeyen 3 ad (Kategori: 2, Özellik: Renk: 1)",
        "",
        "Kategori       Home > Fincann (2 satır) → Ev > Fincan · Adı benziyor",
        "Kategori       Home > Glasses (1 satır) → öneri yok",
        "Özellik: Renk  Mavii (1 satır) → Mavi · Adı benziyor",
        "",
      ],
    ],
    [
      60,
      [
        "Karşılığı bilinmeyen 3 ad (Kategori: 2, Özellik: Renk: 1)",
        "",
        "Kategori       Home > Fincann (2 satır)",
        "               → Ev > Fincan · Adı benziyor",
        "Kategori       Home > Glasses (1 satır)",
        "               → öneri yok",
        "Özellik: Renk  Mavii (1 satır)",
        "               → Mavi · Adı benziyor",
        "",
      ],
    ],
  ] as const)(
    "lists the open names in %i columns, and says the next step",
    async (columns, lines) => {
      const { map, terminal } = await createHarness({ columns });

      const exit = await map();

      expect(exit).toBe(5);
      expect(terminal.written.out.split("\n")).toEqual(lines);
      expect(terminal.written.err).toContain("\n\nHepsini bir tabloda");
      expect(terminal.written.err.replaceAll(/\s+/gu, " ")).toContain("--out adlar.xlsx");
    },
  );

  it("offers to write the table, and asks nothing about single names", async () => {
    const { map, terminal, folder } = await createHarness({ answer: true });

    await map();

    expect(terminal.questions).toEqual(["Doldurmanız için tablo yazılsın mı (adlar.xlsx)?"]);
    expect(existsSync(join(folder, "adlar.xlsx"))).toBe(true);
    expect(terminal.written.out).toContain("Yazıldı: adlar.xlsx (3 ad)");
    expect(terminal.written.err.replaceAll(/\s+/gu, " ")).toContain("--in adlar.xlsx");
  });

  it("saves a filled-in sheet, and says what was saved and what stays open", async () => {
    const { map, terminal, write, open } = await createHarness();
    const input = write(
      "adlar.csv",
      "Alan;Dosyadaki Değer;Karşılığı\nKategori;Home > Fincann;Ev > Fincan\nKategori;Home > Glasses;\nMarka;Kuzey;Güney\n",
    );

    const exit = await map({ in: input });

    expect(exit).toBe(5);
    expect(terminal.written.out).toContain(
      [
        "1 karşılık kaydedildi.",
        "Karşılığı boş bırakılan 1 ad açık kaldı.",
        "Bu dosyada açık olmayan 1 satır atlandı.",
        "Geri almak için: catalog rules undo",
        "",
        "Karşılığı bilinmeyen 2 ad (Kategori: 1, Özellik: Renk: 1)",
      ].join("\n"),
    );
    await using connection = await open();
    expect(await connection.memory.rules.list()).toHaveLength(1);
  });

  it("shows samples of what has one reason, and saves it when a person agrees", async () => {
    const [yes, no] = [
      await createHarness({ answer: true }),
      await createHarness({ answer: false }),
    ];

    await yes.map({ accept: "words" });
    await no.map({ accept: "words" });

    expect(yes.terminal.written.err).toContain(
      "Adların sözcükleri: 2 adın ilk önerisi alınır. Örnekler:\n  Kategori: Home > Fincann → Ev > Fincan\n  Özellik: Renk: Mavii → Mavi\n",
    );
    expect(yes.terminal.questions[0]).toBe("2 karşılık kaydedilsin mi?");
    expect(yes.terminal.written.out).toContain("2 karşılık kaydedildi.");
    expect(no.terminal.written.err).toContain("Hiçbir şey kaydedilmedi.");
  });

  it.each([
    [{ yes: true }, "--yes only goes with --accept or --below"],
    [{ accept: "words" }, "Add --yes"],
    [{ accept: "words", yes: true, "min-share": 120 }, "from 1 to 100"],
    [{ out: "adlar.txt" }, ".xlsx or .csv"],
    [{ out: "eski.xlsx" }, "was not replaced"],
    [{ below: ["Home"] }, "is not understood"],
  ])("refuses %j, and reads nothing", async (flags, words) => {
    const { map, folder } = await createHarness();
    writeFileSync(join(folder, "eski.xlsx"), "");

    const refused = map(flags);

    await expect(refused).rejects.toThrow(UsageError);
    await expect(refused).rejects.toThrow(words);
  });

  it("writes CSV and one document with --json, and ends with 0 where nothing is open", async () => {
    const { map, terminal, folder, write } = await createHarness({ json: true });

    const open = await map({ out: "adlar.csv" });
    const first: unknown = JSON.parse(terminal.written.out);
    terminal.written.out = "";
    const none = await map({
      file: write(
        "tam.csv",
        FILE.split("\n").slice(0, 1).join("\n") + "\nKOD-4;Fincan;Fincan;Mavi\n",
      ),
    });

    expect([open, none]).toEqual([5, 0]);
    expect(first).toMatchObject({
      command: "map",
      open: 3,
      names: [
        { value: "Home > Fincann", rows: 2, suggestions: [{ target: "Ev > Fincan" }] },
        {},
        {},
      ],
      saved: { rules: [], left: 0, others: 0, opened: 0 },
      out: join(folder, "adlar.csv"),
      exit: 5,
    });
    expect(JSON.parse(terminal.written.out)).toMatchObject({
      open: 0,
      names: [],
      out: null,
      exit: 0,
    });
    expect(existsSync(join(folder, "adlar.csv"))).toBe(true);
  });
});
