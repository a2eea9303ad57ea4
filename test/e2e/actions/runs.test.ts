import { readFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, it } from "vitest";

import { fillIn } from "../../helpers/fill-in.ts";
import { openTestStore, type TestStore } from "../../helpers/markets/test-store.ts";
import { columnOf, readTable } from "../../helpers/read-table.ts";

const AWAITING = 1;
const ACCEPTED = 3;

interface Shop extends TestStore {
  /** The exported packages. */
  readonly from: string;
  readonly ids: readonly string[];
}

type ShopOptions = Parameters<typeof openTestStore>[0];

/** A store whose packages are all in one status, and its export by package. */
async function openOrders(status: number, more: ShopOptions = {}): Promise<Shop> {
  const orders = { packages: 6, statuses: [status] };
  const shop = await openTestStore({ orders, ...more });
  const from = join(shop.folder, "siparisler.csv");
  await shop.run("export", "orders", "--per", "package", "--out", from, "--lang", "tr");
  const ids = columnOf(await readTable(from), "Paket ID").map(String);
  return { ...shop, from, ids };
}

const ask =
  (action: string, reason: string | null = null, rows = Infinity) =>
  (_: unknown, index: number) =>
    index < rows ? { İşlem: action, Gerekçe: reason } : {};

async function fillOrders(
  shop: Shop,
  fill: Parameters<typeof fillIn>[0]["fill"],
  more: Partial<Parameters<typeof fillIn>[0]> = {},
): Promise<string> {
  const to = join(shop.folder, "dolu.csv");
  await fillIn({ from: shop.from, to, fill, ...more });
  return to;
}

/** Reads the statuses again, by package. */
async function statusesOf(shop: Shop): Promise<ReadonlyMap<string, unknown>> {
  const to = join(shop.folder, "sonra.csv");
  await shop.run(
    "export",
    "orders",
    "--per",
    "package",
    "--out",
    to,
    "--overwrite",
    "--lang",
    "tr",
  );
  const table = await readTable(to);
  const statuses = columnOf(table, "Paket Durumu");
  return new Map(columnOf(table, "Paket ID").map((id, index) => [String(id), statuses[index]]));
}

describe("a list of packages", () => {
  it.each<[what: string, word: string, from: number, to: string]>([
    ["accept", "Onayla", AWAITING, "Onaylandı"],
    ["postpone", "Ertele", AWAITING, "Ertelendi"],
    ["accept-return", "İadeyi onayla", 13, "İade onaylandı"],
    ["reject-return", "İadeyi reddet", 13, "İade reddedildi"],
  ])("is sent with orders %s, and shows before and after", async (...[what, word, from, to]) => {
    const shop = await openOrders(from);
    const file = await fillOrders(shop, ask(word, "Neden", 2));

    const { counts, actions, files } = await shop.json(
      "orders",
      what,
      file,
      "--yes",
      "--lang",
      "tr",
    );
    const again = await shop.json("orders", what, shop.from, "--yes");
    const statuses = await statusesOf(shop);

    expect([actions, counts.updated, counts.skipped]).toEqual([what, 2, 4]);
    expect(again.exit).toBe(3);
    expect([statuses.get(shop.ids[0] ?? ""), statuses.get(shop.ids[2] ?? "")]).not.toContain(
      undefined,
    );
    expect(statuses.get(shop.ids[0] ?? "")).toBe(to);
    const result = await readTable(files.result.replace(".xlsx", ".csv"));
    expect(columnOf(result, "Sonraki Durum")[0]).toMatch(new RegExp(`^${to} \\(\\d+\\)$`, "u"));
    expect(result.header.filter((name) => name === "Ürün ID")).toEqual([]);
  });

  it("shows the discount code that an acceptance names, and only where one can be named", async () => {
    const shop = await openOrders(AWAITING);
    const sent = await shop.json("orders", "accept", shop.from, "--yes", "--lang", "tr");
    expect(sent.exit).toBe(3);
    const file = await fillOrders(shop, ask("Onayla"));
    const { files } = await shop.json("orders", "accept", file, "--yes", "--lang", "tr");
    const again = await shop.json("orders", "accept", files.result, "--yes", "--lang", "tr");
    const returned = await openOrders(13);
    const back = await fillOrders(returned, ask("İadeyi onayla", "Geldi"));
    const others = await returned.json("orders", "accept-return", back, "--yes", "--lang", "tr");

    const header = "Sipariş İndirim Kodu";
    for (const path of [files.result, files.result.replace(".xlsx", ".csv")]) {
      const codes = columnOf(await readTable(path), header).map((code) => code ?? "");
      expect(codes).toHaveLength(6);
      expect(codes.some((code) => code !== "")).toBe(true);
    }
    // A result that is taken as a list has the column once.
    const repeated = await readTable(again.files.result);
    expect(repeated.header.filter((name) => name === header)).toEqual([header]);
    expect((await readTable(others.files.result)).header).not.toContain(header);
  });

  it.each<[what: string, flags: readonly string[]]>([
    ["postpone", ["--reason", "Stok yok"]],
    ["reject-return", ["--reason", "Kullanılmış"]],
    ["shipping-codes", ["--company", "Örnek Kargo"]],
  ])("named without a file, %s gives a failed file that asks for the same", async (what, flags) => {
    const shop = await openOrders(12);
    const named = ["--package", `${shop.ids[0]},${shop.ids[1]}`, ...flags];
    const { counts, files } = await shop.json("orders", what, ...named, "--yes", "--lang", "tr");
    expect(counts.rejected).toBe(2);

    const again = await shop.json("orders", what, files.failed, "--plan", "--lang", "tr");

    expect([again.counts.invalid, again.planned.update]).toEqual([0, 2]);
  });

  it("may be named without a file", async () => {
    const shop = await openOrders(AWAITING);
    const [one, two] = shop.ids;

    const { counts } = await shop.json("orders", "accept", "--package", `${one},${two}`, "--yes");
    const without = await shop.run("orders", "postpone", "--package", `${one}`, "--plan");
    const company = await shop.run("orders", "shipping-codes", "--package", `${one}`, "--plan");

    expect([counts.rows, counts.updated]).toEqual([2, 2]);
    expect([without.code, company.code]).toEqual([3, 2]);
    expect(without.out).toContain("gerekçe");
  });

  it("without a column of actions is the whole list, and says so", async () => {
    const shop = await openOrders(AWAITING);
    const file = await fillOrders(shop, () => ({}), { without: ["İşlem"] });

    const { counts, warnings } = await shop.json("orders", "accept", file, "--yes", "--lang", "en");

    expect(counts.updated).toBe(6);
    expect(warnings[0]).toContain("every package of the list (6)");
  });

  it("leaves rows that ask for something else, and counts them", async () => {
    const shop = await openOrders(AWAITING);
    const file = await fillOrders(shop, (_, index) => ({ İşlem: index < 2 ? "Onayla" : "Ertele" }));

    const { counts, warnings } = await shop.json("orders", "accept", file, "--yes", "--lang", "tr");

    expect([counts.updated, counts.skipped]).toEqual([2, 4]);
    expect(warnings[0]).toContain("Ertele: 4");
  });

  it("learns what the status becomes, and plans it as assumed", async () => {
    const shop = await openOrders(AWAITING);
    const [one, two] = shop.ids;
    const plan = async (id: string | undefined) =>
      await shop.json("orders", "accept", "--package", `${id}`, "--plan", "--lang", "tr");
    const before = await plan(one);
    await shop.json("orders", "accept", "--package", `${one}`, "--yes");

    const after = await plan(two);
    const done = await plan(one);
    const shown = await shop.run("explain", after.run, "2", "--lang", "tr");

    expect(before.changes.others[0].samples[0]).toEqual(
      expect.not.objectContaining({ new: ACCEPTED }),
    );
    expect(after.changes.others[0].samples[0]).toMatchObject({ new: ACCEPTED, isAssumed: true });
    expect(shown.out).toContain("Onay bekliyor (1) → Onaylandı (3), varsayım");
    expect([done.counts.unchanged, done.issues[0].code]).toEqual([1, "W_ACTION_ALREADY"]);
  });

  it("is sent again with retry, as the same action", async () => {
    const shop = await openOrders(9);
    const named = ["--package", `${shop.ids[0]}`, "--yes"];
    const { run, counts } = await shop.json("orders", "accept-return", ...named, "--reason", "Ok");
    expect(counts.rejected).toBe(1);

    const retried = await shop.json("retry", run, "--yes");

    expect(retried).toMatchObject({ actions: "accept-return", counts: { rows: 1, rejected: 1 } });
  });

  it("settles a lost answer once the status is known", async () => {
    const shop = await openOrders(AWAITING, {
      faults: [{ kind: "reset-after", endpoint: "order.accept", nth: 1 }],
    });
    const [one, two] = shop.ids;
    const lost = await shop.json("orders", "accept", "--package", `${one}`, "--yes");
    expect([lost.exit, lost.counts.held]).toEqual([5, 1]);

    await shop.json("orders", "accept", "--package", `${two}`, "--yes");

    const { counts } = await shop.json("report", lost.run);
    expect([counts.held, counts.updated]).toEqual([0, 1]);
  });
});

describe("shipping codes", () => {
  it("are made once, and the result is the list to print labels from", async () => {
    const shop = await openOrders(ACCEPTED);
    const file = await fillOrders(shop, (_, index) =>
      index < 2 ? { "Kargo Firması": "Örnek Kargo" } : {},
    );

    const { counts, files } = await shop.json(
      "orders",
      "shipping-codes",
      file,
      "--yes",
      "--lang",
      "tr",
    );
    const result = files.result.replace(".xlsx", ".csv");
    const again = await shop.json("orders", "shipping-codes", result, "--yes");
    const stale = await shop.json("orders", "shipping-codes", file, "--yes");
    const rest = await shop.json(
      "orders",
      "shipping-codes",
      shop.from,
      "--company",
      "Örnek Kargo",
      "--yes",
    );

    expect(counts.updated).toBe(2);
    const codes = columnOf(await readTable(result), "Kargo Kodu");
    expect(codes.filter((code) => code !== null && code !== "")).toHaveLength(2);
    expect([again.counts.updated, again.requests.write]).toEqual([0, 0]);
    expect([stale.counts.updated, stale.requests.write]).toEqual([0, 0]);
    expect(rest.counts.updated).toBe(4);
  });

  it("are asked of a company that there is", async () => {
    const shop = await openOrders(ACCEPTED);

    const { code, err } = await shop.run(
      "orders",
      "shipping-codes",
      shop.from,
      "--company",
      "Yok",
      "--plan",
      "--lang",
      "en",
    );

    expect(code).toBe(2);
    expect(err).toContain("Örnek Kargo");
  });

  it("are not asked for where a store shows the company and hides the code", async () => {
    const shop = await openOrders(ACCEPTED, {
      personality: { "shipping-code-shown": "company-only" },
      breaks: { "early-token": "two homes share no token" },
    });
    const file = await fillOrders(shop, () => ({ "Kargo Firması": "Örnek Kargo" }));
    await shop.json("orders", "shipping-codes", file, "--yes");
    const to = join(shop.folder, "sonra.csv");
    await shop.run("export", "orders", "--out", to, "--lang", "tr");

    const { requests } = await shop
      .at({ CATALOG_HOME: join(shop.folder, "baska") })
      .json("orders", "shipping-codes", to, "--yes");

    expect(requests.write).toBe(0);
  });
});

const openAnswers = async (faults: NonNullable<ShopOptions>["faults"] = []) => {
  const shop = await openTestStore({ questions: { count: 10, answeredPercent: 0 }, faults });
  const from = join(shop.folder, "sorular.csv");
  await shop.run("export", "questions", "--out", from, "--lang", "tr");
  const file = join(shop.folder, "dolu.csv");
  await fillIn({ from, to: file, fill: (_, n) => ({ Yanıt: n < 4 ? `Evet ${n}` : null }) });
  return { ...shop, file };
};

/** Six packages of which two ask for no known action. */
async function openMistaken(): Promise<readonly [Shop, string]> {
  const shop = await openOrders(AWAITING);
  return [shop, await fillOrders(shop, askUnclearly)];
}

const askUnclearly = (_: unknown, n: number) => ({ İşlem: n < 2 ? "Onayla mı?" : "Onayla" });

/** Accepts all packages, of which one is tried first. */
async function acceptWithCanary(shop: Shop): Promise<Awaited<ReturnType<Shop["json"]>>> {
  const file = await fillOrders(shop, ask("Onayla"));
  return await shop.json("orders", "accept", file, "--yes", "--canary", "1");
}

describe("limits and a canary", () => {
  it.each<[flags: readonly string[], exit: number, done: number]>([
    [["--strict"], 3, 0],
    [["--max-errors", "1"], 3, 0],
    [["--max-errors", "2"], 5, 4],
    [["--max-errors", "10%"], 3, 0],
  ])("%j of a file with two mistakes of six", async (flags, exit, done) => {
    const [shop, file] = await openMistaken();

    const sent = await shop.json("orders", "accept", file, "--yes", ...flags);

    expect([sent.exit, sent.counts.invalid, sent.counts.updated]).toEqual([exit, 2, done]);
    expect(Object.keys(shop.sandbox.inspect().effects)).toHaveLength(done === 0 ? 0 : 1);
  });

  it("a canary of one that is refused leaves the rest unsent, and one that succeeds sends all", async () => {
    const refused = await openOrders(12);
    const good = await openOrders(AWAITING);

    const stopped = await acceptWithCanary(refused);
    const sent = await acceptWithCanary(good);

    expect([stopped.exit, stopped.counts.rejected, stopped.counts.pending]).toEqual([6, 1, 5]);
    expect([sent.exit, sent.counts.updated]).toEqual([0, 6]);
  });
});

describe("a run of answers", () => {
  it("is planned, applied, listed and explained in its own words", async () => {
    const shop = await openAnswers();

    const plan = await shop.run("answer", shop.file, "--plan", "--lang", "tr");
    const [run = ""] = /r-\d{6}-\d{4}-[0-9a-f]{4}/u.exec(plan.out) ?? [];
    const applied = await shop.run("apply", run, "--yes", "--lang", "tr");
    const listed = await shop.run("runs", "--lang", "tr");
    const explained = await shop.run("explain", run, "2", "--lang", "tr");
    const undone = await shop.run("undo", run, "--yes", "--lang", "tr");

    expect(plan.out).toContain("4 soru yanıtlanacak, 6 satırda istenen bir şey yok");
    // The plan shows the question itself, as nobody knows its id.
    const asked = String(columnOf(await readTable(shop.file), "Soru")[2]).slice(0, 15);
    expect(plan.out).toContain(asked);
    expect(applied.out).toContain("4 soru yanıtlandı");
    expect(listed.out).toContain("4 soru yanıtlandı");
    expect(explained.out).toContain("(yanıt yok) → Evet 0");
    expect([undone.code, undone.err]).toEqual([2, expect.stringContaining("geri alınamaz")]);
    const words = plan.out + applied.out + listed.out + explained.out;
    expect(words).not.toMatch(/ürün (?:eklen|güncellen)|eklenecek|güncellen(?:ecek|di)|null/u);
    const page = readFileSync(join(shop.folder, "catalog-results", run, "report.html"), "utf8");
    expect(page).toContain("Yanıtların raporu");
    expect(page).not.toContain("Ürün ID</th>");
  });

  it("holds a lost answer, and counts it as done, sent again or given up as a person says", async () => {
    const shop = await openAnswers([
      { kind: "reset-before", endpoint: "question.reply", nth: 1 },
      { kind: "reset-before", endpoint: "question.reply", nth: 2 },
      { kind: "reset-before", endpoint: "question.reply", nth: 3 },
    ]);
    const { run, counts } = await shop.json("answer", shop.file, "--yes", "--concurrency", "1");
    expect([counts.held, counts.updated]).toEqual([3, 1]);
    const held = async (): Promise<readonly number[]> =>
      (await shop.json("release", run)).rows.map(({ row }: { readonly row: number }) => row);
    const [one, two, three] = await held();

    const withId = await shop.run(
      "release",
      run,
      "--rows",
      `${one}`,
      "--as-done",
      "83412",
      "--yes",
    );
    await shop.run("release", run, "--rows", `${one}`, "--as-done", "--yes");
    await shop.run("release", run, "--rows", `${two}`, "--cancel", "--yes");
    const sent = await shop.json("release", run, "--rows", `${three}`, "--resend", "--yes");

    expect(withId.code).toBe(2);
    expect(await held()).toEqual([]);
    expect(sent.counts).toMatchObject({ updated: 3, cancelled: 1, held: 0 });
  });

  it("names a row that the plan holds once", async () => {
    const shop = await openAnswers();
    await shop.run("answer", shop.file, "--yes");
    const other = join(shop.folder, "baska.csv");
    await fillIn({
      from: shop.file,
      to: other,
      fill: (_, n) => (n < 4 ? { Yanıt: `Hayır ${n}` } : {}),
    });

    const { out } = await shop.run("answer", other, "--yes", "--lang", "tr");

    expect(out.split("Bu soru zaten yanıtlanmış")).toHaveLength(2);
    expect(out).toContain("4 bekletildi");
  });

  it("holds what somebody else has answered, and the held file decides on it", async () => {
    const shop = await openAnswers();
    const { run } = await shop.json("answer", shop.file, "--plan");
    const id = String(columnOf(await readTable(shop.file), "Soru ID")[0]);
    await shop.run(
      "api",
      "question.reply",
      "--param",
      `product_question_id=${id}`,
      "--param",
      "message=Biz yanıtladık",
      "--yes",
    );

    const applied = await shop.json("apply", run, "--yes");

    expect(applied.counts).toMatchObject({ held: 1, updated: 3 });
    const table = await readTable(applied.files.held);
    expect(columnOf(table, "Eski Değer")).toEqual(["Yanıt: Biz yanıtladık"]);
    expect(columnOf(table, "Yeni Değer")).toEqual(["Yanıt: Evet 0"]);
    expect(columnOf(table, "Neden")[0]).toContain("Yanıt: – → Biz yanıtladık");
    expect(table.header).not.toContain("Mağazadaki Ürün");
  });
});
