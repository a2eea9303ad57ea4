/** Possible outcomes of a call under each fault. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { systemClock } from "@catalog/clock";
import { type Connection, openConnection } from "@catalog/connection";
import { endpoints, idSchemas, type ProductId } from "@catalog/contract";
import { classifyAdd, classifyUpdate } from "@catalog/runs";
import { createSandboxCatalog, startSandbox } from "@catalog/sandbox";

import {
  type Action,
  ACTIONS,
  type FaultProxy,
  type Moment,
  MOMENTS,
  pass,
  startFaultProxy,
} from "./fault-proxy.ts";

type Verdict = `${TriedCell["outcome"]}, ${"applied" | "not applied"}`;

const WRITES: ReadonlySet<string> = new Set(["add", "update"]);

/** Whether the write is carried out, by how far the request came before the fault. */
const EFFECT_OF: Readonly<Record<Cell["moment"], "applied" | "not applied">> = {
  connect: "not applied",
  headers: "not applied",
  "mid-body": "not applied",
  "before-effect": "not applied",
  "after-effect": "applied",
  "mid-answer": "applied",
  between: "not applied",
};

/** The accepted verdicts; several where the order of events decides. */
export function expectedOf({ operation, moment, action }: Cell): readonly Verdict[] {
  const isWrite = WRITES.has(operation);
  // An unreachable marketplace fails reads and leaves writes unsent.
  if (action === "refuse") return [isWrite ? "unsent, not applied" : "failed, not applied"];
  // Reads and the call for the token are retried.
  if (!isWrite) return ["works, not applied"];
  if (action === "latency" || action === "slow-close") return ["works, applied"];
  if (moment === "between") return expectedBetween(operation);
  // The connection may end before or after the first byte was written.
  if (moment === "connect") return ["unsent, not applied", "unknown, not applied"];
  return [`unknown, ${EFFECT_OF[moment]}`];
}

/** An add opens a connection of its own; an update uses a kept one that is still alive. */
function expectedBetween(operation: Cell["operation"]): readonly Verdict[] {
  return operation === "add"
    ? ["works, applied"]
    : ["works, applied", "unsent, not applied", "unknown, not applied"];
}

function verdictOf({ operation }: Cell, { outcome, isApplied }: TriedCell): Verdict {
  const effect = WRITES.has(operation) && isApplied ? "applied" : "not applied";
  return `${outcome}, ${effect}`;
}

/*
 * One call of the real client through a fault: its reported outcome, and what the marketplace did.
 */

export const OPERATIONS = ["token", "list", "read-back", "brands", "add", "update"] as const;

type Operation = (typeof OPERATIONS)[number];

interface Cell {
  readonly operation: Operation;
  readonly moment: Moment | "between";
  readonly action: Action | "refuse";
}

const FAULTS: readonly Omit<Cell, "operation">[] = [
  ...MOMENTS.flatMap((moment) => ACTIONS.map((action) => ({ moment, action }))),
  { moment: "mid-answer", action: "truncate-without-length" },
  { moment: "after-effect", action: "slow-close" },
  { moment: "connect", action: "refuse" },
  { moment: "between", action: "reset" },
  { moment: "between", action: "fin" },
];

/** Every fault at every moment of every operation. */
export const CELLS: readonly Cell[] = OPERATIONS.flatMap((operation) =>
  FAULTS.map(({ moment, action }) => ({ operation, moment, action })),
);

/**
 * - `works`: it succeeded, at once or when retried.
 * - `failed`: a call that changes nothing failed.
 * - `unsent`: nothing was sent, so it may be sent again.
 * - `unknown`: the outcome is unknown and has to be looked up.
 */
type Outcome = "works" | "failed" | "unsent" | "unknown";

interface TriedCell {
  readonly outcome: Outcome;
  /** Whether the marketplace carried the write out. */
  readonly isApplied: boolean;
  /** Writes of this kind that reached the marketplace. */
  readonly arrivals: number;
  /** Whether the fault was applied to its request. */
  readonly isSpoiled: boolean;
}

/** Longer than an answer takes on a busy machine. */
const LONG_MS = 20_000;
const GRACE_MS = 30;

const PATHS: Readonly<Record<Operation, RegExp>> = {
  token: /auth\/access/u,
  list: /product\/store/u,
  "read-back": /product\/store/u,
  brands: /brand/u,
  add: /product\/add/u,
  update: /product\/update/u,
};

const CODE = "MATRIX-1";

async function tryCell({ operation, moment, action }: Cell): Promise<TriedCell> {
  await using sandbox = await startSandbox({ products: 1 });
  await using proxy = await startFaultProxy(sandbox.baseUrl);
  const home = mkdtempSync(join(tmpdir(), "catalog-matrix-"));
  try {
    await using connection = await openConnection({
      home,
      baseUrl: proxy.baseUrl,
      storeId: sandbox.storeId,
      random: () => 0,
      credentials: { clientKey: sandbox.clientKey, clientSecret: sandbox.clientSecret },
      clock: {
        now: () => systemClock.now(),
        sleep: (ms, signal) => waitedOut(proxy, systemClock.sleep(Math.min(ms, LONG_MS), signal)),
      },
    });
    const [existing] = sandbox.products();
    const id = existing?.id ?? idSchemas.product.parse("none");
    // Fetches a token and opens a kept connection first; only the call for the token starts without
    // them.
    if (operation !== "token") await connection.marketplace.countProducts("approved");
    const call = (): Promise<Outcome> => make(operation, connection, id);
    const outcome = await under(proxy, { operation, moment, action }, call);
    const arrivals = sandbox.stats()[operation === "update" ? "updates" : "adds"];
    const isApplied =
      operation === "update"
        ? sandbox.products().some(({ title }) => title === NEW_TITLE)
        : sandbox.products().some(({ product_code }) => product_code === CODE);
    return { outcome, isApplied, arrivals, isSpoiled: proxy.spoiled > 0 };
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** Ends the time limit of the call soon after the proxy has gone silent. */
function waitedOut({ silenced, spoiled }: FaultProxy, whole: Promise<void>): Promise<void> {
  return spoiled > 0 ? whole : Promise.race([whole, silenced.then(() => pass(GRACE_MS))]);
}

async function under(
  proxy: FaultProxy,
  { operation, moment, action }: Cell,
  call: () => Promise<Outcome>,
): Promise<Outcome> {
  if (action === "refuse") return await proxy.refusing(call);
  if (moment === "between") {
    proxy.dropIdle(action === "fin" ? "fin" : "reset");
    return await call();
  }
  // Only a call that opens a connection can get a fault while connecting.
  if (moment === "connect") await proxy.forget();
  proxy.arm({ moment, action, path: PATHS[operation] });
  return await call();
}

const NEW_TITLE = "Yeni başlık";

async function make(operation: Operation, connection: Connection, id: ProductId): Promise<Outcome> {
  if (operation === "add" || operation === "update") return await write(operation, connection, id);
  try {
    await READS[operation](connection, id);
    return "works";
  } catch {
    return "failed";
  }
}

const catalog = createSandboxCatalog();
const category = catalog.categories.find((each) => catalog.isLeaf(each.id));

const READS: Readonly<
  Record<
    Exclude<Operation, "add" | "update">,
    (connection: Connection, id: ProductId) => Promise<unknown>
  >
> = {
  token: ({ client }) => client.login(),
  list: ({ marketplace }) => Array.fromAsync(marketplace.listProducts({ status: "approved" })),
  "read-back": ({ marketplace }, id) =>
    Array.fromAsync(marketplace.listProducts({ status: "approved", ids: [id] })),
  brands: ({ client }) =>
    Array.fromAsync(client.brand.list.items({ category_id: category?.id ?? missing() })),
};

function missing(): never {
  throw new Error("the sandbox has no category");
}

const beforeSend = (): void => undefined;

async function write(
  operation: "add" | "update",
  { marketplace }: Connection,
  id: ProductId,
): Promise<Outcome> {
  const verdict =
    operation === "add"
      ? classifyAdd(await marketplace.addProduct(toBody(), { beforeSend }))
      : classifyUpdate(
          await marketplace.updateProduct({ product_id: id, title: NEW_TITLE }, { beforeSend }),
        );
  if (verdict.to === "done") return "works";
  return verdict.to === "ready" ? "unsent" : "unknown";
}

function toBody(): Parameters<Connection["marketplace"]["addProduct"]>[0] {
  const [brand] = category === undefined ? [] : catalog.brands(category.id);
  return endpoints.product.add.input.parse({
    product_code: CODE,
    title: "Matris",
    sub_title: "Matris",
    category_id: category?.id,
    brand_id: brand?.id,
    brand_model: "M",
    description: "Deneme",
    price: 1990,
    has_discount: false,
    stock_count: 1,
    warranty_type: 1,
    warranty_period: 0,
    shipping_template_id: catalog.shippingTemplates[0]?.id,
    images: ["https://ornek.example/1.jpg"],
  });
}

/* Tries several cells concurrently, and returns those with an unexpected outcome. */

/** Cells tried concurrently, as most of a cell is waiting. */
const AT_A_TIME = 12;

/** Unexpected outcomes; empty without any. */
export async function tryCells(cells: readonly Cell[]): Promise<readonly string[]> {
  const wrong: string[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    for (let cell = cells[next]; cell !== undefined; cell = cells[next]) {
      next += 1;
      const name = `${cell.operation}, ${cell.moment}, ${cell.action}`;
      const tried = await tryCell(cell);
      const verdict = verdictOf(cell, tried);
      if (!expectedOf(cell).includes(verdict)) wrong.push(`${name}: ${verdict}`);
      if (tried.arrivals > 1) wrong.push(`${name}: arrived ${tried.arrivals} times`);
      const isMeeting = cell.moment !== "between" && cell.action !== "refuse";
      if (isMeeting && !tried.isSpoiled) wrong.push(`${name}: the fault met nothing`);
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, work));
  return wrong;
}
