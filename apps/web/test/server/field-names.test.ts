import { expect, it } from "vitest";

import { nameFields } from "../../src/server/plain-advice.ts";

it("names fields of the API as the columns of files do", () => {
  expect(nameFields("discount_value: fiyattan küçük olmalı", "tr")).toBe(
    "İndirim Değeri: fiyattan küçük olmalı",
  );
  expect(nameFields("stock_count is wrong, see some_thing", "en")).toBe(
    "Stock is wrong, see some_thing",
  );
});
