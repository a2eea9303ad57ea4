import { readFileSync } from "node:fs";

import type { DraftView, EditResult, RowView, RunView } from "@catalog/web";
import { describe, expect, it } from "vitest";

import { openTestStore, type TestStore } from "../../helpers/markets/test-store.ts";
import { correctedRows, EXPECTED_ISSUES, mistakenRows } from "../../helpers/mistakes.ts";
import { addressOf, HEADERS, writeWorkbook } from "../../helpers/product-sheet.ts";
import { planDraft, sendRun, uploadDraft } from "../../helpers/web/drafts.ts";
import { openWeb, type WebSession } from "../../helpers/web/open-web.ts";
import { getBody, postBody } from "../../helpers/web/runs.ts";

/** Rows 2 to 41, of which every second one is bad. */
async function readRows(session: WebSession, { id }: DraftView): Promise<readonly RowView[]> {
  const numbers = Array.from({ length: 40 }, (_, index) => index + 2);
  return await getBody(session, `/drafts/${id}/rows?n=${numbers.join(",")}`);
}

const errorsOf = (rows: readonly RowView[]): readonly string[] =>
  rows
    .flatMap(({ row, issues }) =>
      issues
        .filter(({ severity }) => severity === "error")
        .map(({ column, code }) => `${addressOf(HEADERS[column ?? 0] ?? HEADERS[0], row)} ${code}`),
    )
    .toSorted();

/** A number as a person types it. */
const toText = (number: number): string =>
  Number.isInteger(number) ? String(number) : number.toFixed(2).replace(".", ",");

/** The corrected texts of every cell that differs from the file. */
function corrections(): readonly object[] {
  const [bad, good] = [mistakenRows(), correctedRows()];
  return good.flatMap((cells, index) =>
    HEADERS.flatMap((header, column) => {
      const [was, is] = [bad[index]?.[header], cells[header]];
      const value = typeof is === "number" ? toText(is) : (is ?? "");
      return was === is ? [] : [{ row: index + 2, column, value }];
    }),
  );
}

/** What the marketplace keeps of each product, but for the ids and times that it gives. */
const kept = ({ sandbox }: TestStore): readonly unknown[] =>
  sandbox
    .products()
    .map(({ id: _id, ...product }) =>
      JSON.stringify(product, (key, value) =>
        /^(?:addedAtMs|sid)$/u.test(key) ? undefined : value,
      ),
    )
    .toSorted();

describe("a file with 37 mistakes on the page", { timeout: 120_000 }, () => {
  it("shows each at its cell, and sends what an import of the corrected file sends", async () => {
    const [page, terminal] = [await openTestStore(), await openTestStore()];
    const session = await (await openWeb(page)).openSession();
    const file = await writeWorkbook(page.folder, "hatali.xlsx", mistakenRows());
    const right = await writeWorkbook(terminal.folder, "dogru.xlsx", correctedRows());

    const draft = await uploadDraft(session, "hatalı.xlsx", readFileSync(file));
    const shown = errorsOf(await readRows(session, draft));
    const edited = await postBody<EditResult>(session, `/drafts/${draft.id}/edits`, {
      version: draft.version,
      edits: corrections(),
    });
    const left = errorsOf(await readRows(session, draft));
    const planned = await planDraft(session, { ...draft, version: edited.version });
    const end = await sendRun(session, planned);
    const imported = await terminal.run("import", right, "--yes", "--json");

    expect(shown).toEqual(EXPECTED_ISSUES);
    expect(draft.counts).toMatchObject({ rows: 40, errors: 20 });
    expect([left, edited.counts]).toMatchObject([[], { errors: 0, sound: 40, edited: 20 }]);
    expect(end.counts).toMatchObject({ rows: 40, added: 40, invalid: 0 });
    expect(imported.code, imported.err).toBe(0);
    expect(kept(page)).toEqual(kept(terminal));
  });

  it("sends no plan of a draft that was corrected after it", async () => {
    const shop = await openTestStore();
    const session = await (await openWeb(shop)).openSession();
    const file = await writeWorkbook(shop.folder, "hatali.xlsx", mistakenRows());
    const draft = await uploadDraft(session, "hatalı.xlsx", readFileSync(file));
    const { id: run, planHash } = await planDraft(session, draft);
    const edits = [{ row: 3, column: 1, value: "Yeni başlık" }];
    await postBody(session, `/drafts/${draft.id}/edits`, { version: draft.version, edits });

    const now = await getBody<RunView>(session, `/runs/${run}`);
    const sent = await session.call("POST", `/runs/${run}/send`, {
      planHash,
      release: [],
      hold: [],
    });
    const approval = { planHash: now.planHash, rows: now.left.rows };
    const resumed = await session.call("POST", `/runs/${run}/resume`, approval);

    expect(now.can.send).toBe(false);
    expect(now.problem).toMatchObject({ code: "E_PLAN_DRAFT" });
    expect([sent.body, resumed.body]).toMatchObject([
      { code: "E_PLAN_DRAFT" },
      { code: "E_PLAN_DRAFT" },
    ]);
    expect(shop.sandbox.stats().adds).toBe(0);
  });
});
