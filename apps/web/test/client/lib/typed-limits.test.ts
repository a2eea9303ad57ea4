import { expect, it } from "vitest";

import { isSound, readNumber, toLimitsBody, toTyped } from "../../../client/work/settings.tsx";
import type { SettingsView } from "../../../src/api/work.ts";

const guard = { label: "", default: 50, min: 0, max: 100 };
const SETTINGS: SettingsView = {
  baseUrl: "https://market.example",
  storeId: "s-1",
  home: "/home",
  priceUnit: { unit: null, source: "unknown" },
  callsPerHour: { value: 900, source: "saved" },
  guards: [
    { ...guard, name: "priceDropPercent", value: 20, source: "saved" },
    { ...guard, name: "zeroStockPercent", value: 50, source: "default" },
  ],
};

it("shows saved values only, and saves what it shows", () => {
  const typed = toTyped(SETTINGS);

  expect(typed).toEqual({ priceDropPercent: "20", zeroStockPercent: "", callsPerHour: "900" });
  expect(toLimitsBody(typed, SETTINGS)).toEqual({
    guards: { priceDropPercent: 20 },
    callsPerHour: 900,
  });
});

it("gives an emptied limit its default again", () => {
  const typed = { priceDropPercent: " ", zeroStockPercent: "12,5", callsPerHour: "" };

  expect(toLimitsBody(typed, SETTINGS)).toEqual({
    guards: { zeroStockPercent: 12.5 },
    callsPerHour: null,
  });
});

it.each([
  ["12,5", 12.5],
  ["30", 30],
  ["", undefined],
  ["1.000,5", undefined],
  ["-3", undefined],
  ["%30", undefined],
])("reads %j as %j", (text, value) => {
  expect(readNumber(text)).toBe(value);
});

it.each([
  ["", true],
  ["100", true],
  ["100,5", false],
  ["yarısı", false],
])("takes %j: %j", (text, sound) => {
  expect(isSound(guard, text)).toBe(sound);
});
