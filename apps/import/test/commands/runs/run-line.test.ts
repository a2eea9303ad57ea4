import { type RunRecord, toCounts } from "@catalog/runs";
import { expect, it } from "vitest";

import { formatRunLine } from "../../../src/commands/runs/run.ts";

const RUN: RunRecord = {
  id: "r-1",
  command: "sync",
  kind: "sync",
  state: "finished",
  file: {
    path: "/f",
    name: "stok.csv",
    sha256: "",
    kind: "csv",
    sheet: "",
    headerRow: 1,
    header: [],
  },
  mode: "update",
  lang: "tr",
  facts: {
    readBy: "listing",
    priceUnit: "minor",
    planned: {
      add: 0,
      update: 2,
      unchanged: 1197,
      invalid: 0,
      duplicate: 0,
      held: 1,
      requests: 2,
      seconds: 1,
    },
  },
  requests: { token: 0, read: 0, write: 2 },
  reportDir: "",
  warnings: [],
  settings: {},
  progress: {},
  createdAtMs: 0,
  updatedAtMs: 0,
};

const told = (run: RunRecord, states: Parameters<typeof toCounts>[0]): readonly string[] =>
  formatRunLine(run, { counts: toCounts(states), lang: "tr", columns: 60 })
    .split("\n")
    .slice(1);

it("the history counts unchanged rows of a feed, though they are not stored", () => {
  const states = [
    { state: "done", action: "update", rows: 2 },
    { state: "held", action: "update", rows: 1 },
  ] as const;

  expect(told(RUN, states)).toEqual([
    "    eşitleme: 1.200 satır, 2 güncellendi, 1.197 değişmedi, 1",
    "    bekletildi",
    "",
  ]);
});

it("the history counts as the sync did, whatever became unchanged before it was sent", () => {
  const notStored = { unchanged: 1197, skipped: 3 };
  const run: RunRecord = { ...RUN, facts: RUN.facts && { ...RUN.facts, notStored } };
  const states = [
    { state: "done", action: "update", rows: 1 },
    { state: "unchanged", action: null, rows: 1 },
    { state: "held", action: "update", rows: 1 },
  ] as const;

  expect(told(run, states).join("\n")).toBe(
    "    eşitleme: 1.203 satır, 1 güncellendi, 1.198 değişmedi, 3\n    atlandı, 1 bekletildi\n",
  );
});

it("the history counts every class of an import", () => {
  const run: RunRecord = { ...RUN, command: "import", kind: "import" };
  const states = [
    { state: "done", action: "add", rows: 12 },
    { state: "invalid", action: null, rows: 24 },
    { state: "held", action: "add", rows: 3 },
  ] as const;

  expect(told(run, states)).toEqual(["    39 satır, 12 eklendi, 24 hatalı, 3 bekletildi", ""]);
});

it("the history gives the reason for a refused feed", () => {
  const message = { tr: "Besleme boş.", en: "The feed is empty." };
  const refused = { ...RUN, facts: null, warnings: [{ code: "E_FEED_EMPTY", message }] };

  expect(told(refused, [])).toEqual(["    eşitleme: Besleme boş.", ""]);
});

it("the history does not call a row given up that a later sync may have sent", () => {
  const states = [{ state: "cancelled", action: "update", rows: 1 }] as const;
  const [line = ""] = told(RUN, states);

  expect(line).not.toContain("satırdan vazgeçildi");
  expect(told(RUN, states).join(" ")).toContain("1 satır kapandı");
});
