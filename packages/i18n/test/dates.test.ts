import { describe, expect, it } from "vitest";

import { formatDateTime } from "../src/index.ts";

const AT_MS = Date.UTC(2026, 0, 31, 6, 5, 9);
const ISTANBUL = { timeZone: "Europe/Istanbul" } as const;

describe("formatDateTime", () => {
  it("writes a day and a time in the form of each language", () => {
    const options = { dateStyle: "short", timeStyle: "medium", ...ISTANBUL } as const;

    expect(formatDateTime(AT_MS, "tr", options)).toBe("31.01.2026 09:05:09");
    expect(formatDateTime(AT_MS, "en", options)).toBe("2026-01-31 09:05:09");
  });

  it("writes Turkish time on every machine, unless another zone is named", () => {
    expect(formatDateTime(AT_MS, "tr", { timeStyle: "short" })).toBe("09:05");
    expect(formatDateTime(AT_MS, "tr", { timeStyle: "short", timeZone: "UTC" })).toBe("06:05");
  });

  it("writes a time alone", () => {
    expect(formatDateTime(AT_MS, "tr", { timeStyle: "short", ...ISTANBUL })).toBe("09:05");
  });
});
