import { describe, expect, it } from "vitest";

import { resolveSheetLink } from "../src/index.ts";

const ID = "1AbCdEfGhIjKlMnOpQrStUvWx_yz-0123456789";
const EXPORT = `https://docs.google.com/spreadsheets/d/${ID}/export?format=`;

describe("resolveSheetLink", () => {
  const cases = [
    [`https://docs.google.com/spreadsheets/d/${ID}/edit#gid=42`, `${EXPORT}csv&gid=42`],
    [`https://docs.google.com/spreadsheets/d/${ID}/edit?gid=7#gid=7`, `${EXPORT}csv&gid=7`],
    [`https://docs.google.com/spreadsheets/u/1/d/${ID}/edit?usp=sharing`, `${EXPORT}xlsx`],
    [` https://docs.google.com/spreadsheets/d/${ID} `, `${EXPORT}xlsx`],
    ["https://ornek.example/liste.xlsx", "https://ornek.example/liste.xlsx"],
    [
      `https://docs.google.com.example/spreadsheets/d/${ID}/edit`,
      `https://docs.google.com.example/spreadsheets/d/${ID}/edit`,
    ],
  ] as const;
  for (const [link, downloadUrl] of cases) {
    it(`finds the table behind ${link.trim()}`, () => {
      expect(resolveSheetLink(link)?.downloadUrl).toBe(downloadUrl);
    });
  }

  it("returns undefined for a path", () => {
    for (const path of ["liste.xlsx", "/tmp/https://x", "C:\\liste.csv", "file:///etc/passwd"]) {
      expect(resolveSheetLink(path)).toBeUndefined();
    }
  });
});
