/**
 * Two feeds of a small store, version after version, with refusals, kills and another writer. Absent
 * products are sold out only after two versions, and a change of form always stops.
 */

import { CatalogError } from "@catalog/connection";
import { idSchemas } from "@catalog/contract";
import { readAbsences, settleAbsent } from "@catalog/importer/absences";
import { assertSameForm, createFormObserver } from "@catalog/importer/feed-form";
import { planAbsentRows, toGuardSettings } from "@catalog/runs";

import type { Random } from "./random.ts";

type FeedState = Parameters<typeof readAbsences>[0];
type PlanOptions = Parameters<typeof planAbsentRows>[0];
type ProductId = PlanOptions["absent"][number]["productId"];
type Named = NonNullable<Parameters<FeedState["saveAccepted"]>[0]["named"]>[number];
type Form = ReturnType<ReturnType<typeof createFormObserver>["form"]>;

type PlannedRows = Awaited<ReturnType<typeof planAbsentRows>>["rows"];
type Feed = (typeof FEEDS)[number];

const PRODUCTS = Array.from({ length: 6 }, (_, at) => idSchemas.product.parse(`p-${at}`));
const FEEDS = ["a", "b"] as const;
const SIGNS: [Version["decimal"], Version["decimal"]] = [",", "."];
const HOUR_MS = 3_600_000;

/** A version of a feed, as the world knows it. */
interface Version {
  readonly named: ReadonlySet<ProductId>;
  readonly content: number;
  readonly decimal: "," | ".";
  readonly atMs: number;
}

interface World {
  readonly random: Random;
  readonly stocks: Map<ProductId, number>;
  readonly accepted: Map<string, Version[]>;
  /** Products that an accepted version of a feed was seen to have sold out, by feed. */
  readonly emptied: Map<string, Set<ProductId>>;
  readonly memory: Memory;
  readonly broken: string[];
  nowMs: number;
  contents: number;
}

interface Memory extends FeedState {
  readonly forms: Map<string, { readonly form: Form }>;
}

/** Returns what has gone wrong. */
export async function playFeeds(random: Random): Promise<readonly string[]> {
  const stocks = new Map(PRODUCTS.map((id) => [id, random.between(1, 9)]));
  const world: World = {
    random,
    stocks,
    accepted: new Map(FEEDS.map((feed) => [feed, []])),
    emptied: new Map(FEEDS.map((feed) => [feed, new Set()])),
    memory: createMemory(stocks),
    broken: [],
    nowMs: 0,
    contents: 0,
  };
  for (let round = random.between(6, 16); round > 0; round -= 1) {
    world.nowMs += random.between(1, 30) * HOUR_MS;
    if (random.chance(0.2)) stocks.set(random.pick([PRODUCTS[0] ?? NONE, ...PRODUCTS]), 5);
    await playSync(world, random.chance(0.75) ? "a" : "b");
  }
  return world.broken;
}

const NONE = idSchemas.product.parse("p-none");

async function playSync(world: World, feed: Feed): Promise<void> {
  const version = drawVersion(world, feed);
  const form = readForm(version);
  if (isRefused(world, feed, version, form)) return;
  const { memory, accepted, nowMs } = world;
  const versions = accepted.get(feed) ?? [];
  const isSame = versions.at(-1)?.content === version.content;
  const { named } = version;
  const absences = await readAbsences(memory, { key: feed, named, isSame, nowMs });
  const planned = await planAbsentRows(toPlan(world, absences.due));
  if (!sellOutAll(world, feed, version, planned.rows)) return;
  const journal = {
    readRows: async (_: string, { after = 0 }: { readonly after?: number }) =>
      after > 0 ? [] : planned.rows.map(toDone),
  };
  const { counts: _, ...changes } = await settleAbsent(
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the part that is read
    { journal: journal as never },
    absences,
    { planned: { ...planned, sheet: { rowsBefore: 0 } }, run: { id: "r" } },
  );
  const record = { rows: 1, endsWithBreak: true, isSettled: true, acceptedAtMs: nowMs };
  await memory.saveAccepted({ feed, record, ...changes });
  memory.forms.set(feed, { form });
  versions.push(version);
  judgeAccepted(world, feed, version);
}

/** A person may accept a change of form; a feed may be refused for anything else. */
function isRefused(
  { random, memory, accepted, broken }: World,
  feed: Feed,
  { decimal }: Version,
  form: Form,
): boolean {
  const isStopped = stops(memory.forms.get(feed), form);
  const last = accepted.get(feed)?.at(-1);
  const isOther = last !== undefined && last.decimal !== decimal;
  if (isStopped !== isOther) {
    broken.push(`a feed ${isOther ? "with another form is taken" : "of the same form stops"}`);
  }
  return (isStopped && random.chance(0.6)) || random.chance(0.15);
}

/** Returns whether the process lives to its end. */
function sellOutAll(world: World, feed: Feed, version: Version, rows: PlannedRows): boolean {
  const diesAt = world.random.chance(0.25) ? world.random.below(rows.length + 1) : Infinity;
  for (const [at, { decision }] of rows.entries()) {
    if (at === diesAt) return false;
    if (decision.productId !== null) sellOut(world, feed, version, decision.productId);
  }
  return diesAt === Infinity;
}

const toDone = ({ decision }: PlannedRows[number]) => ({
  row: decision.row,
  state: "done",
  productId: decision.productId,
});

/** Mostly the products of the version before, some of them gone or back. */
function drawVersion(world: World, feed: Feed): Version {
  const { random, accepted, nowMs } = world;
  const last = accepted.get(feed)?.at(-1);
  if (last !== undefined && random.chance(0.25)) return { ...last, atMs: nowMs };
  const share = feed === "a" ? 0.15 : 0.7;
  const named = new Set(
    PRODUCTS.filter((id) => {
      const was = last?.named.has(id) ?? true;
      return random.chance(last === undefined ? share : 0.25) ? !was : was;
    }),
  );
  world.contents += 1;
  const decimal = last !== undefined && random.chance(0.85) ? last.decimal : random.pick(SIGNS);
  return { named, content: world.contents, decimal, atMs: nowMs };
}

const FORM = {
  columns: [
    { index: 0, header: "Kod", target: { kind: "field", field: "product_code" } },
    { index: 1, header: "Fiyat", target: { kind: "field", field: "price" } },
  ],
} as const;

/** The form of a version of one price. */
function readForm({ decimal }: Version): Form {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the part that is read
  const observer = createFormObserver({ mapping: FORM as never });
  observer.note({ row: 2, cells: ["p", `12${decimal}50`] });
  const notation = { decimal: decimal === "," ? "comma" : "point", isMixed: false } as const;
  return observer.form({ decimal: undefined, columns: new Map([[1, notation]]) });
}

function stops(last: { readonly form: Form } | undefined, form: Form): boolean {
  const fields = { price: "Fiyat" };
  const sheet = { sheet: "", header: { row: 1, cells: [] } };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the part that is read
  const feed = { mapping: FORM as never, sheet };
  const known = last && { ...last, fields };
  try {
    const now = { fields, form, record: undefined };
    assertSameForm({ feed, now, last: known, allowed: [], scalePercent: 10 });
    return false;
  } catch (error) {
    if (error instanceof CatalogError && error.code === "E_FEED_CHANGED") return true;
    throw error;
  }
}

const toPlan = ({ memory }: World, absent: PlanOptions["absent"]): PlanOptions => ({
  absent,
  isHeld: false,
  counts: { rows: PRODUCTS.length, emptied: 0 },
  firstRow: 2,
  sheet: "Absent",
  toCells: (code) => [code],
  products: memory,
  refresh: async () => undefined,
  release: (_, decision) => decision,
  journal: { readLastSent: async () => new Map() },
  codeKey: (code) => code,
  normalization: [],
  priceUnit: "minor",
  guards: toGuardSettings(),
  refused: new Set(),
  nameField: undefined,
  checkUpdate: (body) => ({ ok: true, body: { ...body, product_id: toId(body) } }),
});

const toId = ({ product_id: id }: Readonly<Record<string, unknown>>): ProductId =>
  idSchemas.product.parse(id);

/** Versions in their order, without those that repeat the content of the one before. */
const toContents = (versions: readonly Version[]): readonly Version[] =>
  versions.filter(({ content }, at) => versions[at - 1]?.content !== content);

/** Whether this version may sell the product out. */
function mayEmpty(world: World, feed: string, version: Version, id: ProductId): boolean {
  const before = world.accepted.get(feed) ?? [];
  const contents = toContents([...before, version]);
  const [second, first] = [contents.at(-1), contents.at(-2)];
  const wasNamed = before.some(({ named }) => named.has(id));
  const isGone = second?.named.has(id) === false && first?.named.has(id) === false;
  const isElsewhere = FEEDS.some((other) => {
    const last = other === feed ? undefined : world.accepted.get(other)?.at(-1);
    const isYoung = last !== undefined && version.atMs - last.atMs <= 7 * 24 * HOUR_MS;
    return isYoung && last.named.has(id);
  });
  return wasNamed && isGone && !isElsewhere && world.emptied.get(feed)?.has(id) !== true;
}

function sellOut(world: World, feed: string, version: Version, id: ProductId): void {
  if (!mayEmpty(world, feed, version, id))
    world.broken.push(`${id} is sold out without two versions`);
  world.stocks.set(id, 0);
}

/** After a version was accepted, every product that it may sell out is sold out. */
function judgeAccepted(world: World, feed: string, version: Version): void {
  const { stocks, broken } = world;
  const emptied = world.emptied.get(feed) ?? new Set();
  const before = { ...world, accepted: new Map(world.accepted) };
  before.accepted.set(feed, (world.accepted.get(feed) ?? []).slice(0, -1));
  for (const id of PRODUCTS) {
    if (version.named.has(id)) emptied.delete(id);
    else if (mayEmpty(before, feed, version, id)) {
      if (stocks.get(id) !== 0) broken.push(`${id} stays on sale`);
      emptied.add(id);
    }
  }
}

/** What a database remembers of feeds, and knows of the store. */
function createMemory(stocks: ReadonlyMap<ProductId, number>): Memory {
  const named = new Map<string, Map<ProductId, Named>>();
  const records = new Map<string, unknown>();
  const read = (id: ProductId) => ({
    productId: id,
    codeKey: id,
    status: "approved",
    shown: { id, product_code: id, stock: stocks.get(id) },
    sent: {},
  });
  const memory: Partial<Memory> = {
    forms: new Map(),
    async *readNamed(feed) {
      yield [...(named.get(feed)?.values() ?? [])];
    },
    findNamed: async (feed, ids) => ids.filter((id) => named.get(feed)?.get(id)?.absences === 0),
    listFeeds: async () => [...records.keys()],
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as it was saved
    readFeed: async (feed) => records.get(feed) as never,
    readById: async (ids) => ids.map(read),
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a code is an id here
    readByCode: async (codes) => codes.map((code) => read(code as ProductId)),
    async saveAccepted({ feed, record, named: entries = [] }) {
      records.set(feed, record);
      const known = named.get(feed) ?? new Map<ProductId, Named>();
      for (const one of entries) known.set(one.productId, one);
      named.set(feed, known);
    },
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the rest is not used here
  return memory as Memory;
}
