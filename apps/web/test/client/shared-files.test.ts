import { expect, it } from "vitest";

import { canPlan, countSent } from "../../client/lib/shared-files.ts";
import { refusalOf } from "../../client/team/approve-shared.tsx";
import { sortChanges, toChips } from "../../client/team/shared-rows.tsx";
import { describeState, findNext } from "../../client/team/shared-stores.tsx";
import { sharedTr } from "../../client/texts/shared-tr.ts";
import type { SharedRunView, SharedStoreView } from "../../src/api/index.ts";

const RUN: SharedRunView = {
  id: "r-260101-0000-abcd",
  isCurrent: true,
  planHash: "0",
  adds: 1,
  updates: 2,
  unchanged: 3,
  held: 0,
  stock: 0,
  failed: 0,
  calls: 3,
  duration: null,
  hasPeriod: false,
  refusal: null,
};

const STORE: SharedStoreView = {
  store: "mutfak",
  role: "approver",
  draft: "d-260101-0000-0123456789ab",
  version: 1,
  step: "planned",
  stepText: null,
  errors: 0,
  openNames: 0,
  sheet: null,
  problem: null,
  run: RUN,
};

const NOTHING = { ...RUN, adds: 0, updates: 0 };

const STATES: readonly (readonly [Partial<SharedStoreView>, text: string, go: string | null])[] = [
  [{ step: "working", run: null, stepText: "2 satır okundu" }, "Çalışıyor", null],
  [{ step: "working", run: null, errors: 2 }, "Çalışıyor", "fix"],
  [{ step: "file", run: null }, "Dosyanın nasıl okunacağı soruluyor", "file"],
  [{ step: "columns", run: null }, "Sütunlar soruluyor", "columns"],
  [{ step: "columns", run: null, role: "viewer" }, "Sütunlar soruluyor", null],
  [{ step: "ready", run: null }, "Önizlemesi hazırlanmadı", "fix"],
  [{ step: "ready" }, "Önizlemesi eskidi", "fix"],
  [{}, "Onaya hazır", "preview"],
  [{ role: "viewer" }, "Onaya hazır", "preview"],
  [{ run: NOTHING }, "Gönderilecek bir şey yok", "preview"],
  [{ run: { ...NOTHING, held: 4 } }, "Onay bekleyen satırlar var", "preview"],
  [{ run: { ...NOTHING, held: 4, stock: 4 } }, "Onaya hazır", "preview"],
  [{ step: "sending" }, "Gönderiliyor", "send"],
  [{ step: "finished" }, "Gönderildi", "report"],
  [{ step: "away", run: null }, "Mağazaya şu an ulaşılamıyor", null],
];

it.each(STATES)("says how a store stands, and where it goes on: %o", (store, text, go) => {
  const own = { ...STORE, ...store };

  expect(describeState(own, sharedTr.steps).text).toBe(text);
  expect(findNext(own)?.go ?? null).toBe(go);
});

it("approves only plans that are ready, with their rows that go", () => {
  const refused = [
    STORE,
    { ...STORE, run: null },
    { ...STORE, run: { ...RUN, refusal: "four-eyes" as const } },
    { ...STORE, step: "working" as const },
  ].map(refusalOf);

  expect(refused).toEqual([null, "none", "four-eyes", "stale"]);
  expect(countSent({ run: { ...RUN, held: 5, stock: 2 } })).toBe(5);
  expect(countSent({ run: null })).toBe(0);
  expect(canPlan({ step: "ready", role: "editor" })).toBe(true);
  expect(canPlan({ step: "ready", role: "viewer" })).toBe(false);
});

const keys = (differs: number, failed: number): readonly string[] =>
  toChips({ all: 9, differs, held: 0, failed }, sharedTr.view).map(({ key }) => key);

it("begins with the rows that differ, where there are any", () => {
  expect(keys(2, 1)).toEqual(["differs", "failed", "all"]);
  expect(keys(0, 0)).toEqual(["all"]);
});

const change = (field: string) => ({
  field,
  label: field,
  before: null,
  after: "1",
  percent: null,
});

it("shows the price and the stock of a row before the rest", () => {
  const cell = {
    store: "mutfak",
    kind: "add" as const,
    stateText: "",
    isHeld: false,
    action: "add" as const,
    changes: ["title", "brand_id", "stock_count", "price"].map(change),
    issues: [],
  };

  expect(sortChanges(cell).map(({ field }) => field)).toEqual(["price", "stock_count", "brand_id"]);
});
