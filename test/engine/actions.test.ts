import type { MemoryJournal } from "@catalog/database/testing";
import {
  type ActionName,
  type ActionPort,
  type ApplyRunOptions,
  releaseHeldRow,
} from "@catalog/runs";
import {
  answered,
  codeKey,
  createFakeMarketplace,
  lost,
  readRow,
  readStates,
  refused,
  type Reply,
  RUN,
} from "@catalog/runs/testing";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { type Asked, type Fixture, openFixture, questions } from "./helpers/actions-fixture.ts";

const codesOf = async (journal: MemoryJournal, row: number): Promise<readonly string[]> =>
  (await readRow(journal, row)).issues.map(({ code }) => code);

describe("a plan of actions", () => {
  it.each<
    [name: string, asked: readonly Asked[], states: readonly string[], code: string | undefined]
  >([
    ["answers an open question", [{ subject: "q1", action: "reply" }], ["2: ready"], undefined],
    [
      "asks for nothing where no action is given",
      [{ subject: "q1", action: null }],
      ["2: skipped"],
      undefined,
    ],
    [
      "holds a question with another answer",
      [{ subject: "q2", action: "reply" }],
      ["2: held"],
      "E_ANSWERED",
    ],
    [
      "leaves an answer that is there already",
      [{ subject: "q2", action: "reply", text: "Var" }],
      ["2: unchanged"],
      undefined,
    ],
    [
      "refuses a subject that the store does not show",
      [{ subject: "q9", action: "reply" }],
      ["2: invalid"],
      "E_SUBJECT_UNKNOWN",
    ],
    [
      "refuses two different actions for one subject",
      [
        { subject: "q1", action: "reply" },
        { subject: "q1", action: "reply", text: "Hayır" },
      ],
      ["2: duplicate", "3: duplicate"],
      "E_ACTION_TWICE",
    ],
    [
      "does the same once",
      [
        { subject: "q1", action: "reply" },
        { subject: "q1", action: "reply" },
      ],
      ["2: ready", "3: skipped"],
      undefined,
    ],
    [
      "creates a template that is not listed",
      [{ subject: "Hızlı", action: "create-template", text: "Hızlı" }],
      ["2: ready"],
      undefined,
    ],
    [
      "holds a package that has a code",
      [{ subject: "p1", action: "shipping-code" }],
      ["2: held"],
      "E_ACTION_FILLED",
    ],
  ])("%s", async (_, asked, states, code) => {
    const { plan, journal } = await openFixture({
      subjects: { q1: { answer: null }, q2: { answer: "Var" }, p1: { shipping_code: "K1" } },
    });

    expect(await plan(asked)).toEqual(states);
    expect((await codesOf(journal, 2))[0]).toBe(code);
  });

  it("makes no call that changes anything", async () => {
    const { plan, actions } = await openFixture({ subjects: questions(3) });

    await plan([{ subject: "q0", action: "reply" }]);

    expect(actions.log).toEqual(["READ question q0"]);
    expect(actions.effects.size).toBe(0);
  });

  it("holds a subject whose action another run has sent without an answer", async () => {
    const { plan, apply, journal } = await openFixture({
      subjects: { p1: { status: 1 } },
      hidden: ["status"],
      script: { "accept p1": [lost("body")] },
    });
    await plan([{ subject: "p1", action: "accept" }]);
    await apply();

    expect(await plan([{ subject: "p1", action: "accept" }], "r-2")).toEqual(["2: held"]);
    expect((await readRow(journal, 2, "r-2")).issues[0]?.code).toBe("E_ACTION_OPEN");
  });

  it("holds another answer to a question that an earlier run has answered", async () => {
    const { plan, apply, journal } = await openFixture({ subjects: questions(1) });
    await plan([{ subject: "q0", action: "reply" }]);
    await apply();

    expect(await plan([{ subject: "q0", action: "reply", text: "Hayır" }], "r-2")).toEqual([
      "2: held",
    ]);
    expect((await readRow(journal, 2, "r-2")).issues[0]?.code).toBe("E_ANSWERED");
  });

  it("leaves what an earlier run has done, though the store does not show it", async () => {
    const { plan, apply, journal } = await openFixture({
      subjects: { p1: { status: 1 } },
      script: { "accept p1": [answered({ status: "ok" })] },
    });
    await plan([{ subject: "p1", action: "accept" }]);
    await apply();

    expect(await plan([{ subject: "p1", action: "accept" }], "r-2")).toEqual(["2: unchanged"]);
    expect((await readRow(journal, 2, "r-2")).issues[0]?.code).toBe("W_ACTION_BEFORE");
  });
});

interface LostCase {
  readonly name: string;
  /** @default a reply to a question */
  readonly asked?: Asked;
  readonly reply: Reply;
  readonly more?: Partial<ApplyRunOptions>;
  /** State of the row, how often it was carried out, and the code of its issue. */
  readonly ends: string;
}

describe("sending actions", () => {
  it("does each one once and records what it has made", async () => {
    const { plan, apply, actions, journal } = await openFixture({
      subjects: { p1: { shipping_code: null }, p2: { shipping_code: null } },
    });
    await plan([
      { subject: "p1", action: "shipping-code" },
      { subject: "p2", action: "shipping-code" },
    ]);

    expect(await apply()).toEqual({ end: "finished" });
    expect([...actions.effects]).toEqual([
      ["shipping-code p1", 1],
      ["shipping-code p2", 1],
    ]);
    expect((await readRow(journal, 2)).changes).toEqual([
      { field: "shipping_code", old: null, new: "CODE-p1" },
    ]);
  });

  it.each<LostCase>([
    { name: "finds what was carried out", reply: lost("body", { effect: "now" }), ends: "done 1" },
    { name: "holds what was not", reply: lost("body"), ends: "held 0 E_ACTION_UNKNOWN" },
    { name: "finds it behind a 500", reply: refused(500, { effect: "now" }), ends: "done 1" },
    { name: "finds it behind a refusal", reply: refused(400, { effect: "now" }), ends: "done 1" },
    { name: "rejects a refusal", reply: refused(422), ends: "rejected 0 E_ACTION_REJECTED" },
    { name: "rejects a conflict", reply: refused(409), ends: "rejected 0 E_ACTION_REJECTED" },
    {
      name: "rejects an answer that says so",
      reply: answered({ success: false, message: "olmaz" }),
      ends: "rejected 0 E_ACTION_REJECTED",
    },
    { name: "sends what never left", reply: lost("none"), ends: "done 1" },
    { name: "sends again after a limit of calls", reply: refused(429), ends: "done 1" },
    { name: "sends again after a refused token", reply: refused(401), ends: "done 1" },
    {
      name: "finds it behind a limit of calls",
      reply: refused(429, { effect: "now" }),
      ends: "done 1",
    },
    {
      name: "finds it behind a refused token",
      reply: refused(401, { effect: "now" }),
      ends: "done 1",
    },
    {
      name: "does not send again without having looked for long",
      reply: lost("body"),
      more: { onUnknown: "resend" },
      ends: "held 0 E_ACTION_UNKNOWN",
    },
    {
      name: "sets values once more without being told to",
      asked: { subject: "t1", action: "update-template" },
      reply: lost("body"),
      ends: "done 1",
    },
    {
      name: "does not create a template again",
      asked: { subject: "Yeni", action: "create-template", text: "Yeni" },
      reply: lost("body"),
      ends: "held 0 E_ACTION_UNKNOWN",
    },
    {
      name: "finds a template that was created",
      asked: { subject: "Yeni", action: "create-template", text: "Yeni" },
      reply: lost("body", { effect: "now" }),
      ends: "done 1",
    },
    {
      name: "sends once more after it has looked for long",
      reply: lost("body"),
      more: { onUnknown: "resend", lookupDelaysMs: [0, 400_000, 600_000] },
      ends: "done 1",
    },
  ])("$name", async ({ asked = { subject: "q0", action: "reply" }, reply, more, ends }) => {
    const call = `${asked.action} ${asked.subject}`;
    const subjects = { ...questions(1), t1: { shipping_note: "eski" } };
    const { plan, apply, actions, journal } = await openFixture({
      subjects,
      script: { [call]: [reply] },
    });
    await plan([asked]);

    await apply(more);

    const { state } = await readRow(journal, 2);
    const found = [state, actions.effects.get(call) ?? 0, ...(await codesOf(journal, 2))];
    expect(found.join(" ")).toBe(ends);
  });

  it.each<[name: string, action: ActionName, fields: Record<string, unknown>, code: string]>([
    ["has been answered otherwise", "reply", { answer: "Ben yanıtladım" }, "E_ACTION_CHANGED"],
    ["has been answered just so", "reply", { answer: "Evet" }, "E_ACTION_DONE"],
    ["has moved on", "accept", { status: 7 }, "E_ACTION_CHANGED"],
    ["has a code", "shipping-code", { shipping_code: "X" }, "E_ACTION_DONE"],
  ])("holds a subject that %s since the plan", async (_, action, fields, code) => {
    const { plan, apply, actions, journal } = await openFixture({
      subjects: { s1: { answer: null, status: 1, shipping_code: null } },
    });
    await plan([{ subject: "s1", action }]);
    actions.set("s1", fields);

    await apply();

    expect(await codesOf(journal, 2)).toEqual([code]);
    expect(actions.effects.size).toBe(0);
  });

  it("holds a subject that is gone, and does it once a person has released it", async () => {
    const { plan, apply, actions, journal, clock } = await openFixture({
      subjects: { p1: { status: 1 } },
    });
    await plan([{ subject: "p1", action: "accept" }]);
    actions.remove("p1");
    await apply();
    expect(await codesOf(journal, 2)).toEqual(["E_ACTION_GONE"]);

    const released = await release({ journal, actions, clock }, { kind: "approve" });
    await apply();

    expect(released).toEqual({ to: "ready" });
    expect(actions.effects.get("accept p1")).toBe(1);
  });

  it("does not send a row again whose subject the store shows as done", async () => {
    const { plan, apply, actions, journal, clock } = await openFixture({
      subjects: questions(1),
      script: { "reply q0": [lost("body")] },
    });
    await plan([{ subject: "q0", action: "reply" }]);
    await apply();
    actions.set("q0", { answer: "Evet" });

    expect(await release({ journal, actions, clock }, { kind: "resend" })).toMatchObject({
      to: "held",
      code: "E_RELEASE_FOUND",
    });
    await apply();
    expect((await readRow(journal, 2)).state).toBe("done");
    expect(actions.effects.size).toBe(0);
  });

  it("sends again after a limit of calls, though the store does not show whether it was done", async () => {
    const { plan, apply, actions, journal } = await openFixture({
      subjects: { p1: { shipping_code: null } },
      hidden: ["shipping_code"],
      script: { "shipping-code p1": [refused(429)] },
    });
    await plan([{ subject: "p1", action: "shipping-code" }]);

    await apply();

    expect((await readRow(journal, 2)).state).toBe("done");
    expect(actions.effects.get("shipping-code p1")).toBe(1);
  });

  it("holds in a restored copy what the store would not show, until a person releases it", async () => {
    const { plan, apply, actions, journal, clock } = await openFixture({
      subjects: { p1: { shipping_code: null }, p2: { status: 1 } },
      hidden: ["shipping_code"],
    });
    await plan([
      { subject: "p1", action: "shipping-code" },
      { subject: "p2", action: "accept" },
    ]);
    const [event] = await journal.readEvents({ runId: RUN, row: 2 });
    const copy: MemoryJournal = {
      ...journal,
      readCopySuspicion: async () => ({ restoredSeq: (event?.seq ?? 0) + 1, lastBegun: null }),
    };

    await apply({ journal: copy });

    expect(await codesOf(journal, 2)).toEqual(["E_ACTION_UNSEEN"]);
    expect([...actions.effects.keys()]).toEqual(["accept p2"]);
    await release({ journal, actions, clock }, { kind: "resend" });
    await apply({ journal: copy });
    expect(actions.effects.get("shipping-code p1")).toBe(1);
  });

  it.each<[action: ActionName, state: string]>([
    ["reject-return", "unchanged"],
    ["accept-return", "unchanged"],
    ["postpone", "ready"],
  ])("%s of a package that shows the status which it leads to is %s", async (action, state) => {
    const { plan, actions } = await openFixture({ subjects: { p1: { status: 15 } } });
    await actions.learn?.([{ action, field: "status", old: 13, shown: 15 }]);

    expect(await plan([{ subject: "p1", action }])).toEqual([`2: ${state}`]);
  });

  it("takes no subject for gone whose look took longer than it is valid", async () => {
    const { plan, apply, actions, journal, clock } = await openFixture({ subjects: questions(1) });
    await plan([{ subject: "q0", action: "reply" }]);
    const readSubjects: ActionPort["readSubjects"] = async (...asked) => {
      await clock.sleep(90_000);
      return await actions.readSubjects(...asked);
    };

    await apply({
      marketplace: { ...createFakeMarketplace(), actions: { ...actions, readSubjects } },
    });

    expect(await readStates(journal, RUN)).toEqual(["2: done"]);
  });

  it("holds what was seen to have changed, though somebody changes it back", async () => {
    const { plan, apply, actions, journal } = await openFixture({
      subjects: { p1: { status: 7 } },
      script: { "accept p1": [refused(429, { effect: "now" })] },
    });
    await plan([{ subject: "p1", action: "accept" }]);
    await apply();
    expect(await codesOf(journal, 2)).toEqual(["E_ACTION_UNCLEAR"]);
    actions.set("p1", { status: 7 });

    await apply({ onUnknown: "resend", lookupDelaysMs: [0, 400_000, 600_000] });

    expect((await readRow(journal, 2)).state).toBe("held");
    expect(actions.effects.get("accept p1")).toBe(1);
  });

  it("sends a released reply whose question has lost its answer meanwhile", async () => {
    const { plan, apply, actions, journal, clock } = await openFixture({
      subjects: { q1: { answer: "Var" } },
    });
    await plan([{ subject: "q1", action: "reply" }]);
    actions.set("q1", { answer: null });

    await release({ journal, actions, clock }, { kind: "approve" });
    await apply();

    expect((await readRow(journal, 2)).state).toBe("done");
  });

  it("keeps two runs from doing the same", async () => {
    const { plan, apply, actions, journal } = await openFixture({
      subjects: { p1: { status: 1 } },
    });
    await plan([{ subject: "p1", action: "accept" }]);
    await plan([{ subject: "p1", action: "accept" }], "r-2");
    await apply();
    // As a store that shows it late.
    actions.set("p1", { status: 1 });

    await apply({ runId: "r-2" });

    expect((await readRow(journal, 2, "r-2")).issues[0]?.code).toBe("E_ACTION_TAKEN");
    expect(actions.effects.get("accept p1")).toBe(1);
  });
});

describe("creating templates", () => {
  const create = [{ subject: "Yeni", action: "create-template", text: "Yeni" }] as const;

  it("keeps two runs from creating one that the store shows late", async () => {
    const { plan, apply, actions, journal } = await openFixture({ subjects: {} });
    await plan(create);
    await plan(create, "r-2");
    await apply();
    actions.remove("Yeni");

    await apply({ runId: "r-2" });

    expect((await readRow(journal, 2, "r-2")).issues[0]?.code).toBe("E_ACTION_TAKEN");
    expect(actions.effects.get("create-template Yeni")).toBe(1);
  });

  it("holds one that an earlier run has created, until a person releases it", async () => {
    const { plan, apply, actions, journal, clock } = await openFixture({ subjects: {} });
    await plan(create, "r-0");
    await apply({ runId: "r-0" });
    actions.remove("Yeni");

    expect(await plan(create)).toEqual(["2: held"]);
    expect(await codesOf(journal, 2)).toEqual(["E_TEMPLATE_MADE"]);
    await release({ journal, actions, clock }, { kind: "approve" });
    await apply();
    expect(actions.effects.get("create-template Yeni")).toBe(2);
  });
});

describe("what an action makes of a status", () => {
  const effect = { action: "accept", field: "status", old: 1, shown: 3 } as const;
  const other = { ...effect, shown: 4 };
  /** The store has seen four packages go from 1 to 3, and one to 4. */
  const seen = [effect, effect, effect, effect, other];
  const lostAccept = {
    subjects: { p1: { status: 1 } },
    script: { "accept p1": [lost("body", { effect: "now" })] },
  };
  const asked = [{ subject: "p1", action: "accept" }] as const;

  it("is planned as assumed once most have shown it", async () => {
    const { plan, actions, journal } = await openFixture({ subjects: { p1: { status: 1 } } });
    await actions.learn?.(seen);

    await plan(asked);

    expect((await readRow(journal, 2)).changes).toEqual([
      { field: "status", old: 1, new: 3, isAssumed: true },
    ]);
  });

  it.each([
    ["nothing was seen", []],
    ["they differ", [effect, other]],
    ["another action made it", [{ ...effect, action: "postpone" } as const]],
    ["it came from another status", [{ ...effect, old: 2 }]],
  ])("is not known where %s", async (_, effects) => {
    const { plan, actions, journal } = await openFixture({ subjects: { p1: { status: 1 } } });
    await actions.learn?.(effects);

    await plan(asked);

    expect((await readRow(journal, 2)).changes).toEqual([
      { field: "status", old: 1, new: undefined },
    ]);
  });

  it.each([
    ["accept", "2: unchanged"],
    ["postpone", "2: ready"],
  ] as const)("stops a second %s of a package that shows it: %s", async (action, state) => {
    const { plan, actions } = await openFixture({ subjects: { p1: { status: 3 } } });
    await actions.learn?.([{ ...effect, action }]);

    expect(await plan([{ subject: "p1", action }])).toEqual([state]);
  });

  it("settles a lost answer, and another status does not", async () => {
    const { plan, apply, actions, journal } = await openFixture(lostAccept);
    await actions.learn?.([{ ...effect, shown: "after accept" }]);

    await plan(asked);
    await apply();

    expect((await readRow(journal, 2)).state).toBe("done");
  });

  it("settles one that was held before it was known", async () => {
    const { plan, apply, actions, journal } = await openFixture(lostAccept);
    await plan(asked);
    await apply();
    expect(await codesOf(journal, 2)).toEqual(["E_ACTION_UNCLEAR"]);

    await actions.learn?.([{ ...effect, shown: "after accept" }]);
    await apply();

    expect(await readRow(journal, 2)).toMatchObject({ state: "done", issues: [] });
    expect(actions.effects.get("accept p1")).toBe(1);
  });
});

async function release(
  { journal, actions, clock }: Pick<Fixture, "journal" | "actions" | "clock">,
  decision: Parameters<typeof releaseHeldRow>[0]["release"],
): ReturnType<typeof releaseHeldRow> {
  return await releaseHeldRow({
    run: { id: RUN, kind: "import", facts: null },
    record: await readRow(journal, 2),
    release: decision,
    by: "Ayşe",
    journal,
    marketplace: { ...createFakeMarketplace(), actions },
    clock,
    codeKey,
    readKnown: async () => ({}),
  });
}

describe("whatever becomes of the answers", () => {
  const replies = fc.constantFrom<Reply>(
    answered({ success: true }, "now"),
    lost("none"),
    lost("body"),
    lost("body", { effect: "now" }),
    refused(500),
    refused(500, { effect: "now" }),
    refused(400),
    refused(400, { effect: "now" }),
    refused(401),
    refused(429),
    answered({ success: false }),
  );

  it("no question is answered twice, and every row has an end", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(replies, { maxLength: 3 }), { minLength: 1, maxLength: 6 }),
        fc.boolean(),
        async (scripts, mayResend) => {
          const script = Object.fromEntries(scripts.map((of, n) => [`reply q${n}`, of]));
          const { plan, apply, actions, journal } = await openFixture({
            subjects: questions(scripts.length),
            script,
          });
          await plan(scripts.map((_, n) => ({ subject: `q${n}`, action: "reply" })));
          const onUnknown = mayResend ? "resend" : "hold";
          for (let round = 0; round < 4; round += 1) {
            await apply({ onUnknown, lookupDelaysMs: [0, 400_000, 600_000] });
          }

          for (const times of actions.effects.values()) expect(times).toBe(1);
          const open = await journal.readRows(RUN, {
            states: ["sending", "ambiguous", "parsed"],
            limit: 10,
          });
          expect(open).toEqual([]);
        },
      ),
      { numRuns: 60 },
    );
  });
});
