import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { createPlaces, type Place } from "../../src/send/semaphore.ts";

const NEVER = new AbortController().signal;

/** Lets every promise callback that is ready run. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function open(count: number) {
  const inside: number[] = [];
  let fewer = 0;
  const places = createPlaces({ count, onFewer: () => (fewer += 1) });
  const enter = (name: number, signal: AbortSignal = NEVER): Place => {
    const place = places.create();
    place.enter(signal).then(
      () => inside.push(name),
      () => undefined,
    );
    return place;
  };
  return { places, inside, enter, fewer: () => fewer };
}

describe("createPlaces", () => {
  it("lets in as many as there are places, and the others in their order", async () => {
    const { places, inside, enter } = open(2);
    const [first, second] = [enter(1), enter(2), enter(3), enter(4)];
    await settled();
    expect([inside, places.waiting]).toEqual([[1, 2], 2]);

    second?.leave();
    await settled();
    expect([inside, places.waiting]).toEqual([[1, 2, 3], 1]);

    first?.leave();
    await settled();
    expect([inside, places.waiting]).toEqual([[1, 2, 3, 4], 0]);
  });

  it("gives a place away once, however often it is left, and none that was not entered", async () => {
    const { inside, enter, places } = open(1);
    const first = enter(1);
    enter(2);
    enter(3);
    places.create().leave();
    await settled();

    first.leave();
    first.leave();
    await settled();

    expect(inside).toEqual([1, 2]);
  });

  it("lets whoever is stopped go, and says that fewer wait", async () => {
    const { places, inside, enter, fewer } = open(1);
    const stop = new AbortController();
    const first = enter(1);
    const stopped = places.create();
    const waiting = stopped.enter(stop.signal);
    enter(3);

    stop.abort(new Error("stopped"));

    await expect(waiting).rejects.toThrow("stopped");
    expect([places.waiting, fewer()]).toEqual([1, 1]);
    first.leave();
    await settled();
    expect(inside).toEqual([1, 3]);
  });

  it("lets nobody in who was stopped before", async () => {
    const { places } = open(1);
    const signal = AbortSignal.abort(new Error("stopped"));

    await expect(places.create().enter(signal)).rejects.toThrow("stopped");

    await expect(places.create().enter(NEVER)).resolves.toBeUndefined();
  });

  it("never has more inside than there are places, nor an empty one while somebody waits", async () => {
    const step = fc.constantFrom("enter", "leave", "stop");
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 4 }), fc.array(step), async (count, steps) => {
        const places = createPlaces({ count, onFewer: () => undefined });
        const inside: Place[] = [];
        const stops: AbortController[] = [];
        for (const what of steps) {
          const place = places.create();
          const stop = new AbortController();
          if (what === "leave") inside.shift()?.leave();
          if (what === "stop") stops.shift()?.abort(new Error("stopped"));
          if (what === "enter") {
            stops.push(stop);
            void place.enter(stop.signal).then(
              () => inside.push(place),
              () => undefined,
            );
          }
          await settled();
          expect(inside.length).toBeLessThanOrEqual(count);
          if (places.waiting > 0) expect(inside).toHaveLength(count);
        }
      }),
      { numRuns: 50 },
    );
  });
});
