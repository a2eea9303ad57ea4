/**
 * Lists of actions, such as answers to questions, that are killed at random and at named points, in
 * a marketplace with wrong answers and another person at work.
 */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";

import { systemClock } from "@catalog/clock";
import { openConnection } from "@catalog/connection";
import { readAllRows } from "@catalog/runs";
import { type Fault, type Sandbox, type SandboxOptions, startSandbox } from "@catalog/sandbox";

import { callCatalog } from "../../helpers/call-catalog.ts";
import type { CatalogProcess, Finished } from "../../helpers/processes/catalog-process.ts";
import { createRandom, type Random } from "../simulation/world/random.ts";
import type { Orders } from "./child-orders.ts";
import { CRASH_POINTS, RECOVERY_POINTS } from "./crash-points.ts";
import { FLAGS } from "./kill-scenario.ts";
import { openObedientProgram, type StartObedient } from "./obedient-program.ts";

type Endpoint = "question.reply" | "order.accept" | "shipping.generateCode";
type OtherMove = Extract<Parameters<Sandbox["act"]>[0], { readonly package: string }>["move"];

type ActionKind = "answers" | "accepts" | "codes";

/** A list of one kind. */
interface Kind {
  readonly endpoint: Endpoint;
  readonly command: readonly string[];
  readonly exports: "questions" | "orders";
  readonly subject: "question_id" | "package_id";
  /** The column that is filled in, and its cells. */
  readonly column: string;
  readonly fill: (at: number) => string;
  /** What another person does to a package. */
  readonly move?: OtherMove;
}

const KINDS: Readonly<Record<ActionKind, Kind>> = {
  answers: {
    endpoint: "question.reply",
    command: ["answer"],
    exports: "questions",
    subject: "question_id",
    column: "answer",
    fill: (at) => `Merhaba; ${at}. yanıt "budur"`,
  },
  accepts: {
    endpoint: "order.accept",
    command: ["orders", "accept"],
    exports: "orders",
    subject: "package_id",
    column: "action",
    fill: () => "Onayla",
    move: "postpone",
  },
  codes: {
    endpoint: "shipping.generateCode",
    command: ["orders", "shipping-codes"],
    exports: "orders",
    subject: "package_id",
    column: "shipping_company",
    fill: () => "",
    move: "generateCode",
  },
};

/** One call in four gets a wrong answer, many of them although they were carried out. */
const toBadAnswers = (endpoint: Endpoint): readonly Fault[] => [
  { kind: "reset-before", endpoint, rate: 0.03 },
  { kind: "reset-after", endpoint, rate: 0.04 },
  { kind: "error-before", endpoint, rate: 0.03, status: 503 },
  { kind: "error-after", endpoint, rate: 0.04, status: 502 },
  { kind: "truncated-with-length", endpoint, rate: 0.03 },
  { kind: "truncated-without-length", endpoint, rate: 0.02 },
  { kind: "html", endpoint, rate: 0.02 },
  { kind: "too-many", endpoint, rate: 0.02, ms: 1 },
  { kind: "token-refused", endpoint, rate: 0.01 },
  { kind: "refused-after", endpoint, rate: 0.01, status: 401 },
  { kind: "refused-after", endpoint, rate: 0.01, status: 409 },
  { kind: "refused-after", endpoint, rate: 0.01, status: 422 },
  { kind: "refused-after", endpoint, rate: 0.01, status: 429, ms: 1 },
  { kind: "latency", endpoint, rate: 0.4, ms: 10 },
];

const isTrue = ({ kind }: Fault): boolean => kind !== "refused-after";

/** A marketplace that does everything as often as it is asked to. */
const CARELESS: NonNullable<SandboxOptions["personality"]> = {
  "second-reply": "appended",
  "second-move": "repeated",
  "second-shipping-code": "new",
};

export interface ActionStormOptions {
  readonly kind: ActionKind;
  readonly rows: number;
  readonly kills: number;
  readonly seed: number;
  /** Address of a database server. @default a file */
  readonly databaseUrl?: string | undefined;
  /** Changes the marketplace. @default it shows everything at once */
  readonly personality?: SandboxOptions["personality"];
  /**
   * Whether the store hides codes, and a person lets packages go that show one or a company. Its
   * refusals are true: nobody could tell a code that it makes and refuses from one that it refuses.
   * @default false
   */
  readonly isHidden?: boolean;
  /** Another person does this share of the things while the program runs. @default 0.03 */
  readonly otherShare?: number;
  readonly onProgress?: (kills: number) => void;
}

export interface ActionStormResult {
  /** Deviations, in words; empty without any. */
  readonly wrong: readonly string[];
  readonly kills: number;
  readonly starts: number;
  /** Rows by their states before a person settles those that are held, and after it. */
  readonly before: Readonly<Record<string, number>>;
  readonly after: Readonly<Record<string, number>>;
  /** Codes of the issues of held rows. */
  readonly codes: Readonly<Record<string, number>>;
  /** Calls that were made twice although the first was carried out. */
  readonly repeated: number;
  readonly reads: number;
  readonly writes: number;
  readonly ms: number;
}

interface Shop extends AsyncDisposable {
  readonly sandbox: Sandbox;
  readonly isHidden: boolean;
  readonly kind: Kind;
  readonly folder: string;
  readonly file: string;
  readonly ids: readonly string[];
  start(orders: Orders, ...args: readonly string[]): CatalogProcess;
  run(...args: readonly string[]): Promise<Finished>;
  /** The rows of the run of the list, with their states and issues; `undefined` before its plan. */
  read(): Promise<StoredList | undefined>;
  calm(): Promise<void>;
}

interface StoredList {
  readonly runId: string;
  readonly rows: readonly ListRow[];
}

interface ListRow {
  readonly row: number;
  readonly id: string;
  readonly state: string;
  readonly codes: readonly string[];
}

export async function playActionStorm(options: ActionStormOptions): Promise<ActionStormResult> {
  const startedMs = performance.now();
  await using shop = await openShop(options);
  const random = createRandom(options.seed);
  const counts = { kills: 0, starts: 0 };
  const storm = { shop, random, options, counts };
  while (counts.kills < options.kills) {
    const before = counts.kills;
    await startAndKill(storm);
    if (counts.kills === before && (await isOver(shop))) break;
    options.onProgress?.(counts.kills);
  }
  await shop.calm();
  await finish(shop);
  const first = await readPlanned(shop);
  const wrong = [...judge(shop, first), ...(await settle(shop, first))];
  const last = await readPlanned(shop);
  return {
    wrong: [...wrong, ...judgeEnd(shop, last)],
    ...counts,
    before: countBy(first.rows, ({ state }) => [state]),
    after: countBy(last.rows, ({ state }) => [state]),
    codes: countBy(first.rows, (row) => (row.state === "held" ? row.codes : [])),
    ...countCalls(shop),
    ms: Math.round(performance.now() - startedMs),
  };
}

async function readPlanned(shop: Shop): Promise<StoredList> {
  const stored = await shop.read();
  if (stored === undefined) throw new Error("the list was not planned");
  return stored;
}

function countCalls({
  sandbox,
  kind: { endpoint },
}: Shop): Pick<ActionStormResult, "repeated" | "writes" | "reads"> {
  const { repeatedEffects, stats } = sandbox.inspect();
  const writes = stats.byEndpoint[endpoint] ?? 0;
  const all = Object.values(stats.byEndpoint).reduce((sum, count) => sum + count, 0);
  const repeated = Object.keys(repeatedEffects[endpoint] ?? {}).length;
  return { repeated, writes, reads: all - writes };
}

function countBy(
  rows: readonly ListRow[],
  keysOf: (row: ListRow) => readonly string[],
): Readonly<Record<string, number>> {
  const keys = rows.flatMap(keysOf);
  return Object.fromEntries([...Map.groupBy(keys, (key) => key)].map(([k, of]) => [k, of.length]));
}

async function openShop(options: ActionStormOptions): Promise<Shop> {
  const { rows, seed: number, personality = {}, databaseUrl, isHidden = false } = options;
  const kind = KINDS[options.kind];
  const seed = `actions ${number}`;
  const history: SandboxOptions = {
    seed,
    personality: {
      ...CARELESS,
      ...(isHidden && { "shipping-code-shown": "hidden" }),
      ...personality,
    },
    orders: { packages: rows, statuses: [options.kind === "codes" ? 3 : 1], days: 5 },
    questions: { count: rows, answeredPercent: 0 },
  };
  const faults = toBadAnswers(kind.endpoint).filter((fault) => !isHidden || isTrue(fault));
  let sandbox = await startSandbox({ ...history, faults });
  const folder = mkdtempSync(join(tmpdir(), "catalog-actions-"));
  const startObedient: StartObedient = await openObedientProgram();
  const home = join(folder, "home");
  const env = {
    CATALOG_BASE_URL: sandbox.baseUrl,
    CATALOG_CLIENT_KEY: sandbox.clientKey,
    CATALOG_CLIENT_SECRET: sandbox.clientSecret,
    CATALOG_STORE_ID: sandbox.storeId,
    CATALOG_HOME: home,
    ...(databaseUrl !== undefined && { CATALOG_DATABASE_URL: databaseUrl }),
  };
  const run = (...args: readonly string[]): Promise<Finished> =>
    callCatalog(args, { env, cwd: folder });
  const { file, ids } = await writeList({ kind, folder, run });
  return {
    kind,
    isHidden,
    folder,
    file,
    ids,
    run,
    get sandbox() {
      return sandbox;
    },
    start: (orders, ...args) => startObedient(orders, args, { env, cwd: folder }),
    read: () => readList({ home, sandbox, databaseUrl }),
    async calm() {
      const kept = join(folder, "sandbox.json");
      await sandbox.snapshot(kept);
      const port = Number(new URL(sandbox.baseUrl).port);
      await sandbox.close();
      sandbox = await startSandbox({ ...history, port });
      await sandbox.restore(kept);
    },
    async [Symbol.asyncDispose]() {
      await sandbox.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Fills in the export of what the store has. */
async function writeList({
  kind: { exports, subject, column, fill },
  folder,
  run,
}: Pick<Shop, "kind" | "folder" | "run">): Promise<Pick<Shop, "file" | "ids">> {
  const exported = join(folder, "exported.csv");
  const { code, err } = await run("export", exports, "--out", exported, "--columns", subject);
  if (code !== 0) throw new Error(`the export ended with ${code}: ${err}`);
  const [, ...lines] = readFileSync(exported, "utf8").trim().split(/\r?\n/u);
  const ids = [...new Set(lines.map((line) => line.replaceAll('"', "")))];
  const company = fill(0) === "" ? await readCompany(run) : undefined;
  const cells = ids.map((id, at) => `${id};"${(company ?? fill(at)).replaceAll('"', '""')}"`);
  const file = join(folder, "list.csv");
  writeFileSync(file, [`${subject};${column}`, ...cells, ""].join("\n"));
  return { file, ids };
}

async function readCompany(run: Shop["run"]): Promise<string> {
  const { out } = await run("api", "shipping.contractedCompanies", "--json");
  const name = /"id":\s*"\w+",\s*"name":\s*"(?<name>[^"]+)"/u.exec(out)?.groups?.["name"];
  if (name === undefined) throw new Error(`no shipping company in ${out}`);
  return name;
}

interface Stored {
  readonly home: string;
  readonly sandbox: Sandbox;
  readonly databaseUrl: string | undefined;
}

async function readList({ home, sandbox, databaseUrl }: Stored): Promise<StoredList | undefined> {
  await using connection = await openConnection({
    home,
    baseUrl: sandbox.baseUrl,
    storeId: sandbox.storeId,
    credentials: { clientKey: sandbox.clientKey, clientSecret: sandbox.clientSecret },
    ...(databaseUrl !== undefined && { databaseUrl }),
    clock: systemClock,
    random: Math.random,
  });
  const runs = await connection.runs.list(50);
  const run = runs.find(({ state }) => state !== "planning");
  if (run === undefined) return undefined;
  const rows: ListRow[] = [];
  for await (const read of readAllRows(connection.journal, run.id, {}, 500)) {
    for (const { row, code, state, issues } of read) {
      rows.push({ row, id: code ?? "", state, codes: issues.map((issue) => issue.code) });
    }
  }
  return { runId: run.id, rows };
}

interface Storm {
  readonly shop: Shop;
  readonly random: Random;
  readonly options: ActionStormOptions;
  readonly counts: { kills: number; starts: number };
}

const nextCommand = async (shop: Shop): Promise<readonly string[]> => {
  const stored = await shop.read();
  if (stored === undefined) return [...shop.kind.command, shop.file, "--yes", ...FLAGS];
  const { runId, rows } = stored;
  const shown = shop.isHidden ? rows.filter(({ codes }) => codes.includes("E_ACTION_FILLED")) : [];
  const held = shown.flatMap(({ row, state }) => (state === "held" ? [row] : []));
  return held.length === 0
    ? ["resume", runId, ...FLAGS]
    : ["release", runId, "--rows", held.join(","), "--resend", "--yes", ...FLAGS];
};

/** Points at which a process is made to die. */
const POINTS = [...CRASH_POINTS, ...RECOVERY_POINTS].map(({ name }) => name);

const [ANY_POINT = "first-byte", ...OTHER_POINTS] = POINTS;

/** Share of starts that die at a named point, and that run twice at once. */
const POINT_SHARE = 0.4;
const DOUBLE_SHARE = 0.15;

/** Calls between two kills, few enough that the list does not end before the last kill. */
const CALLS_SHARE = 1.2;

async function startAndKill({ shop, random, options, counts }: Storm): Promise<void> {
  const command = await nextCommand(shop);
  const isAtPoint = random.chance(POINT_SHARE);
  const crash = { point: random.pick([ANY_POINT, ...OTHER_POINTS]), nth: random.between(1, 6) };
  const running = shop.start(isAtPoint ? { crash } : {}, ...command);
  const others = random.chance(DOUBLE_SHARE) ? [shop.start({}, ...command)] : [];
  counts.starts += 1 + others.length;
  const sent = countSent(shop);
  const most = Math.ceil((CALLS_SHARE * options.rows) / options.kills);
  // A point may not be reached before others are.
  const max = isAtPoint ? most : random.between(0, most);
  const { child } = running;
  const isGone = (): boolean => child.exitCode !== null || child.signalCode !== null;
  let isActed = false;
  while (!isGone() && countSent(shop) < sent + max) {
    await wait(2);
    if (isActed || countSent(shop) === sent) continue;
    isActed = true;
    interfere({ shop, random, options, counts });
  }
  if (!isAtPoint) await wait(random.below(12));
  const ends = await Promise.all(
    [running, ...others].map(async (one) => {
      one.child.kill("SIGKILL");
      return await one.finished;
    }),
  );
  counts.kills += ends.filter(({ signal }) => signal === "SIGKILL").length;
}

const countSent = ({ sandbox, kind }: Shop): number =>
  sandbox.stats().byEndpoint[kind.endpoint] ?? 0;

/** Another person answers some questions, or moves some packages. */
function interfere({ shop, random, options: { otherShare = 0.03, rows, kills } }: Storm): void {
  const { ids, sandbox, kind } = shop;
  const [first = "", ...more] = ids;
  const most = Math.ceil((otherShare * rows) / kills);
  for (let left = random.between(0, most); left > 0; left -= 1) {
    const id = random.pick([first, ...more]);
    try {
      sandbox.act(
        kind.move === undefined
          ? { question: id, message: "Bunu ben yanıtladım." }
          : { package: id, move: kind.move },
      );
    } catch {
      // It has been done.
    }
  }
}

const OPEN: ReadonlySet<string> = new Set(["parsed", "ready", "sending", "ambiguous"]);

async function isOver(shop: Shop): Promise<boolean> {
  const rows = (await shop.read())?.rows ?? [];
  const isOpen = ({ state, codes }: ListRow): boolean =>
    OPEN.has(state) || (shop.isHidden && state === "held" && codes.includes("E_ACTION_FILLED"));
  return rows.length > 0 && !rows.some(isOpen);
}

const MAX_STARTS = 15;

/** Starts the program until no row is open. */
async function finish(shop: Shop): Promise<void> {
  for (let start = 0; start < MAX_STARTS && !(await isOver(shop)); start += 1) {
    await shop.start({}, ...(await nextCommand(shop))).finished;
  }
}

/** How often the list's action was carried out for a subject, by the program and by others. */
function readEffects({ sandbox, kind }: Shop): {
  readonly ours: (id: string) => number;
  readonly theirs: (id: string) => number;
} {
  const { effects, otherPersonEffects } = sandbox.inspect();
  return {
    ours: (id) => effects[kind.endpoint]?.[id] ?? 0,
    theirs: (id) => otherPersonEffects[kind.endpoint]?.[id] ?? 0,
  };
}

/** What is wrong before a person has settled anything. */
function* judge(shop: Shop, { rows }: StoredList): Generator<string> {
  const { ours, theirs } = readEffects(shop);
  for (const { id, state, codes } of rows) {
    const times = ours(id);
    const isUndone = state === "done" && times + theirs(id) === 0;
    const isForgotten = state !== "done" && state !== "held" && times > 0;
    if (times > 1 || isUndone || isForgotten || OPEN.has(state)) {
      yield `${id} is ${state} (${codes.join(", ")}) and was done ${times} times`;
    }
  }
  const ids = new Set(rows.map(({ id }) => id));
  if (ids.size !== shop.ids.length) yield `${ids.size} of ${shop.ids.length} rows are stored`;
}

/** A person looks into the store, and settles every held row. */
async function settle(shop: Shop, { runId, rows }: StoredList): Promise<readonly string[]> {
  const { ours, theirs } = readEffects(shop);
  const held = rows.filter(({ state }) => state === "held");
  const groups = Map.groupBy(held, ({ id, codes }) => {
    if (ours(id) > 0) return "--as-done";
    return theirs(id) > 0 || codes.includes("E_ACTION_CHANGED") ? "--cancel" : "--resend";
  });
  const wrong: string[] = [];
  for (const [decision, of] of groups) {
    const named = of.map(({ row }) => row).join(",");
    const args = ["release", runId, "--rows", named, decision, "--yes", ...FLAGS];
    const { code, err } = await shop.run(...args);
    // Other rows may stay held.
    if (code !== 0 && code !== 5) wrong.push(`release ${decision} ended with ${code}: ${err}`);
  }
  await shop.run("resume", runId, ...FLAGS);
  return wrong;
}

const SETTLED: ReadonlySet<string> = new Set(["done", "cancelled", "rejected", "unchanged"]);

function* judgeEnd(shop: Shop, { rows }: StoredList): Generator<string> {
  const { ours, theirs } = readEffects(shop);
  for (const { id, state, codes } of rows) {
    const times = ours(id);
    const isUndone = state === "done" && times + theirs(id) === 0;
    if (times > 1 || isUndone || !SETTLED.has(state)) {
      yield `at the end ${id} is ${state} (${codes.join(", ")}) and was done ${times} times`;
    }
  }
  if (rows.length !== shop.ids.length)
    yield `${rows.length} of ${shop.ids.length} rows are settled`;
}
