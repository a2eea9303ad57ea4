/** Shows the phase of a command, how far it is, its rate, and the remaining time of the command. */

import type { Clock } from "@catalog/clock";
import {
  type ProgressLine,
  type StepProgress,
  type Terminal,
  createProgressLine,
} from "@catalog/console";

import type { Texts } from "./texts.ts";

/** What a command is doing; what it does is shown under the name of its phase. */
export type Phase =
  | "read"
  | "names"
  | "store"
  | "codes"
  | "plan"
  | "recheck"
  | "send"
  | "verify"
  | "write";

/** Progress of one phase; without counts only its name is shown. */
export interface PhaseStep {
  readonly phase: Phase;
  /** Rows, pages or codes. @default 0 */
  readonly done?: number | undefined;
  /** @default unknown */
  readonly total?: number | undefined;
}

export interface Progress {
  /** Shows a phase; the line of another phase is ended before. */
  show(step: PhaseStep): void;
  /** Ends the progress line. */
  end(): void;
}

export interface ProgressOptions {
  readonly terminal: Terminal;
  readonly clock: Clock;
  readonly texts: Texts;
  readonly quiet: boolean;
  /** Takes each step, whether or not it is shown. @default nobody asks */
  readonly onProgress?: ((progress: StepProgress) => void) | undefined;
  /**
   * Estimates how long the command will take after this phase, in seconds. The remaining time is
   * shown only where it is known. @default never known
   */
  readonly laterSeconds?: ((step: PhaseStep) => number | undefined) | undefined;
}

/** Earlier rates are too inaccurate to show. */
const STEADY_MS = 500;

/** Earlier, a phase that has just begun would make the remaining time many times too long. */
const REMAINING_MS = 2_000;

interface OpenPhase {
  readonly phase: Phase;
  readonly startedAt: number;
  readonly line: ProgressLine;
  hasCount: boolean;
}

export function createProgress(options: ProgressOptions): Progress {
  const { terminal, clock, quiet } = options;
  let open: OpenPhase | undefined;
  // A phase begins where the one before was seen last.
  let seenAt = clock.now();
  const end = (): void => {
    if (open?.hasCount === true) open.line.keep();
    else open?.line.clear();
    open = undefined;
  };
  const begin = (phase: Phase): OpenPhase => {
    end();
    const line = createProgressLine({ terminal, clock, isQuiet: quiet });
    return { phase, startedAt: seenAt, line, hasCount: false };
  };
  return {
    show(step) {
      options.onProgress?.({ phase: step.phase, done: step.done ?? 0, total: step.total ?? null });
      const current = open?.phase === step.phase ? open : begin(step.phase);
      open = current;
      seenAt = clock.now();
      current.hasCount ||= (step.done ?? 0) > 0;
      const { startedAt } = current;
      const elapsedMs = seenAt - startedAt;
      current.line.show(() => describe(step, elapsedMs, options));
    },
    end,
  };
}

function describe(step: PhaseStep, elapsedMs: number, options: ProgressOptions): string {
  const { texts } = options;
  const { phase, done = 0, total } = step;
  const parts = [`${texts.phases[phase]}${describeCount(step, texts)}`];
  if (elapsedMs < STEADY_MS || done === 0) return parts.join("");
  const perSecond = (done * 1000) / elapsedMs;
  parts.push(texts.rate(perSecond, phase));
  const left = (total ?? done) - done;
  if (left <= 0 || elapsedMs < REMAINING_MS) return parts.join(" · ");
  const later = options.laterSeconds?.(step);
  if (later !== undefined) parts.push(texts.remaining(Math.ceil(left / perSecond + later)));
  return parts.join(" · ");
}

function describeCount({ phase, done = 0, total }: PhaseStep, texts: Texts): string {
  if (done === 0 && total === undefined) return "";
  const { number } = texts;
  const count = total === undefined ? number(done) : `${number(done)}/${number(total)}`;
  return ` ${texts.withUnit(count, phase)}`;
}
