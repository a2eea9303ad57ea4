import { join } from "node:path";

import { createTestDatabase, hasPostgres } from "@catalog/database/testing";
import type { OutCell } from "@catalog/sheets";
import * as fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";

import { type Filled, fillIn } from "../../helpers/fill-in.ts";
import { openTestStore, type TestStore } from "../../helpers/markets/test-store.ts";
import { columnOf, readTable, type Table } from "../../helpers/read-table.ts";
import { waitUntil } from "../../helpers/wait-until.ts";

/** The headers of the export by their keys. */
const HEADERS = {
  tr: {
    id: "Şablon ID",
    name: "Şablon Adı",
    free: "Ücretsiz Kargo",
    note: "Kargo Notu",
    time: "Kargoya Verme Süresi",
    sender: "Gönderim Adresi",
    same: "İade Adresi Aynı",
    back: "İade Adresi",
    all: "Bütün Şehirlere",
    cities: "Gönderilen Şehirler",
    companies: "Kargo Firmaları",
    companyIds: "Kargo Firması ID",
    returns: "İade Firmaları",
    conditional: "Koşullu Kargo",
    minimum: "Koşullu Kargo Alt Tutarı",
  },
  en: {
    id: "Template ID",
    name: "Template Name",
    free: "Free Shipping",
    note: "Shipping Note",
    time: "Shipping Time",
    sender: "Sender Address",
    same: "Same Return Address",
    back: "Return Address",
    all: "All Cities",
    cities: "Suitable Cities",
    companies: "Shipping Companies",
    companyIds: "Shipping Company IDs",
    returns: "Return Companies",
    conditional: "Conditional Shipping",
    minimum: "Conditional Minimum",
  },
} as const;

type Key = keyof (typeof HEADERS)["tr"];
type Cells = Readonly<Partial<Record<Key, OutCell>>>;

interface SheetOptions {
  readonly ext?: "csv" | "xlsx";
  readonly lang?: "tr" | "en";
  /** Whether the database is on a server. @default false */
  readonly isServer?: boolean;
}

async function openServer(): Promise<string> {
  const server = await createTestDatabase();
  onTestFinished(() => server[Symbol.asyncDispose]());
  return server.url;
}

/** A store whose templates are exported, changed and imported. */
interface TemplateShop {
  readonly shop: TestStore;
  /** Exports; returns the table. */
  readonly read: () => Promise<Table>;
  /** Writes the export again with these cells in the rows of its numbers, and further rows. */
  readonly change: (
    rows: Readonly<Record<number, Cells>>,
    more?: readonly Cells[],
  ) => Promise<string>;
  /** Imports a file. */
  readonly send: (
    file: string,
    ...flags: readonly string[]
  ) => Promise<Awaited<ReturnType<TestStore["json"]>>>;
}

async function openShop(
  options: Parameters<typeof openTestStore>[0] = {},
  { ext = "xlsx", lang = "tr", isServer = false }: SheetOptions = {},
): Promise<TemplateShop> {
  const local = await openTestStore({ products: 5, ...options });
  const shop = isServer ? local.at({ CATALOG_DATABASE_URL: await openServer() }) : local;
  const file = (name: string): string => join(shop.folder, `${name}.${ext}`);
  const toFilled = (cells: Cells): Filled =>
    Object.fromEntries(Object.entries(cells).map(([key, cell]) => [headerOf(lang, key), cell]));
  let exports = 0;
  const write = async (): Promise<string> => {
    exports += 1;
    const path = file(`export-${exports}`);
    const { code } = await shop.run("shipping", "templates", "export", path, "--lang", lang);
    expect(code).toBe(0);
    return path;
  };
  return {
    shop,
    read: async () => await readTable(await write()),
    async change(rows, more = []) {
      const from = await write();
      const to = file(`changed-${exports}`);
      const fill = (_: unknown, index: number): Filled => toFilled(rows[index + 2] ?? {});
      await fillIn({ from, to, fill, more: more.map((cells) => toFilled(cells)) });
      return to;
    },
    send: (path, ...flags) =>
      shop.json("shipping", "templates", "import", path, "--lang", lang, ...flags),
  };
}

const isKey = (key: string): key is Key => Object.hasOwn(HEADERS.tr, key);

function headerOf(lang: "tr" | "en", key: string): string {
  if (!isKey(key)) throw new Error(`no column ${key}`);
  return HEADERS[lang][key];
}

/** A new template with all that it needs. */
const NEW: Cells = {
  name: "Bölge Kargosu",
  time: 2,
  sender: "Mağaza",
  companies: "Toros Dağıtım",
  returns: "Toros Dağıtım",
};

const codesOf = (issues: readonly { readonly code: string; readonly cell: string }[]) =>
  issues.map(({ code, cell }) => `${cell} ${code}`).toSorted();

const KINDS = [
  ["xlsx", "tr"],
  ["csv", "en"],
  ["csv", "tr"],
  ["xlsx", "en"],
] as const;

describe("a file of shipping templates", () => {
  it.each(KINDS)("that nobody has touched sends nothing (%s, %s)", async (ext, lang) => {
    const { change, send } = await openShop({}, { ext, lang });

    const { exit, counts, requests } = await send(await change({}), "--yes");

    expect([exit, counts.unchanged, counts.rows, requests.write]).toEqual([0, 8, 8, 0]);
  });

  it.each(KINDS)("changes what differs, and nothing else (%s, %s)", async (ext, lang) => {
    const { shop, change, send, read } = await openShop({}, { ext, lang });
    const [yes, no] = lang === "tr" ? ["Evet", "hayır"] : ["yes", "No"];
    const before = await read();
    const file = await change(
      {
        2: { note: "=iki;\n“gün”", free: yes, time: "4" },
        3: { companies: "Anadolu Ekspres; ornek kargo", returns: "Toros Dağıtım" },
        4: { same: no, back: "İade Deposu" },
        5: { all: no, cities: "istanbul, 06; İzmir" },
        6: { name: "Hacimli" },
        7: { all: yes },
        8: { note: "<SİL>" },
      },
      [{ ...NEW, free: no, conditional: yes, minimum: 1500.5 }],
    );

    const sent = await send(file, "--yes");
    const again = await send(file, "--yes");

    const after = await read();
    const cell = (key: Key, row: number): unknown =>
      columnOf(after, headerOf(lang, key))[row - 2] ?? null;
    expect(sent.counts).toMatchObject({ updated: 8, unchanged: 1, rows: 9 });
    expect(sent.verification).toMatchObject({ visible: 8, mismatch: 0 });
    expect([again.exit, again.counts.unchanged, again.requests.write]).toEqual([0, 9, 0]);
    expect([cell("note", 2), Number(cell("time", 2))]).toEqual(["=iki;\n“gün”", 4]);
    expect(cell("companies", 3)).toBe("Anadolu Ekspres; Örnek Kargo");
    expect([cell("back", 4), cell("cities", 5)]).toEqual([
      "İade Deposu",
      "İstanbul; Ankara; İzmir",
    ]);
    expect([cell("name", 6), cell("cities", 7), cell("note", 8)]).toEqual(["Hacimli", null, null]);
    expect([cell("name", 10), toAmount(cell("minimum", 10))]).toEqual(["Bölge Kargosu", 1500.5]);
    expect(differences(before, after)).toEqual(
      new Set([
        ...["note", "free", "time"].map((key) => `${headerOf(lang, key)} 2`),
        ...["companies", "companyIds", "returns"].map((key) => `${headerOf(lang, key)} 3`),
        `${lang === "tr" ? "İade Firması ID" : "Return Company IDs"} 3`,
        ...["same", "back"].map((key) => `${headerOf(lang, key)} 4`),
        `${lang === "tr" ? "İade Adresi ID" : "Return Address ID"} 4`,
        ...["all", "cities"].map((key) => `${headerOf(lang, key)} 5`),
        `${headerOf(lang, "name")} 6`,
        ...["all", "cities"].map((key) => `${headerOf(lang, key)} 7`),
        `${headerOf(lang, "note")} 8`,
      ]),
    );
    expect(shop.sandbox.inspect().effects["shippingTemplate.create"]).toEqual({
      "Bölge Kargosu": 1,
    });
  });

  it("is refused at each of its cells at once, in both languages", async () => {
    const { change, send } = await openShop();
    const file = await change({ 2: { id: "0".repeat(24) } }, [
      {
        name: "Yeni",
        free: "belki",
        time: "2 saat",
        sender: "Merkes Depo",
        companies: "Örnek Kargo; Yok",
        all: "Hayır",
        minimum: "1.500",
      },
      { ...NEW, name: "Alt tutar", minimum: 5, same: "Hayır" },
      { ...NEW, name: "" },
    ]);

    const { exit, counts, issues } = await send(file, "--yes");

    expect([exit, counts.invalid, counts.updated]).toEqual([5, 4, 0]);
    expect(codesOf(issues)).toEqual([
      "A12 E_TEMPLATE_REQUIRED",
      "B10 E_TEMPLATE_YES_NO",
      "D10 E_TEMPLATE_TIME",
      "E10 E_TEMPLATE_NAME_UNKNOWN",
      "G11 E_TEMPLATE_RETURN",
      "I10 E_TEMPLATE_CITIES",
      "K10 E_TEMPLATE_NAME_UNKNOWN",
      "L10 E_TEMPLATE_REQUIRED",
      "N10 E_TEMPLATE_AMOUNT",
      "N11 E_TEMPLATE_MINIMUM",
      "Q2 E_TEMPLATE_UNKNOWN",
    ]);
    const unknown = issues.find(({ code }: { code: string }) => code === "E_TEMPLATE_NAME_UNKNOWN");
    expect(unknown.suggestion.tr).toContain("Merkez Depo");
    for (const { message } of issues) expect(message.tr).not.toBe(message.en);
  });

  it("holds a name that is taken, with its id, and refuses names and ids that come twice", async () => {
    const { shop, change, send, read } = await openShop();
    const ids = columnOf(await read(), HEADERS.tr.id);
    const file = await change(
      { 3: { name: "standart teslimat" }, 5: { id: String(ids[4]), note: "iki satır" } },
      [
        { ...NEW, name: "HIZLI TESLİMAT" },
        { ...NEW, name: "Çift" },
        { ...NEW, name: "çift", time: 9 },
      ],
    );

    const { counts, issues } = await send(file, "--yes");

    expect(counts).toMatchObject({ held: 2, invalid: 4, updated: 0, unchanged: 5 });
    expect(issues.map(({ code, row }: { code: string; row: number }) => `${row} ${code}`)).toEqual([
      "3 E_TEMPLATE_RENAME",
      "5 E_TEMPLATE_ID_TWICE",
      "6 E_TEMPLATE_ID_TWICE",
      "10 E_TEMPLATE_EXISTS",
      "11 E_TEMPLATE_NAME_TWICE",
      "12 E_TEMPLATE_NAME_TWICE",
    ]);
    expect(issues[0].message.tr).toContain(String(ids[0]));
    expect(issues[3].message.en).toContain(String(ids[2]));
    expect(shop.sandbox.inspect().effects).toEqual({});
  });
});

const toAmount = (cell: unknown): number => Number(String(cell).replace(",", "."));

describe("a template whose name is taken", () => {
  it("is created all the same once a person releases its row", async () => {
    const { shop, change, send, read } = await openShop();
    const { run } = await send(await change({}, [{ ...NEW, name: "Standart Teslimat" }]), "--yes");

    await shop.json("release", run, "--rows", "10", "--resend", "--yes");
    const { counts, verification } = await shop.json("resume", run, "--yes");

    const names = columnOf(await read(), HEADERS.tr.name);
    expect(names.filter((name) => name === "Standart Teslimat")).toHaveLength(2);
    expect(counts).toMatchObject({ updated: 1, held: 0 });
    expect(verification).toMatchObject({ visible: 1, mismatch: 0 });
  });
});

/** Header and row of each cell that differs, in the rows that both have. */
function differences(before: Table, after: Table): ReadonlySet<string> {
  const found = before.rows.flatMap((cells, index) =>
    before.header.flatMap((header, at) => {
      const now = after.rows[index]?.[at] ?? null;
      return JSON.stringify(now) === JSON.stringify(cells[at] ?? null)
        ? []
        : [`${header} ${index + 2}`];
    }),
  );
  return new Set(found);
}

/** Somebody else changes the note of a template. */
const setNote = (shop: TestStore, id: unknown, note: string): Promise<unknown> =>
  shop.json(
    "api",
    "shippingTemplate.update",
    "--param",
    `shipping_template_id=${String(id)}`,
    "--param",
    `shipping_note=${note}`,
    "--yes",
  );

describe("what others change meanwhile", () => {
  it("since the plan is held, and the rest is sent", async () => {
    const { shop, change, send, read } = await openShop();
    const ids = columnOf(await read(), HEADERS.tr.id);
    const file = await change({ 2: { note: "bizim" }, 3: { note: "bizim" } });
    const { run } = await send(file, "--plan");
    await setNote(shop, ids[0], "başkasının");

    const { counts, issues } = await shop.json("apply", run, "--yes");

    expect(counts).toMatchObject({ updated: 1, held: 1 });
    expect(issues[0].code).toBe("E_ACTION_CHANGED");
    expect(issues[0].message.tr).toContain("başkasının");
    const notes = columnOf(await read(), HEADERS.tr.note);
    expect(notes.slice(0, 2)).toEqual(["başkasının", "bizim"]);
  });

  it("since the export is held where the ids of the file tell it", async () => {
    const { change, send } = await openShop();
    const stale = await change({});
    await send(await change({ 2: { companies: "Anadolu Ekspres" } }), "--yes");

    const { counts, issues } = await send(stale, "--yes");

    expect(counts).toMatchObject({ held: 1, unchanged: 7, updated: 0 });
    expect(issues[0]).toMatchObject({ code: "E_TEMPLATE_SINCE", column: HEADERS.tr.companies });
    expect(issues[0].message.en).toContain("Anadolu Ekspres");
  });
});

describe("an undo", () => {
  it.each([
    ["a file", false],
    ["a server", true],
  ] as const)(
    "puts back what nobody has changed since, and names the rest, on %s",
    async (_, isServer) => {
      if (isServer && !hasPostgres()) return;
      const { shop, change, send, read } = await openShop({}, { isServer });
      const before = await read();
      const file = await change(
        {
          2: { note: "yeni", free: "Evet" },
          4: { same: "Hayır", back: "İade Deposu" },
          5: { all: "Hayır", cities: "Ankara" },
          7: { all: "Evet" },
        },
        [NEW],
      );
      const { run } = await send(file, "--yes");
      const ids = columnOf(before, HEADERS.tr.id);
      await setNote(shop, ids[0], "başkasının");

      const undo = await shop.json("undo", run, "--yes", "--lang", "en");
      const again = await shop.run("undo", run, "--yes");

      const after = await read();
      expect(undo.counts).toMatchObject({ updated: 4, skipped: 1 });
      expect(undo.warnings[0]).toMatch(
        /3 to restore, 1 to restore in part, 1 created, which stay/u,
      );
      expect(differences(before, after)).toEqual(new Set([`${HEADERS.tr.note} 2`]));
      expect(columnOf(after, HEADERS.tr.note)[0]).toBe("başkasının");
      expect(again.err).toContain("şablon zaten eski hâlinde");
      expect(again.err).not.toContain("ürün");
    },
  );

  it("restores only chosen fields, and can be undone itself", async () => {
    const { shop, change, send, read } = await openShop();
    const before = await read();
    const { run } = await send(
      await change({ 2: { note: "yeni", free: "Evet", time: 9 } }),
      "--yes",
    );

    const undo = await shop.json("undo", run, "--fields", "Kargo Notu,shipping_time", "--yes");
    const changed = differences(before, await read());
    await shop.json("undo", undo.run, "--yes");

    expect(changed).toEqual(new Set([`${HEADERS.tr.free} 2`]));
    expect(differences(before, await read()).size).toBe(3);
  });
});

describe("a lost answer", () => {
  it.each([
    ["reset-after", 1, "done"],
    ["error-after", 1, "done"],
    ["refused-after", 1, "done"],
    ["html", 1, "done"],
    ["truncated-with-length", 1, "done"],
    ["reset-before", 0, "held"],
    ["error-before", 0, "held"],
  ] as const)("of a new template is looked up by its name (%s)", async (kind, effects, state) => {
    const { shop, change, send } = await openShop({
      faults: [{ kind, endpoint: "shippingTemplate.create" }],
    });
    const file = await change({}, [NEW]);

    const { counts } = await send(file, "--yes");
    const again = await send(file, "--yes");

    const found = shop.sandbox.inspect().effects["shippingTemplate.create"] ?? {};
    expect(found[String(NEW.name)] ?? 0).toBe(effects);
    expect(counts).toMatchObject(state === "done" ? { updated: 1 } : { held: 1 });
    expect([again.counts.updated, again.requests.write]).toEqual([0, 0]);
  });

  it.each([
    ["two-listings", false],
    ["ten-minutes", false],
    ["ten-minutes", true],
  ] as const)(
    "of a template that is shown late (%s, on a server: %s) creates no second one",
    async (late, isServer) => {
      if (isServer && !hasPostgres()) return;
      const sandbox = {
        personality: { "change-shown": late },
        faults: [{ kind: "reset-after", endpoint: "shippingTemplate.create" }],
      } as const;
      const { shop, change, send } = await openShop(sandbox, { isServer });
      const file = await change({}, [NEW]);

      await send(file, "--yes");
      for (let times = 0; times < 3; times += 1) await send(file, "--yes");

      const found = shop.sandbox.inspect().effects["shippingTemplate.create"];
      expect(found).toEqual({ [String(NEW.name)]: 1 });
    },
  );

  it("of an update is read back, and sent again where it was not carried out", async () => {
    const { change, send, read } = await openShop({
      faults: [
        { kind: "reset-before", endpoint: "shippingTemplate.update", nth: 1 },
        { kind: "reset-after", endpoint: "shippingTemplate.update", nth: 3 },
      ],
    });
    const file = await change({ 2: { note: "bir" }, 3: { note: "iki" }, 4: { note: "üç" } });

    const { counts } = await send(file, "--yes");

    expect(counts).toMatchObject({ updated: 3, held: 0 });
    const notes = columnOf(await read(), HEADERS.tr.note);
    expect(notes.slice(0, 3)).toEqual(["bir", "iki", "üç"]);
  });

  it("of a store that wants each name once leaves one template of the name", async () => {
    const { shop, change, send } = await openShop({
      personality: { "template-name": "unique" },
      faults: [{ kind: "html", endpoint: "shippingTemplate.create", nth: 1 }],
    });

    await send(await change({}, [NEW]), "--yes");

    const { effects } = shop.sandbox.inspect();
    expect(effects["shippingTemplate.create"]).toEqual({ [String(NEW.name)]: 1 });
  });
});

describe("a process that is killed", () => {
  it("has created each template once when the run is over", async () => {
    const count = 12;
    const { shop, change } = await openShop({
      faults: [{ kind: "latency", endpoint: "shippingTemplate.create", ms: 150 }],
    });
    const names = Array.from({ length: count }, (_, n) => `Şablon ${n + 1}`);
    const file = await change(
      {},
      names.map((name) => Object.assign({}, NEW, { name })),
    );
    const made = (): number =>
      Object.keys(shop.sandbox.inspect().effects["shippingTemplate.create"] ?? {}).length;
    const first = shop.start("shipping", "templates", "import", file, "--yes");
    for (let process = first, kills = 0; ; kills += 1) {
      const before = made();
      let isOver = false;
      void process.finished.then(() => (isOver = true));
      await waitUntil(() => isOver || made() > before + 1);
      process.child.kill("SIGKILL");
      await process.finished;
      const { runs } = await shop.json("runs");
      if (kills >= 3 || isOver) {
        await shop.json("resume", runs[0].run, "--yes");
        break;
      }
      process = shop.start("resume", runs[0].run, "--yes");
    }

    const { runs } = await shop.json("runs");
    const { counts } = await shop.json("runs", runs[0].run);
    const { effects, repeatedEffects } = shop.sandbox.inspect();
    expect(repeatedEffects).toEqual({});
    const created = effects["shippingTemplate.create"] ?? {};
    expect(counts.updated + counts.held + counts.unchanged).toBe(count + 8);
    expect(Object.keys(created).length).toBeGreaterThanOrEqual(counts.updated);
    expect(counts.pending + counts.unknown).toBe(0);
  });
});

describe("any change of any cells", () => {
  const change = fc.record(
    {
      note: fc.constantFrom(
        "-1",
        "=1+1",
        "'tırnak",
        "@kim",
        "00123",
        "1,5",
        'a;b "c"',
        "çok\n\nsatır",
        "<b>kalın</b>",
        "<SİL>",
      ),
      free: fc.constantFrom("Evet", "hayır", "1", true, false),
      time: fc.constantFrom(1, "5", "7 gün"),
      sender: fc.constantFrom("Mağaza", "izmir subesi"),
      companies: fc.constantFrom(
        "Toros Dağıtım",
        "Ege Ambar; Boğaz Kurye",
        "boğaz kurye;EGE AMBAR",
      ),
      returns: fc.constantFrom("Mağaza Kuryesi"),
      all: fc.constantFrom("Evet", "Hayır"),
      cities: fc.constantFrom("Bursa", "Ankara; 34"),
    },
    { requiredKeys: [] },
  );

  it("is sent once and found again by the next export", async () => {
    const { change: edit, send, read } = await openShop();
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 8 }), async (rows) => {
        const file = await edit(Object.fromEntries(rows.map((cells, n) => [n + 2, cells])));
        const sent = await send(file, "--yes");
        const again = await send(file, "--yes");
        const untouched = await send(await edit({}), "--yes");

        const { updated, unchanged, invalid, held, rows: all } = sent.counts;
        expect(updated + unchanged + invalid).toBe(all);
        expect(held).toBe(0);
        expect([again.counts.updated, again.counts.invalid, again.requests.write]).toEqual([
          0,
          invalid,
          0,
        ]);
        expect([untouched.counts.unchanged, untouched.requests.write]).toEqual([8, 0]);
        const table = await read();
        rows.forEach(({ free, time }, index) => {
          const isBad = sent.issues.some(
            ({ row, code }: { row: number; code: string }) =>
              row === index + 2 && code.startsWith("E_"),
          );
          if (isBad || time === undefined) return;
          const shown = columnOf(table, HEADERS.tr.time)[index];
          expect(shown).toBe(Number.parseInt(String(time), 10));
          if (free === undefined) return;
          const isFree = ["Evet", "1", "true"].includes(String(free));
          expect(columnOf(table, HEADERS.tr.free)[index]).toBe(isFree ? "Evet" : "Hayır");
        });
      }),
      { numRuns: 5 },
    );
  });
});
