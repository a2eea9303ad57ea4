import { beforeAll, describe, expect, it } from "vitest";

import { bitFlippedAt, DELETED, fullAt, logCutAt, OLD_COPY } from "./damages.ts";
import { type TriedDamage, tryDamage } from "./try-damage.ts";

/** A few of each kind; the soak tests play many. */
const DAMAGES = [fullAt(450), logCutAt(0.6), bitFlippedAt(0.3), OLD_COPY, DELETED];

describe("an import on a damaged disk", () => {
  const tried = new Map<string, TriedDamage>();

  beforeAll(async () => {
    await Promise.all(
      DAMAGES.map(async (damage) => {
        tried.set(damage.name, await tryDamage(damage));
      }),
    );
  });

  for (const { name } of DAMAGES) {
    it(`ends without a loss or duplicate: ${name}`, () => {
      const result = tried.get(name);

      expect(result).toMatchObject({ doubles: [], lost: [] });
      expect([0, 5]).toContain(result?.code);
    });
  }

  it(`${DELETED.name}: it stops and gives advice`, () => {
    const met = tried.get(DELETED.name)?.met;

    expect(met?.code).toBe(6);
    expect(met?.out).toContain("E_DATABASE_REPLACED");
    expect(met?.out).toContain("catalog resume");
  });
});
