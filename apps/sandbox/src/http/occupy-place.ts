import type { FastifyReply } from "fastify";

import type { Capacity } from "./capacity.ts";
import { watchSender } from "./sender.ts";

/**
 * Waits for a place, which the call keeps until its answer is written or its connection ends.
 * Returns "gone" where the sender did not wait for it; rejects when `closing` aborts.
 */
export async function occupyPlace(
  capacity: Capacity,
  { raw }: Pick<FastifyReply, "raw">,
  closing: AbortSignal,
): Promise<"entered" | "gone"> {
  const { socket } = raw;
  if (socket === null) return "gone";
  const gone = new AbortController();
  const stop = watchSender(socket, () => gone.abort());
  try {
    const release = await capacity.enter(AbortSignal.any([gone.signal, closing]));
    raw.once("close", release);
    return "entered";
  } catch (error) {
    if (!gone.signal.aborted) throw error;
    return "gone";
  } finally {
    stop();
  }
}
