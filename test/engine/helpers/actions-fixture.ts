/** Lists of actions on a fake marketplace, planned and sent by the engine. */

import { createFakeClock, elapse, type FakeClock } from "@catalog/clock/testing";
import { type MemoryJournal, openMemoryJournal } from "@catalog/database/testing";
import {
  type ActionCandidate,
  type ActionName,
  applyRun,
  type ApplyResult,
  type ApplyRunOptions,
  planActions,
  subjectKey,
} from "@catalog/runs";
import {
  codeKey,
  createFakeActions,
  createFakeMarketplace,
  type FakeActions,
  type FakeActionsOptions,
  readStates,
  RUN,
  SHEET,
} from "@catalog/runs/testing";

import { recheckOf } from "./apply-fixture.ts";

export interface Asked {
  readonly subject: string;
  readonly action: ActionName | null;
  readonly text?: string;
}

const BODY_IDS: ReadonlyMap<ActionName, string> = new Map([
  ["reply", "product_question_id"],
  ["create-template", "template_name"],
  ["update-template", "shipping_template_id"],
]);

const bodyId = (action: ActionName): string => BODY_IDS.get(action) ?? "package_id";

const toWanted = (action: ActionName, text: string): Readonly<Record<string, unknown>> => {
  if (action === "reply") return { answer: text };
  if (action === "shipping-code") return { shipping_code: undefined };
  if (action === "create-template") return { template_name: text };
  return action === "update-template" ? { shipping_note: text } : { status: undefined };
};

const toCall = ({ subject, action, text = "Evet" }: Asked): ActionCandidate["call"] =>
  action === null ? null : { [bodyId(action)]: subject, message: text };

const toCandidate = (row: number, asked: Asked): ActionCandidate => {
  const { subject, action, text = "Evet" } = asked;
  return {
    row,
    subject,
    codeKey: action === null ? subject : subjectKey(action, subject),
    action,
    call: toCall(asked),
    wanted: action === null ? {} : toWanted(action, text),
    issues: [],
    location: { sheet: SHEET, row, column: "ID", cell: `A${row}`, value: subject },
  };
};

export interface Fixture {
  readonly journal: MemoryJournal;
  readonly actions: FakeActions;
  readonly clock: FakeClock;
  readonly plan: (asked: readonly Asked[], runId?: string) => Promise<readonly string[]>;
  readonly apply: (more?: Partial<ApplyRunOptions>) => Promise<ApplyResult>;
}

export async function openFixture(options: FakeActionsOptions): Promise<Fixture> {
  const journal = await openMemoryJournal();
  const clock = createFakeClock();
  const actions = createFakeActions(options);
  const marketplace = {
    ...createFakeMarketplace({ serverTimeMs: () => clock.now() }),
    actions,
  };
  return {
    journal,
    actions,
    clock,
    async plan(asked, runId = RUN) {
      const candidates = asked.map((one, index) => toCandidate(index + 2, one));
      const parsed = candidates.map(({ row, subject, codeKey: key }) => ({
        row,
        cells: [subject],
        code: subject,
        codeKey: key,
      }));
      await journal.appendRows(runId, parsed);
      await planActions({
        runId,
        journal,
        actions,
        clock,
        toCandidates: (rows) =>
          rows.flatMap(({ row }) => candidates.filter((candidate) => candidate.row === row)),
        nameRow: String,
      });
      return await readStates(journal, runId);
    },
    apply: (more = {}) =>
      elapse(
        clock,
        applyRun({
          runId: RUN,
          journal,
          marketplace,
          clock,
          codeKey,
          sheet: SHEET,
          recheck: recheckOf(journal),
          concurrency: 1,
          lookupDelaysMs: [0],
          sampleEvery: 0,
          ...more,
        }),
      ),
  };
}

export const questions = (
  count: number,
): Readonly<Record<string, { readonly answer: string | null }>> =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`q${n}`, { answer: null }]));
