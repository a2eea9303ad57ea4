/**
 * One call of the real client through a fault: its reported outcome, and what the marketplace did.
 */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { systemClock } from "@catalog/clock";
import { openConnection, type Connection } from "@catalog/connection";
import { endpoints, type ProductId, idSchemas } from "@catalog/contract";
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

export const OPERATIONS = ["token", "list", "read-back", "brands", "add", "update"] as const;

export type Operation = (typeof OPERATIONS)[number];

export interface Cell {
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
export type Outcome = "works" | "failed" | "unsent" | "unknown";

export interface TriedCell {
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

export async function tryCell({ operation, moment, action }: Cell): Promise<TriedCell> {
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
