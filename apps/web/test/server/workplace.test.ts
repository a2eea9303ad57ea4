import { describe, expect, it } from "vitest";

import { isLoopbackAddress } from "../../src/server/workplace.ts";

describe("the address of a store", () => {
  for (const host of ["127.0.0.1:4020", "127.8.0.9", "127.1", "[::1]:80", "LOCALHOST:9"]) {
    it(`is of this computer: ${host}`, () => {
      expect(isLoopbackAddress(`http://${host}/v1`)).toBe(true);
    });
  }

  for (const host of ["127.0.0.1.example.com", "localhost.example.com", "10.0.0.1", "[::2]"]) {
    it(`is not of this computer: ${host}`, () => {
      expect(isLoopbackAddress(`https://${host}`)).toBe(false);
    });
  }
});
