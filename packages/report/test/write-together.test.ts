import { describe, expect, it } from "vitest";

import { writeTogether, type Writer } from "../src/result-files.ts";

/** Two batches of two items; each reading of a batch is logged. */
async function* twoBatches(log: string[] = []): AsyncGenerator<readonly number[]> {
  log.push("read 1, 2");
  yield [1, 2];
  log.push("read 3, 4");
  yield [3, 4];
}

const takeAll =
  (taken: number[]): Writer<number> =>
  async (items) => {
    for await (const item of items) taken.push(item);
  };

const broken: Writer<number> = () => Promise.reject(new Error("no space left"));

const takeOne: Writer<number> = async (items) => {
  await items.next();
  await items.return();
};

/** Asks for an item and ends without it. */
const askAndEnd: Writer<number> = (items) => {
  void items.next();
  return Promise.resolve();
};

async function* failing(): AsyncGenerator<readonly number[]> {
  yield [1];
  throw new Error("the database is gone");
}

describe("writeTogether", () => {
  it("passes every item of one reading to every writer, in order", async () => {
    const log: string[] = [];
    const [first, second]: [number[], number[]] = [[], []];

    await writeTogether(twoBatches(log), [takeAll(first), takeAll(second)]);

    expect([first, second]).toEqual([
      [1, 2, 3, 4],
      [1, 2, 3, 4],
    ]);
    expect(log).toEqual(["read 1, 2", "read 3, 4"]);
  });

  it("reads a batch only after the slowest writer has taken the one before", async () => {
    const log: string[] = [];
    const slow = Promise.withResolvers<void>();
    const waiting: Writer<number> = async (items) => {
      await items.next();
      await slow.promise;
      for await (const item of items) log.push(`slow ${item}`);
    };

    const writing = writeTogether(twoBatches(log), [takeAll([]), waiting]);
    await new Promise((resolve) => setImmediate(resolve));
    const before = [...log];
    slow.resolve();
    await writing;

    expect(before).toEqual(["read 1, 2"]);
    expect(log).toEqual(["read 1, 2", "slow 2", "read 3, 4", "slow 3", "slow 4"]);
  });

  it("continues for the others when a writer fails before it has taken anything, and rejects at the end", async () => {
    const taken: number[] = [];
    const writing = writeTogether(twoBatches(), [broken, takeAll(taken)]);

    await expect(writing).rejects.toThrow("no space left");
    expect(taken).toEqual([1, 2, 3, 4]);
  });

  it("continues for the others when a writer has ended", async () => {
    const taken: number[] = [];
    await writeTogether(twoBatches(), [takeOne, takeAll(taken)]);

    expect(taken).toEqual([1, 2, 3, 4]);
  });

  it("withholds no batch from the others when a writer ends while it waits for one", async () => {
    const taken: number[] = [];
    const late: Writer<number> = async (items) => {
      await Promise.resolve();
      await takeAll(taken)(items);
    };

    await writeTogether(twoBatches(), [askAndEnd, late, takeAll([])]);

    expect(taken).toEqual([1, 2, 3, 4]);
  });

  it("rejects with the error of the reading once every writer has received it", async () => {
    const taken: number[] = [];

    const writing = writeTogether(failing(), [takeAll(taken), takeAll([])]);

    await expect(writing).rejects.toThrow("the database is gone");
    expect(taken).toEqual([1]);
  });
});
