import { expect, it } from "vitest";

import { FIELDS, findField, getField } from "../../src/fields/fields.ts";
import { NEVER_SENT, OWN_RESULT } from "../../src/fields/other-headers.ts";
import { compactFold } from "../../src/text-keys.ts";

it("gives no header two meanings", () => {
  const owners = new Map<string, string>();
  const claim = (text: string, owner: string): void => {
    const key = compactFold(text);
    expect([undefined, owner], text).toContain(owners.get(key));
    owners.set(key, owner);
  };

  for (const { key, header, aliases, suggestOnly } of FIELDS) {
    for (const text of [key, header.tr, header.en, ...suggestOnly]) claim(text, key);
    for (const { text } of aliases) claim(text, key);
  }
  for (const text of NEVER_SENT) claim(text, "never sent");
  for (const text of OWN_RESULT) claim(text, "own result");
});

it("requires the fields that the add call requires", () => {
  const required = FIELDS.filter((field) => field.requiredForAdd).map((field) => field.key);

  expect(required).toEqual([
    "product_code",
    "title",
    "sub_title",
    "category",
    "brand",
    "brand_model",
    "description",
    "price",
    "stock",
    "warranty_type",
    "warranty_period",
    "shipping_template",
    "image_1",
  ]);
});

it("writes a star behind required headers", () => {
  expect(getField("price").writtenHeader.tr).toBe("Fiyat *");
  expect(getField("note").writtenHeader.en).toBe("Note");
});

it("finds no field by the name of an inherited object property", () => {
  expect(findField("constructor")).toBeUndefined();
});
