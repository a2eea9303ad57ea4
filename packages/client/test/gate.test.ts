import { describe, expect, it } from "vitest";

import { createGate, untilAborted } from "../src/concurrency.ts";
import { failureOf } from "./helpers/marketplace.ts";

describe("createGate", () => {
  it("runs no more tasks at a time than its limit", async () => {
    const { run: gate } = createGate(2);
    let running = 0;
    let max = 0;
    const task = async (): Promise<void> => {
      running += 1;
      max = Math.max(max, running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
    };

    await Promise.all(Array.from({ length: 7 }, () => gate(task)));

    expect(max).toBe(2);
  });

  it("frees the place of a task that fails", async () => {
    const { run: gate } = createGate(1);

    await expect(gate(() => Promise.reject(new Error("broken")))).rejects.toThrow("broken");

    await expect(gate(async () => "next")).resolves.toBe("next");
  });

  it("rejects a waiting task at once when it is aborted, and never runs it", async () => {
    const { run: gate } = createGate(1);
    const first = Promise.withResolvers<string>();
    const controller = new AbortController();
    const ran: string[] = [];
    const running = gate(() => first.promise);
    const waiting = gate(async () => ran.push("waiting"), controller.signal);

    controller.abort(new Error("not needed any more"));

    await expect(waiting).rejects.toThrow("not needed any more");
    first.resolve("done");
    await expect(running).resolves.toBe("done");
    await gate(async () => ran.push("later"));
    expect(ran).toEqual(["later"]);
  });

  it("lets a running task handle an abort itself", async () => {
    const { run: gate } = createGate(1);
    const controller = new AbortController();
    const begun = Promise.withResolvers<void>();
    const answer = Promise.withResolvers<string>();
    const running = gate(() => {
      begun.resolve();
      return answer.promise;
    }, controller.signal);
    await begun.promise;

    controller.abort(new Error("stop"));
    answer.resolve("added");

    await expect(running).resolves.toBe("added");
  });
});

describe("untilAborted", () => {
  it("rejects with the reason of a signal that was aborted before", async () => {
    const reason = { code: 1 };

    const failure = failureOf(
      untilAborted(new Promise(() => undefined), AbortSignal.abort(reason)),
    );

    expect(await failure).toBe(reason);
  });

  it("settles as the promise does when nothing aborts", async () => {
    const { signal } = new AbortController();

    await expect(untilAborted(Promise.resolve(1), signal)).resolves.toBe(1);
    await expect(untilAborted(Promise.reject(new Error("no")), signal)).rejects.toThrow("no");
  });
});
