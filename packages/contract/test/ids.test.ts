import { describe, expect, it } from "vitest";

import { idSchemas } from "../src/ids.ts";

describe("an id", () => {
  it.each(Object.entries(idSchemas))(
    "accepts any text but an empty one as an id of kind %s",
    (_name, schema) => {
      expect(schema.parse("5f1e0c2a9d3b4a0011223344")).toBe("5f1e0c2a9d3b4a0011223344");
      expect(schema.parse("kısa")).toBe("kısa");
      for (const value of ["", 5, null, undefined, {}]) {
        expect(schema.safeParse(value).success).toBe(false);
      }
    },
  );
});
