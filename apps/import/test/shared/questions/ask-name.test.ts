import { createFakeTerminal } from "@catalog/console/testing";
import { describe, expect, it } from "vitest";

import { askNameOn } from "../../../src/questions.ts";

const NAME = {
  field: "brand",
  column: "Marka",
  value: "KARACA HOM",
  choices: ["Karaca Home", "Karaca"],
  rows: 1412,
};

const ask = async (...choices: readonly string[]) => {
  const terminal = createFakeTerminal({ answer: true, choices });
  const answer = await askNameOn(terminal, "tr")?.(NAME);
  return { answer, questions: terminal.questions };
};

describe("the question about a name", () => {
  it("names column, value and rows, and offers the candidates", async () => {
    const { answer, questions } = await ask("Karaca");

    expect(questions).toEqual([
      "Marka: “KARACA HOM” mağazadaki adlardan biriyle eşleşmedi (1.412 satır). Hangisi olsun? " +
        "Karaca Home | Karaca | Hiçbiri; bu satırlar hatalı kalsın | Sormayı bırak",
    ]);
    expect(answer).toEqual({ kind: "means", target: "Karaca" });
  });

  it.each([
    ["resembles none", "Karaca", ["Kayaka", "Kanca"]],
    ["may mean several", "Philipx", ["Philips", "Philipp"]],
  ])("offers to leave the name open first where it %s", async (_, value, choices) => {
    const terminal = createFakeTerminal({ answer: true, choices: [] });

    await askNameOn(terminal, "tr")?.({ ...NAME, value, choices });

    expect(terminal.questions[0]).toContain(
      `Hangisi olsun? Hiçbiri; bu satırlar hatalı kalsın | ${choices.join(" | ")} | Sormayı bırak`,
    );
  });

  it("can be skipped, and ends all questions when it is cancelled", async () => {
    expect((await ask("Hiçbiri; bu satırlar hatalı kalsın")).answer).toEqual({ kind: "leave" });
    expect((await ask("Sormayı bırak")).answer).toEqual({ kind: "stop" });
    expect((await ask()).answer).toEqual({ kind: "stop" });
  });

  it("tells a candidate from an answer with the same text", async () => {
    const terminal = createFakeTerminal({ answer: true, choices: ["leave"] });

    const answer = await askNameOn(terminal, "en")?.({ ...NAME, choices: ["leave"] });

    expect(answer).toEqual({ kind: "means", target: "leave" });
  });

  it("is not asked without candidates", () => {
    const { choose: _choose, ...terminal } = createFakeTerminal({ answer: true });

    expect(askNameOn(terminal, "tr")).toBeUndefined();
  });
});
