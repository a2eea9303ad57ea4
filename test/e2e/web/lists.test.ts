/** Files of orders and of shipping templates that are filled in and uploaded on the page. */

import { readFileSync } from "node:fs";
import { join } from "node:path";

import type { RunView } from "@catalog/web";
import { describe, expect, it } from "vitest";
import { z } from "zod";

import { fillIn, type Filled } from "../../helpers/fill-in.ts";
import { openTestStore, type TestStore } from "../../helpers/markets/test-store.ts";
import { openWeb, type WebSession } from "../../helpers/web/open-web.ts";
import { getBody, listRunRows, postBody, waitForRun } from "../../helpers/web/runs.ts";

const runId = z.object({ run: z.string() });

interface Exported {
  readonly store: TestStore;
  readonly session: WebSession;
  /** Fills in the export, and uploads it. */
  readonly upload: (
    fill: (index: number) => Filled,
    options?: Pick<Parameters<typeof fillIn>[0], "without" | "more">,
  ) => ReturnType<WebSession["upload"]>;
}

const EXPORTS = {
  orders: ["export", "orders", "--per", "package", "--out"],
  templates: ["shipping", "templates", "export"],
} as const;

async function openExport(
  kind: keyof typeof EXPORTS,
  options: Parameters<typeof openTestStore>[0] = {},
): Promise<Exported> {
  const store = await openTestStore({ products: 5, ...options });
  const session = await (await openWeb(store)).openSession();
  const from = join(store.folder, `${kind}.xlsx`);
  await store.run(...EXPORTS[kind], from, "--lang", "tr");
  return {
    store,
    session,
    async upload(fill, more = {}) {
      const to = join(store.folder, "dolu.csv");
      await fillIn({ from, to, fill: (_, index) => fill(index), ...more });
      return await session.upload("dolu.csv", readFileSync(to));
    },
  };
}

const send = async (session: WebSession, { planHash, id }: RunView): Promise<RunView> => {
  await postBody(session, `/runs/${id}/send`, { planHash, release: [], hold: [] });
  return await waitForRun(session, id);
};

const ORDERS = { orders: { packages: 6, statuses: [1] } };

const DECISIONS: readonly Filled[] = [
  { İşlem: "Onayla" },
  { İşlem: "Ertele", Gerekçe: "Stok bekleniyor" },
  { İşlem: "Ertele" },
  { İşlem: "onayla" },
];

describe("an uploaded file", () => {
  it("of orders does with each package what its row says, and no draft is made of it", async () => {
    const { store, session, upload } = await openExport("orders", ORDERS);

    const { status, body } = await upload((index) => DECISIONS[index] ?? {});

    expect(status).toBe(201);
    const { run } = runId.parse(body);
    const plan = await getBody<RunView>(session, `/runs/${run}`);
    expect(plan).toMatchObject({
      name: "dolu.csv",
      actions: "packages",
      plan: { adds: 0, updates: 3, invalid: 1, unchanged: 2 },
      deeds: { will: "2 paket onaylanacak, 1 paket ertelenecek", done: "" },
    });
    const [, second] = await listRunRows(session, run, "?show=update");
    expect(second).toMatchObject({
      stateText: "Ertelenecek",
      changes: [{ field: "status" }, { field: "reason", after: "Stok bekleniyor" }],
    });
    expect(await getBody(session, "/drafts")).toEqual([]);
    const end = await send(session, plan);
    expect(end).toMatchObject({
      counts: { updated: 3, invalid: 1 },
      deeds: { done: "2 paket onaylandı, 1 paket ertelendi" },
    });
    const { "order.accept": accepted, "order.postpone": postponed } =
      store.sandbox.inspect().effects;
    expect([accepted, postponed].map((made) => Object.values(made ?? {}))).toEqual([[1, 1], [1]]);
    const rows = await listRunRows(session, run, "?show=done");
    expect(rows.map(({ stateText }) => stateText)).toEqual(["Onaylandı", "Ertelendi", "Onaylandı"]);
  });

  it("of templates creates and changes them", async () => {
    const { session, upload } = await openExport("templates");

    const { status, body } = await upload((index) =>
      index === 0 ? { "Kargo Notu": "Özenle paketlenir" } : {},
    );

    expect(status).toBe(201);
    const plan = await getBody<RunView>(session, `/runs/${runId.parse(body).run}`);
    expect(plan).toMatchObject({ actions: "templates", plan: { adds: 0, updates: 1 } });
    const end = await send(session, plan);
    expect(end).toMatchObject({ counts: { updated: 1 }, can: { undo: true } });
  });

  it.each<[name: string, code: string, options: Parameters<Exported["upload"]>[1]]>([
    ["nothing in its column of actions", "E_LIST_UNFILLED", {}],
    ["no column of actions", "E_FILE_COLUMNS", { without: ["İşlem"] }],
  ])("of orders with %s is refused", async (_, code, options) => {
    const { session, upload } = await openExport("orders", ORDERS);

    const { status, body } = await upload(() => ({}), options);

    expect(status).toBe(409);
    expect(body).toMatchObject({ code });
    expect(await getBody(session, "/drafts")).toEqual([]);
  });
});
