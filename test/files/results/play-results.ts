/**
 * One run over rows of every kind, answered in any order and with failures. Its files must hold
 * every row of the input once, with its own cells, outcome and product. They are written twice and
 * must be equal byte for byte.
 */

import { rmSync } from "node:fs";
import { join } from "node:path";

import type { Clock } from "@catalog/clock";
import { openConnection, type Connection } from "@catalog/connection";
import { endpoints, idSchemas } from "@catalog/contract";
import { applyPlan, readRun } from "@catalog/importer";
import { writeResultFiles } from "@catalog/report";
import type { CellValue, RowDecision, RunRecord } from "@catalog/runs";
import {
  answered,
  createFakeMarketplace,
  type FakeMarketplace,
  lost,
  refused,
  type Reply,
} from "@catalog/runs/testing";

import { createSkippingClock } from "../../contract/behavior/skipping-clock.ts";
import { createRandom, type Random } from "../../safety/simulation/world/random.ts";
import { judgeProducts, judgeResult, judgeSome, judgeTwins } from "./judge-results.ts";

const HEADER = ["Stok Kodu", "Başlık", "Fiyat", "Not", "Sayı"];

/** Successful answers and the possible failures. */
const REPLIES: readonly (Reply | undefined)[] = [
  undefined,
  undefined,
  undefined,
  answered({ status: false, message: "Başlık uygun değil; =kırp()" }),
  refused(400),
  refused(503, { effect: "now" }),
  lost("none"),
  lost("started", { effect: "now" }),
  lost("headers"),
];

/**
 * Texts that a file may damage: leading zeros, formulas, special characters, line breaks,
 * delimiters, two alphabets.
 */
const TEXTS: readonly CellValue[] = [
  "0007",
  "=1+1",
  "-5",
  "+90",
  "@sum",
  "'alıntı",
  "bir\niki",
  'a;b,"c"',
  "İıŞşĞğ",
  "1E+12",
  "٣ кофе",
  null,
  true,
  12.5,
];

/** Plays one run in a new store. Returns deviations in words; empty without any. */
export async function playResults(home: string, seed: number): Promise<readonly string[]> {
  const clock = createSkippingClock(() => START_MS);
  await using connection = await openConnection({
    home,
    baseUrl: "http://127.0.0.1:9",
    storeId: `s-${seed}`,
    credentials: { clientKey: "key", clientSecret: "secret" },
    clock,
    random: () => 0,
  });
  const random = createRandom(seed);
  const rows = createRows(seed, random);
  const marketplace = createMarket(rows, random, clock);
  const folder = join(home, `files-${seed}`);
  const run = await storeRun(connection, { seed, rows, reportDir: join(folder, "1") });
  const harness: Connection = { ...connection, marketplace, concurrency: 1 + random.below(4) };
  const onUnknown = random.chance(0.5) ? "hold" : "resend";
  const settings = { onUnknown, noVerify: !random.chance(0.75) } as const;
  await applyPlan(harness, { runId: run.id, settings });
  const wrong = await judgeFiles(harness, { run, folder, rows, marketplace });
  rmSync(folder, { recursive: true, force: true });
  return wrong.map((text) => `seed ${seed}: ${text}`);
}

/** An arbitrary time. */
const START_MS = Date.UTC(2026, 10, 21, 9, 30);

interface PlayedRun {
  readonly run: RunRecord;
  readonly folder: string;
  readonly rows: readonly PlayedRow[];
  readonly marketplace: FakeMarketplace;
}

async function judgeFiles(
  connection: Connection,
  { run: { id }, folder, rows, marketplace }: PlayedRun,
): Promise<readonly string[]> {
  const run = await readRun(connection, id);
  const files = await writeResultFiles(connection, run);
  const [one, other] = [run.reportDir, join(folder, "2")];
  await writeResultFiles(connection, { ...run, reportDir: other });
  const records = await connection.journal.readRows(id, { limit: 1_000 });
  const input = { header: HEADER, rows };
  const told = { input, records };
  return [
    ...judgeTwins(one, other),
    ...(await judgeResult(join(one, "result.csv"), input, records)),
    ...(await judgeResult(join(one, "result.xlsx"), input, records)),
    ...(await judgeSome(files.failed, ["invalid", "duplicate", "rejected"], told)),
    ...(await judgeSome(files.held, ["held"], told)),
    ...judgeProducts(records, marketplace),
  ];
}

interface PlayedRow {
  readonly row: number;
  readonly code: string;
  readonly cells: readonly CellValue[];
  readonly kind: "add" | "update" | Exclude<RowDecision["state"], "ready">;
}

const KINDS: readonly PlayedRow["kind"][] = [
  "add",
  "add",
  "add",
  "update",
  "update",
  "invalid",
  "duplicate",
  "skipped",
  "unchanged",
  "held",
];

function createRows(seed: number, random: Random): readonly PlayedRow[] {
  return Array.from({ length: 6 + random.below(14) }, (_, index) => {
    const code = `00${seed}-${index}`;
    const some = (): CellValue => TEXTS[random.below(TEXTS.length)] ?? null;
    const cells = [code, `Ürün ${seed}-${index}`, some(), some(), random.below(10_000) / 100];
    return { row: index + 2, code, cells, kind: KINDS[random.below(KINDS.length)] ?? "add" };
  });
}

const idOf = ({ code }: PlayedRow) => idSchemas.product.parse(`p-${code}`);
const titleOf = ({ cells }: PlayedRow): string => String(cells[1]);

/** A marketplace that answers in another order than that of the requests. */
function createMarket(rows: readonly PlayedRow[], random: Random, clock: Clock): FakeMarketplace {
  const script = rows.flatMap((row) => {
    const reply = REPLIES[random.below(REPLIES.length)];
    const request = row.kind === "update" ? `UPDATE ${idOf(row)}` : `ADD ${row.code}`;
    return reply === undefined ? [] : [[request, [reply]] as const];
  });
  const updated = rows.filter(({ kind }) => kind === "update");
  return createFakeMarketplace({
    script: Object.fromEntries(script),
    products: updated.map((row) => ({
      placement: "approved",
      product: { id: idOf(row), product_code: row.code, title: "Eski" },
    })),
    serverTimeMs: () => clock.now(),
    onRequest: async () => {
      for (let turns = random.below(6); turns > 0; turns -= 1) await Promise.resolve();
    },
  });
}

interface ToStore {
  readonly seed: number;
  readonly rows: readonly PlayedRow[];
  readonly reportDir: string;
}

async function storeRun(
  { runs, journal }: Connection,
  { seed, rows, reportDir }: ToStore,
): Promise<RunRecord> {
  const id = `r-${seed}`;
  const file = { path: "/yok.csv", name: "yok.csv", sha256: "", kind: "csv", sheet: "S" } as const;
  await runs.create({
    id,
    command: "import",
    file: { ...file, headerRow: 1, header: HEADER },
    mode: "upsert",
    lang: seed % 2 === 0 ? "tr" : "en",
    reportDir,
    warnings: [],
  });
  await journal.appendRows(
    id,
    rows.map(({ row, code, cells }) => ({ row, cells, code, codeKey: code })),
  );
  await journal.saveDecisions(id, rows.map(toDecision));
  await runs.update(id, { state: "planned" });
  const run = await runs.read(id);
  if (run === undefined) throw new Error("the run was not stored");
  return run;
}

function toDecision(row: PlayedRow): RowDecision {
  const { kind, code } = row;
  const unsent = { row: row.row, action: null, productId: null, payload: null, changes: [] };
  if (kind === "add") {
    const payload = endpoints.product.add.input.parse({
      ...BODY,
      title: titleOf(row),
      product_code: code,
    });
    return { ...unsent, state: "ready", action: "add", payload, issues: [] };
  }
  if (kind === "update") {
    const [product, title] = [idOf(row), titleOf(row)];
    const payload = endpoints.product.update.input.parse({ product_id: product, title });
    const changes = [{ field: "title", old: "Eski", new: title }];
    return {
      ...unsent,
      state: "ready",
      action: "update",
      productId: product,
      payload,
      changes,
      issues: [],
    };
  }
  return { ...unsent, state: kind, issues: BAD.has(kind) ? [issueOf(row)] : [] };
}

const BAD: ReadonlySet<PlayedRow["kind"]> = new Set(["invalid", "duplicate", "held"]);

const issueOf = ({ row, code }: PlayedRow): RowDecision["issues"][number] => ({
  code: "E_SOMETHING",
  sheet: "S",
  row,
  column: "Fiyat",
  cell: `C${row}`,
  value: code,
  message: { tr: `${code} satırında bir sorun`, en: `Something is wrong with ${code}` },
});

const BODY = {
  sub_title: "Kısa",
  brand_id: "b-1",
  brand_model: "Model",
  description: "Uzun",
  price: 1990,
  warranty_type: 1,
  warranty_period: 0,
  has_discount: false,
  category_id: "c-1",
  shipping_template_id: "s-1",
  stock_count: 3,
  images: ["https://ornek.example/1.jpg"],
};
