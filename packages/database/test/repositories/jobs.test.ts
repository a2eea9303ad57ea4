import { createFakeClock } from "@catalog/clock/testing";
import { describe, expect, it, onTestFinished } from "vitest";

import { createJobRepository, openDatabase, type JobRepository } from "../../src/index.ts";

const STORE = { baseUrl: "https://shop.example", storeId: "store-1" };
const JOB = { kind: "apply", key: "r-1" } as const;
const FAILED = { exit: 6, code: "E_BREAKER", message: "10 calls failed" };
const DAY_MS = 86_400_000;

interface Opened {
  readonly jobs: JobRepository;
  readonly other: JobRepository;
  readonly clock: ReturnType<typeof createFakeClock>;
}

async function open(): Promise<Opened> {
  const database = await openDatabase(":memory:");
  onTestFinished(() => database.close());
  const clock = createFakeClock(1_000);
  const of = (storeId: string): JobRepository =>
    createJobRepository({ database, clock, store: { ...STORE, storeId } });
  return { clock, jobs: of("store-1"), other: of("store-2") };
}

describe("createJobRepository", () => {
  it("keeps a job as it was asked for, and hides it from other stores", async () => {
    const { jobs, other } = await open();

    await jobs.add({ ...JOB, spec: { lang: "tr" } });

    const times = { askedAtMs: 1_000, notBeforeMs: 1_000 };
    const job = { ...JOB, spec: { lang: "tr" }, ...times, failures: 0, failure: undefined };
    expect(await jobs.listOpen()).toEqual([{ ...job, result: undefined }]);
    expect(await jobs.read(JOB)).toEqual({ ...job, result: undefined });
    expect(await other.listOpen()).toEqual([]);
    expect(await other.remove(JOB)).toBe(false);
  });

  it("leaves an open job that is asked for twice as it is", async () => {
    const { jobs, clock } = await open();
    await jobs.add({ ...JOB, spec: {} });
    await jobs.postpone(JOB, { notBeforeMs: 9_000, failures: 2, failure: FAILED });
    await clock.advance(10);

    await jobs.add({ ...JOB, spec: { lang: "en" } });

    const tried = { notBeforeMs: 9_000, failures: 2, failure: FAILED, result: undefined };
    expect(await jobs.listOpen()).toMatchObject([{ spec: {}, ...tried }]);
  });

  it("ends a job once, and starts it anew where it is asked for again", async () => {
    const { jobs, clock } = await open();
    await jobs.add({ ...JOB, spec: {} });

    expect(await jobs.end(JOB, FAILED)).toBe(true);
    expect(await jobs.end(JOB, { exit: 0, code: null, message: null })).toBe(false);
    const later = { notBeforeMs: 0, failures: 1, failure: undefined };
    expect(await jobs.postpone(JOB, later)).toBe(false);
    expect(await jobs.listOpen()).toEqual([]);
    expect(await jobs.read(JOB)).toMatchObject({ result: FAILED, failure: undefined });

    await clock.advance(5);
    await jobs.add({ ...JOB, spec: {} });
    expect(await jobs.listOpen()).toMatchObject([{ askedAtMs: 1_005, result: undefined }]);
  });

  it("forgets a job a week after its end, however long it took", async () => {
    const { jobs, clock } = await open();
    for (const key of ["r-1", "r-2", "r-3"]) await jobs.add({ kind: "apply", key, spec: {} });
    await clock.advance(30 * DAY_MS);
    await jobs.end(JOB, FAILED);
    expect(await jobs.read(JOB)).toBeDefined();
    await clock.advance(7 * DAY_MS + 1);

    await jobs.end({ kind: "apply", key: "r-2" }, FAILED);

    expect(await jobs.read(JOB)).toBeUndefined();
    expect(await jobs.read({ kind: "apply", key: "r-2" })).toMatchObject({ result: FAILED });
    expect(await jobs.listOpen()).toMatchObject([{ key: "r-3" }]);
  });
});
