import { createFakeClock, elapse } from "@catalog/clock/testing";
import { openMemoryJournal } from "@catalog/database/testing";
import { reconcile } from "@catalog/runs";
import {
  createFakeMarketplace,
  addBefore,
  codeKey,
  id,
  listed,
  plan,
  readRow,
  RUN,
  SHEET,
  toAdd,
} from "@catalog/runs/testing";
import { describe, expect, it } from "vitest";

describe("reconciling an add that was started twice and lost", () => {
  it.each([
    ["sends it again where the first attempt was unsent", "unsent", "ready"],
    ["sends it again where a recovery proved the first attempt unsent", "recovery-unsent", "ready"],
    ["holds it where the first attempt was refused by an answer", "status-429", "held"],
  ] as const)("%s", async (_name, cause, expected) => {
    const journal = await openMemoryJournal();
    const clock = createFakeClock();
    const products = [listed("p0", "A0")];
    const marketplace = createFakeMarketplace({ serverTimeMs: () => clock.now(), products });
    await addBefore(journal, "A0", "p0");
    await journal.startLagSample(id("p0"), 0);
    await journal.recordLagSample(id("p0"), { shown: true, serverMs: 1_000 });
    await plan(journal, [toAdd(2, "A1")]);
    const key = { runId: RUN, row: 2 };
    await journal.claim([key]);
    await journal.recordOutcome({ ...key, from: "sending" }, { to: "ready", cause });
    await journal.claim([key]);
    journal.beginSending({ ...key, attempt: 2 });
    await journal.recordOutcome({ ...key, from: "sending" }, { to: "ambiguous", cause: "lost" });

    const lookupDelaysMs = [0, 8 * 60_000, 8 * 60_000];
    const options = { journal, marketplace, clock, codeKey, sheet: SHEET, lookupDelaysMs };
    await elapse(clock, reconcile({ ...options, onUnknown: "resend" }));

    expect(await readRow(journal, 2)).toMatchObject({ state: expected, attempts: 2 });
  });
});
