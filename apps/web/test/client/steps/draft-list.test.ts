import { expect, it } from "vitest";

import {
  describePlanned,
  describeSent,
  sortDrafts,
} from "../../../client/steps/file/draft-list.tsx";
import { TEXTS } from "../../../client/texts/texts.ts";
import type { DraftSummary, SentSummary } from "../../../src/api/index.ts";

const draft = (id: string, state: SentSummary["state"] | null): DraftSummary => ({
  id,
  name: `${id}.xlsx`,
  state: "ready",
  updatedAt: "2026-01-01T00:00:00.000Z",
  rows: 3,
  errors: 0,
  run: state === null ? null : `r-${id}`,
  isUnusable: false,
  sent:
    state === null ? null : { state, waiting: 1, held: 0, wrong: 0, cancelled: 0, undone: null },
  planned: null,
});

it("puts files that are half sent before those that were not sent", () => {
  const { open, sent } = sortDrafts([
    draft("new", null),
    draft("done", "finished"),
    draft("cut", "stopped"),
    draft("old", null),
    draft("going", "sending"),
  ]);

  expect(open.map(({ id }) => id)).toEqual(["cut", "going", "new", "old"]);
  expect(sent.map(({ id }) => id)).toEqual(["done"]);
});

it("says of a file that was sent what waits and what is wrong", () => {
  const { tr, en } = TEXTS;
  const rest = {
    state: "finished",
    waiting: 0,
    held: 1,
    wrong: 1,
    cancelled: 0,
    undone: null,
  } as const;

  expect(describeSent(rest, tr.upload)).toBe("Gönderildi, 1 onay bekliyor, 1 hatalı");
  expect(describeSent({ ...rest, held: 0, wrong: 0 }, tr.upload)).toBe("Gönderildi");
  expect(describeSent({ ...rest, state: "stopped", waiting: 1_474 }, en.upload)).toBe(
    "Half sent, 1,474 unsent, 1 to approve, 1 wrong",
  );
});

it("says that a run was taken back, or given up with a part of its rows", () => {
  const { upload } = TEXTS.tr;
  const sent = { state: "finished", waiting: 0, held: 0, wrong: 0 } as const;

  const undone = { restored: 249, sent: 249, isPartial: false };
  const partly = { restored: 1242, sent: 1249, isPartial: true };
  expect(describeSent({ ...sent, cancelled: 0, undone }, upload)).toBe("Geri alındı");
  expect(describeSent({ ...sent, cancelled: 0, undone: partly }, upload)).toBe(
    "Kısmen geri alındı (1.242 / 1.249)",
  );
  expect(describeSent({ ...sent, cancelled: 15_665, undone: null }, upload)).toBe(
    "Gönderildi, 15.665 satırdan vazgeçildi",
  );
});

it("calls a plan good only where a row of it can be sent", () => {
  const { upload } = TEXTS.tr;

  expect(describePlanned({ ready: 2, held: 1 }, upload)).toEqual({
    text: "Planlandı",
    isGood: true,
  });
  expect(describePlanned({ ready: 0, held: 1 }, upload)).toEqual({
    text: "1 onay bekliyor",
    isGood: false,
  });
  expect(describePlanned({ ready: 0, held: 0 }, upload)).toEqual({
    text: "Gönderilecek satır yok",
    isGood: false,
  });
});
