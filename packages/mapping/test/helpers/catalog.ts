/**
 * A small marketplace for tests: three leaf categories, two of the same name, and brands that
 * differ by a dot.
 */

import { type Category, idSchemas } from "@catalog/contract";

import { createFakeNames, type FakeNames } from "../../src/testing.ts";

/** 24 hexadecimal digits that end in the number. */
export const id = (n: number): string => n.toString(16).padStart(24, "0");

const category = (n: number, path: string, rest: Partial<Category> = {}): Category => ({
  id: idSchemas.category.parse(id(n)),
  name: path.split(" > ").at(-1) ?? "",
  category_path: path,
  ...rest,
});

export const CATEGORIES: readonly Category[] = [
  category(1, "Ev"),
  category(2, "Ev > Mutfak"),
  category(3, "Ev > Mutfak > Kaşık", { external_id: "4711" }),
  category(4, "Ev > Mutfak > Aksesuar"),
  category(5, "Oto"),
  category(6, "Oto > Aksesuar"),
];

export const SPOON: string = id(3);
export const BRAND: Readonly<Record<"kuzey" | "isuzu" | "dotted" | "twin", string>> = {
  kuzey: id(0x11),
  isuzu: id(0x12),
  dotted: id(0x13),
  twin: id(0x14),
};

const brand = (hex: string, name: string) => ({ id: idSchemas.brand.parse(hex), name });

export function createCatalog(model = "Klasik 30"): FakeNames {
  const brands = [
    brand(BRAND.kuzey, "Kuzey Ahşap"),
    brand(BRAND.isuzu, "Isuzu"),
    brand(BRAND.dotted, "İsuzu"),
    brand(BRAND.twin, "Bosch"),
    brand(`${id(0xa1).slice(0, -4)}a1f3`, "Bosch"),
  ];
  return createFakeNames({
    categories: CATEGORIES,
    brands: { [SPOON]: brands },
    models: {
      [`${SPOON}/${BRAND.kuzey}`]: [{ id: idSchemas.brandModel.parse(id(0x21)), name: model }],
    },
    properties: {
      [SPOON]: [
        {
          id: idSchemas.property.parse(id(0x31)),
          name: "Renk",
          property_options: [
            { id: idSchemas.propertyOption.parse(id(0x41)), display_name: "Açık Kahve" },
            { id: idSchemas.propertyOption.parse(id(0x42)), display_name: "Siyah" },
          ],
        },
      ],
    },
    shippingTemplates: [
      { id: idSchemas.shippingTemplate.parse(id(0x51)), template_name: "Standart Kargo" },
      { id: idSchemas.shippingTemplate.parse(id(0x52)), template_name: "Hızlı Kargo" },
    ],
  });
}
