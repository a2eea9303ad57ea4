import { describe, expect, it } from "vitest";

import { writeTogether, type Writer } from "../src/write-together.ts";

/** Two batches of two, each told of when it is read. */
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
  it("gives every writer every item of one reading, in order", async () => {
    const log: string[] = [];
    const [first, second]: [number[], number[]] = [[], []];

    await writeTogether(twoBatches(log), [takeAll(first), takeAll(second)]);

    expect([first, second]).toEqual([
      [1, 2, 3, 4],
      [1, 2, 3, 4],
    ]);
    expect(log).toEqual(["read 1, 2", "read 3, 4"]);
  });

  it("reads no batch before the slowest writer has taken the one before", async () => {
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

  it("goes on for the others where a writer fails before it has taken anything, and rejects then", async () => {
    const taken: number[] = [];
    const writing = writeTogether(twoBatches(), [broken, takeAll(taken)]);

    await expect(writing).rejects.toThrow("no space left");
    expect(taken).toEqual([1, 2, 3, 4]);
  });

  it("goes on for the others where a writer has enough", async () => {
    const taken: number[] = [];
    await writeTogether(twoBatches(), [takeOne, takeAll(taken)]);

    expect(taken).toEqual([1, 2, 3, 4]);
  });

  it("keeps no batch from the others where a writer ends while it waits for one", async () => {
    const taken: number[] = [];
    const late: Writer<number> = async (items) => {
      await Promise.resolve();
      await takeAll(taken)(items);
    };

    await writeTogether(twoBatches(), [askAndEnd, late, takeAll([])]);

    expect(taken).toEqual([1, 2, 3, 4]);
  });

  it("rejects with the error of the reading once every writer has had it", async () => {
    const taken: number[] = [];

    const writing = writeTogether(failing(), [takeAll(taken), takeAll([])]);

    await expect(writing).rejects.toThrow("the database is gone");
    expect(taken).toEqual([1]);
  });
});
