import { describe, expect, it } from "vitest";

import { askPriceUnitOn } from "../../../src/questions.ts";

const QUESTION = { examples: [{ code: "P-17", currency: "TL", shown: 1000 }] };

describe("askPriceUnitOn", () => {
  it.each([
    ["major", "major"],
    ["minor", "minor"],
    ["unknown", undefined],
    [undefined, undefined],
  ])("turns the answer %s into the unit %s", async (answer, unit) => {
    const asked: string[] = [];
    const choose = async (question: string): Promise<string | undefined> => {
      asked.push(question);
      return answer;
    };

    expect(await askPriceUnitOn({ choose }, "tr")?.(QUESTION)).toBe(unit);
    expect(asked[0]).toContain("Mağaza P-17 için 1000 gösteriyor");
  });
});
