import { readFileSync } from "node:fs";

import type { DraftView } from "@catalog/web";
import { expect, it } from "vitest";

import { openTestStore } from "../../helpers/markets/test-store.ts";
import { waitUntil } from "../../helpers/wait-until.ts";
import { waitForDraft } from "../../helpers/web/drafts.ts";
import { openWeb } from "../../helpers/web/open-web.ts";
import { getBody } from "../../helpers/web/runs.ts";

const read = (name: string): Uint8Array =>
  readFileSync(new URL(`../import/fixtures/feeds/${name}`, import.meta.url));

it("asks on the page what a feed does not say, and goes on with the answer", async () => {
  const shop = await openTestStore();
  const session = await (await openWeb(shop)).openSession();
  const upload = async (name: string): Promise<string> => {
    const { status, text } = await session.upload(name, read(name));
    expect(status, text).toBe(201);
    const { id }: DraftView = JSON.parse(text);
    return id;
  };

  const dealer = await upload("bayi.xml");
  const asked = await waitForDraft(session, dealer);
  expect(asked.columns?.problems.map(({ code }) => code)).toEqual(["E_COLUMN_UNSURE"]);
  const columns = { version: asked.version, columns: { fiyat: "price" } };
  expect((await session.call("PUT", `/drafts/${dealer}/columns`, columns)).status).toBe(200);
  await waitUntil(async () => (await waitForDraft(session, dealer)).state === "ready");

  const unclear = await upload("unknown-two-records.xml");
  let draft = await getBody<DraftView>(session, `/drafts/${unclear}`);
  await waitUntil(async () => {
    draft = await getBody<DraftView>(session, `/drafts/${unclear}`);
    return draft.reading.problem !== null;
  });
  expect(draft.reading.sheets.map(({ name }) => name)).toContain("depo/urunler/urun");
  const record = { version: draft.version, sheet: "depo/urunler/urun" };
  expect((await session.call("PATCH", `/drafts/${unclear}/reading`, record)).status).toBe(200);
  await waitUntil(async () => (await waitForDraft(session, unclear)).state === "ready");
  expect((await waitForDraft(session, unclear)).counts?.rows).toBe(2);
});
