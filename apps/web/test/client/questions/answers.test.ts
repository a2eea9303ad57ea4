import { describe, expect, it, vi } from "vitest";

import { Answers, fillReply } from "../../../client/questions/answers.ts";

function createStorage(): Storage {
  const items = new Map<string, string>();
  return {
    get length() {
      return items.size;
    },
    key: (at) => [...items.keys()][at] ?? null,
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => void items.set(key, value),
    removeItem: (key) => void items.delete(key),
    clear: () => items.clear(),
  };
}

describe("answers that are being written", () => {
  it("keep what was typed while an older state of the server was on its way", async () => {
    vi.useFakeTimers();
    const storage = createStorage();
    const answers = new Answers({ store: "s", storage, save: async () => undefined });
    const before = answers.changes();
    answers.set([{ id: "a", text: "typed" }]);
    await answers.flush();

    answers.take([], before);

    expect([answers.get("a"), answers.ready(), storage.length]).toEqual([
      "typed",
      [{ id: "a", text: "typed" }],
      0,
    ]);
    answers.take([], answers.changes());
    expect(answers.ready()).toEqual([]);
    vi.useRealTimers();
  });

  it("are in the browser until the server has them, also for the next page", async () => {
    vi.useFakeTimers();
    const storage = createStorage();
    const first = new Answers({
      store: "s",
      storage,
      save: () => Promise.withResolvers<void>().promise,
    });
    first.set([{ id: "a", text: "typed" }]);
    const saved: unknown[] = [];
    const next = new Answers({
      store: "s",
      storage,
      save: async (some) => void saved.push(...some),
    });
    const other = new Answers({ store: "t", storage, save: async () => undefined });

    next.take([{ id: "a", text: "older", isWaiting: true }], next.changes());
    await next.flush();

    expect([next.get("a"), other.get("a"), saved]).toEqual([
      "typed",
      "",
      [{ id: "a", text: "typed" }],
    ]);
    vi.useRealTimers();
  });
});

describe("a saved reply", () => {
  const cup = { firstName: "Ayşe", product: { title: "Bardak" } };
  for (const [text, facts, filled] of [
    ["Merhaba {ad}, {urun} var.", cup, "Merhaba Ayşe, Bardak var."],
    ["Merhaba {AD}, {ürün} var.", { ...cup, firstName: null }, "Merhaba, Bardak var."],
    ["Hi {name}: {product}", { firstName: "Ayşe", product: null }, "Hi Ayşe:"],
    ["{başka} kalır", cup, "{başka} kalır"],
  ] as const) {
    it(`fills “${text}” as “${filled}”`, () => {
      expect(fillReply(text, facts)).toBe(filled);
    });
  }
});
