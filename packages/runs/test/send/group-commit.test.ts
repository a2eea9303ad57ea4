import { describe, expect, it } from "vitest";

import { type Beginning, type Begun } from "../../src/row/row-outcome.ts";
import { createBeginGroup } from "../../src/send/group-commit.ts";

const NEVER = new AbortController().signal;
const at = (row: number): Beginning => ({ runId: "r-1", row });
const begunOf = ({ runId, row }: Beginning): Begun => ({ runId, row, attempt: 1 });

function open(
  answer: (rows: readonly Beginning[]) => readonly (Begun | undefined)[] = (rows) =>
    rows.map((row) => begunOf(row)),
) {
  const writes: (readonly number[])[] = [];
  const state = { mayGrow: false };
  const group = createBeginGroup({
    journal: {
      async beginTogether(rows) {
        writes.push(rows.map(({ row }) => row));
        return answer(rows);
      },
    },
    mayGrow: () => state.mayGrow,
  });
  return { group, writes, state };
}

describe("createBeginGroup", () => {
  it("writes those in one go that begin in the same moment, and tells each its own", async () => {
    const { group, writes } = open((rows) =>
      rows.map((row) => (row.row === 3 ? undefined : begunOf(row))),
    );

    const begun = await Promise.all([2, 3, 4].map((row) => group.begin(at(row), NEVER)));

    expect(writes).toEqual([[2, 3, 4]]);
    expect(begun).toEqual([begunOf(at(2)), undefined, begunOf(at(4))]);
  });

  it("writes whoever comes later for themselves", async () => {
    const { group, writes } = open();

    await group.begin(at(2), NEVER);
    await group.begin(at(3), NEVER);

    expect(writes).toEqual([[2], [3]]);
  });

  it("gathers as long as there is time, and writes when it is told that there is none", async () => {
    const { group, writes, state } = open();
    state.mayGrow = true;
    const first = group.begin(at(2), NEVER);
    await new Promise((resolve) => setImmediate(resolve));
    expect(writes).toEqual([]);

    state.mayGrow = false;
    const second = group.begin(at(3), NEVER);
    group.check();
    await Promise.all([first, second]);

    expect(writes).toEqual([[2, 3]]);
  });

  it("fails all of a group when the write fails, and none of the next", async () => {
    let isFull = true;
    const { group } = open((rows) => {
      if (isFull) throw new Error("the disk is full");
      return rows.map((row) => begunOf(row));
    });

    const ends = await Promise.allSettled([group.begin(at(2), NEVER), group.begin(at(3), NEVER)]);
    isFull = false;

    expect(ends.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    await expect(group.begin(at(2), NEVER)).resolves.toEqual(begunOf(at(2)));
  });

  it("does not write down who was stopped while it gathered", async () => {
    const { group, writes } = open();
    const stop = new AbortController();
    const stopped = group.begin(at(2), stop.signal);
    const other = group.begin(at(3), NEVER);

    stop.abort(new Error("stopped"));

    await expect(stopped).rejects.toThrow("stopped");
    await other;
    expect(writes).toEqual([[3]]);
  });

  it("lets nobody wait for a turn that fails", async () => {
    const group = createBeginGroup({
      journal: { beginTogether: async () => [] },
      turn: () => Promise.reject(new Error("no turn")),
      mayGrow: () => false,
    });

    await expect(group.begin(at(2), NEVER)).rejects.toThrow("no turn");
  });
});
