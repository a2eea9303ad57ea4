import { describe, expect, it } from "vitest";

import { createCapacity } from "../../src/http/request-checks.ts";

const never = new AbortController().signal;

/** Enters and notes the name as soon as there is a place. */
function enter(capacity: ReturnType<typeof createCapacity>, log: string[], name: string) {
  const controller = new AbortController();
  const entering = capacity.enter(controller.signal).then((release) => {
    log.push(name);
    return release;
  });
  return { entering, leave: () => controller.abort(new Error(`${name} left`)) };
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("createCapacity", () => {
  it("lets calls in up to its number and the others in the order of their arrival", async () => {
    const capacity = createCapacity(2);
    const log: string[] = [];
    const [first, second] = ["a", "b", "c", "d"].map((name) => enter(capacity, log, name));
    await settled();
    expect(log).toEqual(["a", "b"]);

    (await second?.entering)?.();
    await settled();
    expect(log).toEqual(["a", "b", "c"]);

    (await first?.entering)?.();
    await settled();
    expect(log).toEqual(["a", "b", "c", "d"]);
  });

  it("passes over a call that left while it waited", async () => {
    const capacity = createCapacity(1);
    const log: string[] = [];
    const [first, second] = ["a", "b", "c"].map((name) => enter(capacity, log, name));
    const left = expect(second?.entering).rejects.toThrow("b left");

    second?.leave();
    await left;
    (await first?.entering)?.();
    await settled();

    expect(log).toEqual(["a", "c"]);
  });

  it("gets a place back once, however often it is given back", async () => {
    const capacity = createCapacity(1);
    const release = await capacity.enter(never);
    release();
    release();
    await capacity.enter(never);
    const log: string[] = [];

    enter(capacity, log, "b");
    await settled();

    expect(log).toEqual([]);
  });

  it("keeps no place for a call that left after it got one", async () => {
    const capacity = createCapacity(1);
    const log: string[] = [];
    const first = enter(capacity, log, "a");
    const release = await first.entering;
    first.leave();
    release();

    enter(capacity, log, "b");
    await settled();

    expect(log).toEqual(["a", "b"]);
  });

  it("refuses a call that has left already", async () => {
    const gone = AbortSignal.abort(new Error("gone"));

    await expect(createCapacity(1).enter(gone)).rejects.toThrow("gone");
  });
});
