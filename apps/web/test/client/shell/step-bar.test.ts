import { describe, expect, it } from "vitest";

import { isEmptyRun, type StepSubject, toStepViews } from "../../../client/shell/step-bar.tsx";
import type { DraftCounts, DraftView } from "../../../src/api/index.ts";
import { NO_ROWS } from "../../helpers/no-rows.ts";

const COUNTS: DraftCounts = {
  rows: 3,
  sound: 3,
  warnings: 0,
  errors: 0,
  excluded: 0,
  edited: 0,
  kinds: [],
};

type Draft = NonNullable<StepSubject["draft"]>;

const READING: DraftView["reading"] = {
  kind: "csv",
  sheets: [],
  sheet: null,
  encoding: null,
  encodings: [],
  delimiter: null,
  headerRow: null,
  decimal: null,
  preview: [],
  problem: null,
  isUnusable: false,
};

const COLUMNS: NonNullable<DraftView["columns"]> = {
  columns: [],
  fields: [],
  missing: [],
  constants: {},
  defaults: {},
  forNew: {},
  platform: null,
  problems: [],
  notes: [],
  skipped: [],
};

const READY: Draft = {
  id: "d1",
  state: "ready",
  reading: READING,
  columns: COLUMNS,
  counts: COUNTS,
  progress: null,
  run: null,
  shownAt: null,
};

type Subject = Omit<StepSubject, "isRunShown"> & Partial<StepSubject>;

const states = (subject: Subject): readonly string[] =>
  toStepViews({ isRunShown: false, ...subject }).map(({ state }) => state);

const paths = (subject: Subject): readonly (string | null)[] =>
  toStepViews({ isRunShown: false, ...subject }).map(({ to }) => to?.page ?? null);

describe("toStepViews", () => {
  it("opens only the file of a draft that cannot be read", () => {
    const reading = { ...READING, problem: { code: "E", message: "" } };
    const draft: Draft = { ...READY, state: "reading", reading, columns: null, counts: null };

    expect(states({ draft, run: null })).toEqual([
      "errors",
      "waiting",
      "waiting",
      "waiting",
      "waiting",
      "waiting",
    ]);
  });

  it("marks errors and still opens the preview", () => {
    const draft: Draft = { ...READY, counts: { ...COUNTS, errors: 1 } };

    expect(states({ draft, run: null })).toEqual([
      "done",
      "done",
      "errors",
      "open",
      "waiting",
      "waiting",
    ]);
  });

  it("leaves out how a file is read where the draft is of the store's products", () => {
    const draft: Draft = { ...READY, shownAt: "2026-11-29T12:00:00.000Z" };

    const steps = toStepViews({ isRunShown: false, draft, run: null }).map(({ step }) => step);

    expect(steps).toEqual(["fix", "preview", "send", "report"]);
  });

  it("shows an undo without the steps of a file that it never had", () => {
    const run = { id: "r1", state: "planned", isWithoutFile: true } as const;

    const steps = toStepViews({ isRunShown: true, draft: null, run }).map(({ step }) => step);

    expect(steps).toEqual(["preview", "send", "report"]);
  });

  it("goes back from a sent run to its draft, and to the preview of the run", () => {
    const draft: Draft = { ...READY, run: { id: "r1", isCurrent: true, mode: "upsert" } };
    const subject: Subject = { draft, run: { id: "r1", state: "finished" } };

    expect(states(subject)).toEqual(["done", "done", "done", "done", "done", "done"]);
    expect(paths(subject)).toEqual(["draft", "draft", "draft", "run", "run", "run"]);
  });

  it("leads to a new preview where the draft was changed after the plan", () => {
    const draft: Draft = { ...READY, run: { id: "r1", isCurrent: false, mode: "upsert" } };
    const subject: Subject = { draft, run: { id: "r1", state: "planned" } };

    expect(states(subject)[3]).toBe("open");
    expect(paths(subject)[3]).toBe("draft");
  });

  it("keeps the preview of a run that was sent, also where its draft has changed", () => {
    const draft: Draft = { ...READY, run: { id: "r1", isCurrent: false, mode: "upsert" } };
    const subject: Subject = { draft, run: { id: "r1", state: "sending" }, isRunShown: true };

    expect(states(subject)[3]).toBe("done");
    expect(paths(subject)[3]).toBe("run");
  });

  it("marks a run that has stopped by itself, and not one that a person has paused", () => {
    const run = { id: "r1", state: "stopped" } as const;

    expect(states({ draft: null, run })[4]).toBe("errors");
    expect(states({ draft: null, run: { ...run, isPaused: true } })[4]).toBe("open");
  });

  it("has no way back from a run without a draft", () => {
    expect(paths({ draft: null, run: { id: "r1", state: "sending" } })).toEqual([
      null,
      null,
      null,
      "run",
      "run",
      "run",
    ]);
  });

  it("has no sending and no report where nothing was to be sent", () => {
    const counts = { ...NO_ROWS, rows: 2, unchanged: 2 };
    const run = { id: "r1", state: "finished" } as const;
    const isEmpty = isEmptyRun({ ...run, counts });

    expect(states({ draft: null, run: { ...run, isEmpty } }).slice(4)).toEqual([
      "waiting",
      "waiting",
    ]);
    expect(isEmptyRun({ ...run, counts: { ...counts, unchanged: 1 } })).toBe(false);
  });
});
