/** What the page makes of events, with the query client that it uses. */

import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { expect, it, onTestFinished } from "vitest";

import { takeProgress } from "../../../client/lib/events.ts";
import type { RunProgress, RunState } from "../../../src/api/index.ts";

const RUN = "r-261130-0416-9611";

const toProgress = (state: RunState): RunProgress => ({
  id: RUN,
  state,
  stateText: state,
  isPaused: false,
  isByWorker: false,
  preparing: null,
  counts: {
    rows: 0,
    added: 0,
    updated: 0,
    unchanged: 0,
    invalid: 0,
    duplicate: 0,
    rejected: 0,
    held: 0,
    waiting: 0,
    cancelled: 0,
    restCancelled: 0,
    excluded: 0,
  },
  perMinute: null,
  endsAt: null,
  callsLastHour: 0,
  callsPerHour: null,
  waiting: null,
  problem: null,
});

it("reads a run anew that changed while it was read for the first time", async () => {
  const client = new QueryClient();
  const readings: PromiseWithResolvers<RunState>[] = [];
  const observer = new QueryObserver(client, {
    queryKey: ["run", RUN],
    queryFn: ({ signal }) => {
      const reading = Promise.withResolvers<RunState>();
      signal.addEventListener("abort", () => reading.reject(signal.reason));
      readings.push(reading);
      return reading.promise;
    },
  });
  onTestFinished(observer.subscribe(() => undefined));

  takeProgress(client, toProgress("planned"));
  await expect.poll(() => readings.length).toBe(2);
  readings[0]?.resolve("planning");
  readings[1]?.resolve("planned");

  await expect.poll(() => observer.getCurrentResult().data).toBe("planned");
  expect(observer.getCurrentResult().error).toBeNull();
});
