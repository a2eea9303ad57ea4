import { describe, expect, it } from "vitest";

import { createFairQueue, createPlanTurns, startPlansInTurn } from "../src/fair-queue.ts";
import type { EndedCommand, StartCommand, StartedCommand } from "../src/start-command.ts";

/** Works that are under way, in the order in which they began; each ends when a test says so. */
function createWorks() {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    begun,
    work: (name: string) => async (): Promise<string> => {
      begun.push(name);
      await new Promise<void>((resolve) => ends.set(name, resolve));
      return name;
    },
    end: async (name: string): Promise<void> => {
      ends.get(name)?.();
      await settled();
    },
  };
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const [NOISY, QUIET, THIRD] = [1, 2, 3];

describe("createFairQueue", () => {
  it("begins the one work of a store at once beside the ten of another", async () => {
    const { begun, work } = createWorks();
    const queue = createFairQueue({ places: 3, maxOfOne: 2 });

    for (let n = 1; n <= 10; n += 1) void queue.run(NOISY, work(`noisy ${n}`));
    await settled();
    void queue.run(QUIET, work("quiet"));
    await settled();

    expect(begun).toEqual(["noisy 1", "noisy 2", "quiet"]);
  });

  it("lets no store pass another one that has waited longer", async () => {
    const { begun, work, end } = createWorks();
    const queue = createFairQueue({ places: 2, maxOfOne: 1 });

    for (const store of [NOISY, NOISY, QUIET, THIRD]) {
      void queue.run(store, work(`${store} ${begun.length}`));
      await settled();
    }
    await end("1 0");

    expect(begun).toEqual(["1 0", "2 1", "3 2"]);
  });

  it("gives a place back when its work fails", async () => {
    const queue = createFairQueue({ places: 1, maxOfOne: 1 });
    const failed = queue.run(NOISY, async () => {
      throw new Error("of the work");
    });

    await expect(failed).rejects.toThrow("of the work");
    expect(await queue.run(NOISY, async () => "next")).toBe("next");
  });

  it("gives up waiting at once, and leaves work under way alone", async () => {
    const { work, end } = createWorks();
    const queue = createFairQueue({ places: 1, maxOfOne: 1 });
    const stop = new AbortController();
    const first = queue.run(NOISY, work("first"), stop.signal);
    const second = queue.run(NOISY, work("second"), stop.signal);
    await settled();

    stop.abort(new Error("changed"));

    await expect(second).rejects.toThrow("changed");
    await end("first");
    expect(await first).toBe("first");
  });
});

/** Starts commands that end when a test says so. */
function createStarter() {
  const started: { readonly words: readonly string[]; stops: number; end(): void }[] = [];
  const start: StartCommand = (words) => {
    const { promise, resolve } = Promise.withResolvers<EndedCommand>();
    const own = { words, stops: 0, end: () => resolve({ exit: 0, document: {}, errors: "" }) };
    started.push(own);
    return {
      pid: started.length,
      ended: promise,
      onProgress: (listener) => listener({ phase: "plan", done: 1, total: 2 }),
      stop: () => void (own.stops += 1),
      kill: () => undefined,
    };
  };
  return { started, start };
}

describe("startPlansInTurn", () => {
  it("plans in turn, and starts at once what waits for calls", async () => {
    const { started, start } = createStarter();
    const queue = createFairQueue({ places: 1, maxOfOne: 1 });
    const own = startPlansInTurn(start, { checks: queue, plans: queue }, NOISY);

    const commands: StartedCommand[] = [
      own(["plan", "--", "a.csv"]),
      own(["retry", "--plan", "--", "r-1"]),
      own(["apply", "--", "r-2"]),
    ];
    await settled();
    const before = started.map(({ words }) => words[0]);
    started.find(({ words }) => words[0] === "plan")?.end();
    await settled();
    await settled();

    expect(new Set(before)).toEqual(new Set(["apply", "plan"]));
    expect(started.map(({ words }) => words[0])).toContain("retry");
    expect(await commands[0]?.ended).toMatchObject({ exit: 0 });
  });

  it("keeps no check waiting for plans, and leaves a core to what answers", async () => {
    const { started, start } = createStarter();
    const own = startPlansInTurn(start, createPlanTurns(2), NOISY);
    const ask = async (...words: readonly string[]): Promise<void> => {
      for (let at = 0; at < 4; at += 1) own(words);
      await settled();
    };

    await ask("plan", "--", "a.csv");
    const plans = started.length;
    await ask("plan", "--check", "--", "draft:d-1");
    const checks = started.length - plans;
    startPlansInTurn(start, createPlanTurns(1), NOISY)(["plan", "--check"]);
    await settled();

    expect([plans, checks, started.length]).toEqual([2, 1, 4]);
  });

  it("passes progress and stops on, before its turn and after", async () => {
    const { started, start } = createStarter();
    const queue = createFairQueue({ places: 1, maxOfOne: 1 });
    const own = startPlansInTurn(start, { checks: queue, plans: queue }, NOISY);
    const seen: unknown[] = [];
    const [first, second] = [own(["plan"]), own(["plan"])];
    first.onProgress((progress) => seen.push(progress));
    await settled();

    first.stop();
    second.stop();

    expect([started.length, started[0]?.stops, first.pid, second.pid]).toEqual([
      1,
      1,
      1,
      undefined,
    ]);
    expect(seen).toEqual([{ phase: "plan", done: 1, total: 2 }]);
    expect(await second.ended).toMatchObject({ exit: 130 });
  });
});
