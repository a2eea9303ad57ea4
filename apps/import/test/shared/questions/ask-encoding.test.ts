import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { createFakeTerminal } from "@catalog/console/testing";
import { describe, expect, it } from "vitest";

import { importCommand } from "../../../src/commands/import/index.ts";
import { planCommand } from "../../../src/commands/plan/index.ts";
import { askEncodingOn } from "../../../src/questions.ts";
import { createCommandHarness } from "../../helpers/command-harness.ts";
import { startMarketplaceServer } from "../../helpers/marketplace-server.ts";

const QUESTION = {
  file: "liste.csv",
  readings: [
    { encoding: "windows-1254", words: ["Ülker", "SÜT"] },
    { encoding: "macturkish", words: ["İlker", "SİT"] },
  ],
};
const OFFERED = [
  "Ülker · SÜT (windows-1254)",
  "İlker · SİT (macturkish)",
  "Hiçbiri; dosya okunmasın",
];

const ask = async (...choices: readonly string[]) => {
  const terminal = createFakeTerminal({ answer: true, choices });
  const answer = await askEncodingOn(terminal, "tr")?.(QUESTION);
  return { answer, questions: terminal.questions };
};

describe("the question about an encoding", () => {
  it("shows the words that differ in each encoding", async () => {
    const { answer, questions } = await ask("İlker · SİT (macturkish)");

    expect(questions).toEqual([
      `“liste.csv” dosyasındaki harfler birden çok biçimde okunabiliyor. Hangisi doğru? ${OFFERED.join(" | ")}`,
    ]);
    expect(answer).toBe("macturkish");
  });

  it("returns no answer when none is right and when it is cancelled", async () => {
    expect((await ask("Hiçbiri; dosya okunmasın")).answer).toBeUndefined();
    expect((await ask()).answer).toBeUndefined();
  });
});

/** A product of the marketplace, with a note that reads Ülker or İlker. */
const SHEET = Buffer.from("product_code;stock;note\nKOD-1;7;\xdclker\n", "latin1");

async function createFixture(choices: readonly string[], answer: boolean | undefined = true) {
  const { baseUrl, updates } = await startMarketplaceServer();
  const asked = answer === undefined ? {} : { answer };
  const harness = createCommandHarness({ baseUrl, choices, lang: "tr", ...asked });
  const file = join(harness.folder, "liste.csv");
  writeFileSync(file, SHEET);
  return { ...harness, updates, file };
}

describe("catalog import of a file with an ambiguous encoding", () => {
  it("asks on a terminal and continues with the answer", async () => {
    const { context, terminal, file, updates } = await createFixture(["Ülker (windows-1254)"]);

    const exit = await importCommand.run(context, { file });

    expect(exit).toBe(0);
    expect(terminal.questions[0]).toContain("Ülker (windows-1254) | İlker (macturkish)");
    expect(updates).toEqual([{ product_id: "p-1", stock_count: 7 }]);
    expect(terminal.written.out).toContain("kodlama windows-1254, ayırıcı ; (--delimiter)");
  });

  it("reads nothing when no encoding is right", async () => {
    const { context, file, updates } = await createFixture([]);

    await expect(planCommand.run(context, { file })).rejects.toMatchObject({
      code: "E_ENCODING_UNSURE",
    });
    expect(updates).toEqual([]);
  });

  it("asks nothing when the encoding is given", async () => {
    const { context, terminal, file, updates } = await createFixture([]);

    await importCommand.run(context, { file, encoding: "macturkish" });

    expect(terminal.questions).toHaveLength(1);
    expect(updates).toHaveLength(1);
    expect(terminal.written.out).toContain("kodlama macturkish, ayırıcı ; (--delimiter)");
  });

  it("refuses it when no question can be asked, with both encodings and the flag", async () => {
    const { context, terminal, file } = await createFixture(["Ülker (windows-1254)"], undefined);

    await expect(importCommand.run(context, { file, yes: true })).rejects.toMatchObject({
      code: "E_ENCODING_UNSURE",
      localized: {
        tr: "“liste.csv” hangi karakter kodlamasıyla kaydedilmiş, kesin değil; aynı harfler farklı okunabiliyor. windows-1254: “Ülker”; macturkish: “İlker”. Doğru okunanı --encoding ile belirtin (örneğin --encoding windows-1254) ya da dosyayı UTF-8 olarak yeniden kaydedin.",
        en: expect.stringContaining(
          "windows-1254: “Ülker”; macturkish: “İlker”. Give the right one with --encoding",
        ),
      },
    });
    expect(terminal.questions).toEqual([]);
  });
});
