/** How a command that was started as a process came to its end. */

import { z } from "zod";

import type { EndedCommand, StartedCommand } from "./start-command.ts";

/** Exit code of a command while another process works on the store. */
export const BUSY = 75;

/** Exit code of a process that was killed. */
export const KILLED = 137;

export interface WaitOptions {
  readonly stop: AbortSignal;
  /**
   * Whether a command under way is asked to stop with this process, and waited for. Otherwise it
   * goes on by itself.
   */
  readonly stopsCommands: boolean;
}

/** The end of the process; `undefined` where this process stops and leaves it alone. */
export async function untilEnded(
  started: StartedCommand,
  { stop, stopsCommands }: WaitOptions,
): Promise<EndedCommand | undefined> {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const onStop = (): void => {
    if (stopsCommands) started.stop();
    else resolve(undefined);
  };
  stop.addEventListener("abort", onStop, { once: true });
  if (stop.aborted) onStop();
  try {
    return await Promise.race([started.ended, promise]);
  } finally {
    stop.removeEventListener("abort", onStop);
  }
}

const documentSchema = z.object({
  run: z.string().nullish(),
  error: z.object({ code: z.string(), message: z.string() }).nullish(),
});

/** Id of the run that the command's document names; `null` for none. */
export const readRunId = ({ document }: EndedCommand): string | null =>
  documentSchema.safeParse(document).data?.run ?? null;

/** Counts of the command's document, as it gives them; `undefined` for none. */
export const readCounts = ({ document }: EndedCommand): unknown =>
  z.object({ counts: z.unknown() }).safeParse(document).data?.counts;

/** The fields that the feed of a sync gave, by the command's document; `undefined` for none. */
export const readFields = ({ document }: EndedCommand): readonly string[] | undefined => {
  const { fields } =
    z
      .object({ fields: z.record(z.string(), z.string()) })
      .partial()
      .safeParse(document).data ?? {};
  return fields && Object.keys(fields);
};

/** A failure in words, without secrets, and its stable code; `null` for none. */
export interface CommandFailure {
  readonly code: string | null;
  readonly message: string | null;
}

const NO_FAILURE: CommandFailure = { code: null, message: null };

const MAX_MESSAGE = 500;

/** The failure of a command; one that died told nothing but what it wrote last. */
export function readFailure(
  { exit, document, errors }: EndedCommand,
  expected: ReadonlySet<number>,
): CommandFailure {
  const told = documentSchema.safeParse(document).data?.error;
  if (told !== undefined && told !== null) return told;
  if (expected.has(exit)) return NO_FAILURE;
  return { code: "E_COMMAND", message: errors.trim().slice(-MAX_MESSAGE) || null };
}
