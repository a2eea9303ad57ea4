import { describe, expect, it } from "vitest";

import { createTokenCache } from "../../src/index.ts";
import { openTestJournal } from "../helpers/open-test-journal.ts";

describe("createTokenCache", () => {
  it("shares tokens with every process that opens the file", async () => {
    const { database, path, clock } = await openTestJournal();
    const elsewhere = await openTestJournal({ path, runs: [] });
    const token = { token: "secret", expiresAtMs: 21_600_000 };

    await createTokenCache({ database, clock }).write("a", token);

    expect(await createTokenCache({ database: elsewhere.database, clock }).read("a")).toEqual(
      token,
    );
  });

  it("keeps the last token of each key, and no other's", async () => {
    const { database, clock } = await openTestJournal();
    const tokens = createTokenCache({ database, clock });

    await tokens.write("a", { token: "first", expiresAtMs: 1 });
    await tokens.write("a", { token: "second", expiresAtMs: 2 });

    expect(await tokens.read("a")).toEqual({ token: "second", expiresAtMs: 2 });
    expect(await tokens.read("b")).toBeUndefined();
  });

  it("deletes one token and keeps the others", async () => {
    const { database, clock } = await openTestJournal();
    const tokens = createTokenCache({ database, clock });
    await tokens.write("a", { token: "first", expiresAtMs: 1 });
    await tokens.write("b", { token: "second", expiresAtMs: 1 });

    await tokens.forget("a");
    await tokens.forget("never there");

    expect(await tokens.read("a")).toBeUndefined();
    expect(await tokens.read("b")).toEqual({ token: "second", expiresAtMs: 1 });
  });

  it("never extends the life of a token by rounding", async () => {
    const { database, clock } = await openTestJournal();
    const tokens = createTokenCache({ database, clock });

    await tokens.write("a", { token: "secret", expiresAtMs: 1_000.9 });

    expect(await tokens.read("a")).toEqual({ token: "secret", expiresAtMs: 1_000 });
  });
});
