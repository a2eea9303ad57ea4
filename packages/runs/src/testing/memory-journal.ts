/**
 * A journal in memory. It refuses what the database refuses: illegal moves, a second live add of a
 * code, a second update of a product in flight. A test can let its process die at any operation and
 * continue with a second journal over the same memory.
 */

import type { Clock } from "@catalog/clock";

import type { Journal } from "../ports/journal.ts";
import type { RowEvent } from "../row/row-record.ts";
import type { BeforeValueLog } from "../verify/verification.ts";
import { createMemoryBeforeValues } from "./memory-before-values.ts";
import { createMemoryEvents } from "./memory-events.ts";
import { createMemoryKnowledge } from "./memory-knowledge.ts";
import { createMemoryLedger } from "./memory-ledger.ts";
import { createMemoryRequests } from "./memory-requests.ts";
import { createMemoryRows } from "./memory-rows.ts";
import { createMemorySeen } from "./memory-seen.ts";
import { createMemory, type Memory, type Step } from "./memory.ts";

/** The operation at which a process dies, and whether that operation takes effect. */
export interface Death {
  /** Counted from 1. */
  readonly at: number;
  readonly when: "before" | "after";
}

/** The clock of a memory journal, and the death of its process. */
export interface MemoryJournalOptions {
  /** Clock for the times of rows and events. @default a clock that stays at 0 */
  readonly clock?: Pick<Clock, "now">;
  /** Operation from which on every call throws {@link ProcessDied}. @default never */
  readonly death?: Death | undefined;
}

/** A journal that a test can inspect, kill and restart; it includes the before-value log. */
export interface MemoryJournal extends Journal, BeforeValueLog {
  /** Every move of every row, in order. */
  readonly events: readonly RowEvent[];
  /** Number of calls of the journal's methods so far. */
  readonly operations: number;
  /**
   * Ends this journal, so that the rest of its process can write nothing more, and opens the
   * journal that the next process sees.
   */
  restart(options?: MemoryJournalOptions): MemoryJournal;
}

/** Thrown by every call of a journal whose process is dead. */
export class ProcessDied extends Error {
  override readonly name = "ProcessDied";
}

/** An empty journal of one store. */
export function createMemoryJournal(options: MemoryJournalOptions = {}): MemoryJournal {
  return openJournal(createMemory(), options);
}

function openJournal(memory: Memory, options: MemoryJournalOptions): MemoryJournal {
  const { clock = { now: () => 0 }, death } = options;
  let operations = 0;
  let isOver = false;

  const step: Step = (work) => {
    operations += 1;
    const isLast = operations === death?.at;
    if (isOver || (isLast && death?.when === "before")) {
      isOver = true;
      throw new ProcessDied("the process died");
    }
    const result = work();
    if (!isLast) return result;
    isOver = true;
    throw new ProcessDied("the process died");
  };

  const context = { memory, step, now: () => clock.now() };
  return {
    ...createMemoryRows(context),
    ...createMemoryLedger(context),
    ...createMemoryRequests(context),
    ...createMemoryEvents(context),
    ...createMemorySeen(context),
    ...createMemoryKnowledge(context),
    ...createMemoryBeforeValues(context),
    events: memory.events,
    get operations() {
      return operations;
    },
    restart(next = {}) {
      isOver = true;
      return openJournal(memory, next);
    },
  };
}
