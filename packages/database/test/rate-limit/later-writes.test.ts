import { describe, expect, it } from "vitest";

import { createLaterWrites } from "../../src/rate-limit/rate-limiter.ts";

describe("createLaterWrites", () => {
  it("makes the writes one after the other, and waits for all of them", async () => {
    const writes = createLaterWrites();
    const log: string[] = [];
    const add = (name: string): void =>
      writes.add(async () => {
        log.push(`${name} begins`);
        await new Promise((resolve) => setImmediate(resolve));
        log.push(`${name} ends`);
      });

    add("first");
    add("second");
    await writes.ended();

    expect(log).toEqual(["first begins", "first ends", "second begins", "second ends"]);
  });

  it("goes on after a write that failed, and throws its error once", async () => {
    const writes = createLaterWrites();
    const made: string[] = [];

    for (const name of ["first", "second"]) writes.add(() => Promise.reject(new Error(name)));
    writes.add(async () => {
      made.push("third");
    });
    await writes.ended();

    expect(made).toEqual(["third"]);
    expect(() => writes.throwError()).toThrow("first");
    expect(() => writes.throwError()).not.toThrow();
  });
});
