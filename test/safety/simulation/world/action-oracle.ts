/** The rules of a world of actions. */

import {
  type ActionCandidate,
  type ActionName,
  ACTIONS,
  type RowKey,
  type RowRecord,
  type SendOptions,
  subjectKey,
} from "@catalog/runs";

import type { Timeline } from "../timeline.ts";
import type { ActionMarket } from "./action-market.ts";
import { type ActionScenario, BODY_IDS, CHOICES } from "./action-scenario.ts";
import type { Disk } from "./disk.ts";
import type { Random } from "./random.ts";

export interface World {
  readonly random: Random;
  readonly scenario: ActionScenario;
  readonly timeline: Timeline;
  readonly market: ActionMarket;
  readonly disk: Disk;
  readonly broken: string[];
  /** Requests that have left and may be carried out yet, by subject. */
  readonly open: Map<string, Set<string>>;
  /** Rows that are held as nobody knows what became of their request. */
  readonly unknown: Map<string, string>;
  /** Rows whose request was written down and has not left. */
  readonly begun: Set<string>;
  /** The changes that each row was planned or released with. */
  readonly basis: Map<string, RowRecord["changes"]>;
  readonly onEvent: ((text: string) => void) | undefined;
  isCalm: boolean;
  starts: number;
}

export type Sent = SendOptions & {
  readonly action: ActionName;
  readonly call: NonNullable<ActionCandidate["call"]>;
};

export const tagOf = ({ call }: Pick<Sent, "call">): string => String(call["tag"]);

export const idOf = ({ action, call }: Pick<Sent, "action" | "call">): string =>
  String(call[BODY_IDS[action] ?? "package_id"]);

export const toTag = ({ runId, row }: RowKey): string => `${runId}/${row}`;

/** The subject of a row. */
export const toKey = ({ lists }: ActionScenario, { runId, row }: RowKey): string =>
  lists.get(runId)?.find((one) => one.row === row)?.codeKey ?? "";

/** The first byte of an action leaves. */
export function left(world: World, sent: Sent): void {
  const { begun, open, broken, scenario } = world;
  const { action } = sent;
  const [id, tag] = [idOf(sent), tagOf(sent)];
  const key = subjectKey(action, id);
  if (!begun.delete(tag)) broken.push(`I6: ${action} ${id} of ${tag} was not written down`);
  const others = open.get(key) ?? new Set();
  // Values that are set once more do no harm.
  if (others.size > 0 && ACTIONS[action].isSetting !== true) {
    broken.push(`I25: ${action} ${id} of ${tag} while ${[...others].join(", ")} is under way`);
  }
  for (const [other, subject] of world.unknown) {
    if (subject !== key || other === tag || scenario.restoring !== undefined) continue;
    broken.push(`I25: ${action} ${id} of ${tag} while nobody knows what became of ${other}`);
  }
  open.set(key, new Set([...others, tag]));
  const overtaken = findOvertaken(world, sent);
  if (overtaken !== undefined) broken.push(`I26: ${action} ${id} of ${tag}: ${overtaken}`);
}

export function arrived({ open }: World, sent: Sent): void {
  open.get(subjectKey(sent.action, idOf(sent)))?.delete(tagOf(sent));
}

/** A reading may be as old as this before its age counts, in milliseconds. */
const LONGEST_READING_MS = 100;

/** A field that the store has shown otherwise for longer than a look may be old. */
function findOvertaken(
  { basis, market, scenario, timeline }: World,
  sent: Sent,
): string | undefined {
  const sinceMs = timeline.nowMs - scenario.maxAgeMs - LONGEST_READING_MS;
  const id = idOf(sent);
  for (const { field, old } of basis.get(tagOf(sent)) ?? []) {
    if (market.isHidden(field) || old === undefined) continue;
    const shown = market.shownSince(id, field, sinceMs);
    if (!shown.includes(old))
      return `${field} was ${JSON.stringify(old)} and is ${JSON.stringify(shown.at(-1))}`;
  }
  return undefined;
}

export const UNKNOWN: ReadonlySet<string> = new Set(["E_ACTION_UNKNOWN", "E_ACTION_UNCLEAR"]);

const OPEN: ReadonlySet<string> = new Set(["parsed", "ready", "sending", "ambiguous"]);

export async function judge(world: World): Promise<void> {
  const { scenario, disk, broken } = world;
  for (const [action, subject] of CHOICES) broken.push(...judgeTimes(world, action, subject));
  for (const [runId, list] of scenario.lists) {
    const rows = await disk.journal.readRows(runId, { limit: 50 });
    const counted = await disk.journal.countRows(runId);
    const sum = counted.reduce((all, { rows: of }) => all + of, 0);
    if (rows.length !== list.length || sum !== list.length) {
      broken.push(`I1: ${rows.length} rows of ${runId}, ${sum} counted, ${list.length} listed`);
    }
    for (const record of rows) {
      for (const wrong of judgeRow(world, record, list)) broken.push(`${wrong} (${runId})`);
    }
  }
}

function* judgeTimes(
  { market, scenario }: World,
  action: ActionName,
  subject: string,
): Generator<string> {
  const times = [...market.effects(action, subject).values()].reduce((sum, n) => sum + n, 0);
  // A plan of a copy that begins from the status of an accepted package knows nothing of it, and a
  // package that another person has put back may be accepted again.
  const isExcused =
    action === "accept" &&
    ((scenario.restoring !== undefined && !market.isHidden("status")) ||
      market.wasPutBack(subject));
  if (ACTIONS[action].isOnce && times > 1 && !isExcused) {
    yield `I24: ${action} ${subject} ${times} times`;
  }
}

function* judgeRow(
  world: World,
  record: RowRecord,
  list: readonly ActionCandidate[],
): Generator<string> {
  const { state, row, code } = record;
  const asked = list.find((one) => one.row === row);
  if (asked?.action == null) return;
  const findings = listFindings(world, record, { ...asked, action: asked.action });
  for (const [is, rule] of findings) {
    if (is) yield `${rule}: row ${row}, ${asked.action} ${code}, is ${state}`;
  }
}

function listFindings(
  world: World,
  record: RowRecord,
  { action, call, wanted }: ActionCandidate & { readonly action: ActionName },
): readonly (readonly [boolean, string])[] {
  const { market } = world;
  const { state, code } = record;
  const subject = code ?? "";
  const tags = market.effects(action, subject);
  const isOurs = tags.has(String(call?.["tag"]));
  const shown = market.views().get(subject)?.fields["answer"];
  const isShown = action === "reply" && shown === wanted["answer"];
  const isUndone = tags.size === 0 && !market.wasTouched(subject);
  return [
    [OPEN.has(state), "I14"],
    [state === "done" && isUndone, "I27, never carried out"],
    [isOurs && !isToldOf(world, record), "I27, carried out"],
    [isOurs && isShown && isUnfound(world, record), "I28, shown as ours"],
  ];
}

/** Whether a row that was carried out may be in this state. */
function isToldOf({ scenario }: World, { state, action }: RowRecord): boolean {
  if (state === "done" || state === "held") return true;
  // What a lost database has sent is held, or unchanged, in its copy; and of values that were sent
  // twice the first request may come in after the second was refused.
  return scenario.restoring !== undefined || action === "update-template";
}

/** Whether the row is held as if nobody, or somebody else, had carried it out. */
function isUnfound({ scenario }: World, { state, issues }: RowRecord): boolean {
  // One that is sent again may be found done by the look before it.
  const mayBeLate = scenario.policy === "resend" || scenario.restoring !== undefined;
  const isStrange = (code: string): boolean =>
    UNKNOWN.has(code) || (code === "E_ACTION_DONE" && !mayBeLate);
  return state === "held" && issues.some(({ code }) => isStrange(code));
}
