import type { RunView } from "@catalog/web";
import { describe, expect, it } from "vitest";

import { openTestStore, type TestStore } from "../../helpers/markets/test-store.ts";
import { goodRows, writeWorkbook } from "../../helpers/product-sheet.ts";
import { openWeb, type WebAnswer, type WebSession } from "../../helpers/web/open-web.ts";
import { getBody, resumeRun, waitForRun } from "../../helpers/web/runs.ts";

const ROWS = 5;

interface Planned {
  readonly shop: TestStore;
  readonly session: WebSession;
  readonly view: RunView;
  readonly post: (path: string, body: unknown) => Promise<WebAnswer>;
}

/** A plan of new products that nobody has approved. */
async function openPlan(): Promise<Planned> {
  const shop = await openTestStore();
  const file = await writeWorkbook(shop.folder, "a.xlsx", goodRows(ROWS));
  const { out, err } = await shop.run("plan", file, "--json");
  expect(out, err).not.toBe("");
  const session = await (await openWeb(shop)).openSession();
  const view = await getBody<RunView>(session, `/runs/${JSON.parse(out).run}`);
  const post = (path: string, body: unknown): Promise<WebAnswer> =>
    session.call("POST", `/runs/${view.id}${path}`, body);
  return { shop, session, view, post };
}

describe("a plan that nobody has approved", { timeout: 60_000 }, () => {
  it("is gone on with only by the hash and the number of rows that a person has seen (#37)", async () => {
    const { shop, session, view, post } = await openPlan();
    const { planHash } = view;
    const refused = [
      [{}, 400, "E_REQUEST"],
      [{ planHash }, 400, "E_REQUEST"],
      [{ rows: ROWS }, 400, "E_REQUEST"],
      [{ planHash, rows: String(ROWS) }, 400, "E_REQUEST"],
      [{ planHash: "old", rows: ROWS }, 409, "E_PLAN_STALE"],
      [{ planHash, rows: ROWS - 1 }, 409, "E_PLAN_STALE"],
      [{ planHash, rows: ROWS + 1, priceUnit: "minor" }, 409, "E_PLAN_STALE"],
    ] as const;

    for (const [body, status, code] of refused) {
      expect(await post("/resume", body)).toMatchObject({ status, body: { code } });
    }
    const untouched = await getBody<RunView>(session, `/runs/${view.id}`);
    const before = shop.sandbox.stats().adds;
    await resumeRun(session, view.id);
    const end = await waitForRun(session, view.id);
    const late = await post("/resume", { planHash, rows: ROWS });

    expect(view.left).toEqual({ rows: ROWS, withUnit: ROWS });
    expect([untouched.state, before]).toEqual(["planned", 0]);
    expect([end.counts.added, shop.sandbox.stats().adds, end.left.rows]).toEqual([ROWS, ROWS, 0]);
    expect(late).toMatchObject({ status: 409, body: { code: "E_RUN_CHANGED" } });
  });

  it("is sent once by four approvals at once, which the page goes on to follow (#37)", async () => {
    const { shop, session, view, post } = await openPlan();
    const { planHash } = view;

    const answers = await Promise.all(
      Array.from({ length: 4 }, () => post("/send", { planHash, release: [], hold: [] })),
    );
    const end = await waitForRun(session, view.id);

    const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b);
    expect(statuses.filter((status) => status === 202)).toHaveLength(1);
    expect(statuses.slice(1).every((status) => [409, 423].includes(status))).toBe(true);
    expect([end.counts.added, shop.sandbox.stats().adds, end.problem]).toEqual([ROWS, ROWS, null]);
  });
});
