import { expect, it } from "vitest";

import { describeEnd } from "../../../client/lib/runs.ts";
import { TEXTS } from "../../../client/texts/texts.ts";
import { NO_ROWS } from "../../helpers/no-rows.ts";

const NONE = { ...NO_ROWS, rows: 20_000, added: 4_335 };

const format = { number: (count: number) => count.toLocaleString("tr") };

it("says of a run whose rest was given up how many of its rows were done", () => {
  const { send } = TEXTS.tr;

  expect(describeEnd({ ...NONE, cancelled: 15_666, restCancelled: 15_665 }, send, format)).toBe(
    "Gönderimin kalanından vazgeçildi: 20.000 satırdan 4.335 satır işlendi",
  );
  expect(describeEnd(NONE, send, format)).toBe("Gönderim tamamlandı");
});

it("says of a run from which a person took rows before it was sent that it is complete", () => {
  const { send } = TEXTS.tr;

  expect(describeEnd({ ...NONE, cancelled: 1 }, send, format)).toBe("Gönderim tamamlandı");
});
