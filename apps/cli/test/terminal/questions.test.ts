import { once } from "node:events";
import { PassThrough } from "node:stream";

import { describe, expect, it } from "vitest";

import { createPrompts } from "../../src/terminal/questions.ts";

function setUp() {
  // A plain stream instead of a terminal, which would need raw mode; the keys mean the same.
  const stdin = new PassThrough();
  const stderr = Object.assign(new PassThrough(), { isTTY: true, columns: 80 });
  const stop = new AbortController();
  return { stdin, stderr, stop, prompts: createPrompts({ stdin, stderr }, stop.signal) };
}

const written = (stream: PassThrough): string => String(stream.read() ?? "");

describe("createPrompts", () => {
  it("returns the typed text without blanks around it", async () => {
    const { stdin, stderr, prompts } = setUp();
    const answer = prompts.ask("Adres", "");

    stdin.write(" https://api.example \r");

    expect(await answer).toBe("https://api.example");
    expect(written(stderr)).toContain("Adres");
  });

  it("proposes the known value", async () => {
    const { stdin, prompts } = setUp();
    const answer = prompts.ask("Mağaza", "s-1");

    stdin.write("\r");

    expect(await answer).toBe("s-1");
  });

  it("takes no answer that is complained of, and goes on with the corrected one", async () => {
    const { stdin, stderr, prompts } = setUp();
    const answer = prompts.ask("Mağaza", "", (text) => (text === "s-1" ? undefined : "Olmadı"));

    stdin.write("CANARY\r");
    await expect.poll(() => written(stderr)).toContain("Olmadı");
    stdin.write("\u0015s-1\r");

    expect(await answer).toBe("s-1");
    expect(written(stderr).split("Mağaza").at(-1)).not.toContain("CANARY");
  });

  it("shows a dot for each character of a secret, and none of them", async () => {
    const { stdin, stderr, prompts } = setUp();
    const answer = prompts.askSecret("Gizli anahtar");

    stdin.write("CANARY");
    stdin.write("\r");

    expect(await answer).toBe("CANARY");
    const shown = written(stderr);
    expect(shown).toContain("Gizli anahtar");
    expect(shown).toContain("••••••");
    expect(shown).not.toContain("CANARY");
    expect(shown).not.toContain("C");
  });

  it.each(["ask", "askSecret"] as const)(
    "returns nothing when a person cancels: %s",
    async (name) => {
      const { stdin, prompts } = setUp();
      const answer = prompts[name]("Soru", "");

      stdin.write("\u0003");

      expect(await answer).toBeUndefined();
    },
  );

  it.each(["ask", "askSecret"] as const)(
    "returns nothing when a signal cancels the question: %s",
    async (name) => {
      const { stderr, stop, prompts } = setUp();
      const answer = prompts[name]("Soru", "");

      await once(stderr, "readable");
      stop.abort();

      expect(await answer).toBeUndefined();
    },
  );

  it.each(["ask", "askSecret"] as const)(
    "ignores text that was typed before the question: %s",
    async (name) => {
      const { stdin, stderr, prompts } = setUp();
      Object.assign(stdin, { isTTY: true, setRawMode: () => undefined });
      stdin.write("EARLY\r");
      const answer = prompts[name]("Soru", "");

      let shown = "";
      while (!shown.includes("Soru")) {
        await new Promise(setImmediate);
        shown += written(stderr);
      }
      stdin.write("LATE\r");

      expect(await answer).toBe("LATE");
    },
  );
});
