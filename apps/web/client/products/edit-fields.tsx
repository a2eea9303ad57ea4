/** Which fields of the chosen products become columns of the table in which they are edited. */

import type { ReactNode } from "react";

import { usePage } from "../lib/page.tsx";
import { Tick } from "../ui/controls.tsx";
import { Drop } from "../ui/drop.tsx";

/** Fields that are asked for by name, each with the columns that it takes. */
const FURTHER = {
  subtitle: ["sub_title"],
  description: ["description"],
  currency: ["currency"],
  warranty: ["warranty_type", "warranty_period"],
  shipping: ["shipping_template"],
  images: [1, 2, 3, 4, 5, 6, 7, 8].map((n) => `image_${n}`).concat("images"),
} as const;

export type FurtherField = keyof typeof FURTHER;

const FIELDS = ["subtitle", "description", "currency", "warranty", "shipping", "images"] as const;

/** Among many products, more than these would push the prices out of sight. */
const USUAL = ["product_code", "title", "price", "discount_type", "discount_value", "stock"];

/** Keys of the columns with these further fields. */
export const toColumns = (further: ReadonlySet<FurtherField>): readonly string[] => [
  ...USUAL,
  ...FIELDS.filter((field) => further.has(field)).flatMap((field) => FURTHER[field]),
  "brand_name",
];

interface FieldsMenuProps {
  readonly chosen: ReadonlySet<FurtherField>;
  readonly onChoose: (chosen: ReadonlySet<FurtherField>) => void;
}

export const FieldsMenu = ({ chosen, onChoose }: FieldsMenuProps): ReactNode => {
  const words = usePage().texts.products;
  const choose = (field: FurtherField, isTicked: boolean): void => {
    const others = [...chosen].filter((one) => one !== field);
    onChoose(new Set(isTicked ? [...others, field] : others));
  };
  return (
    <Drop label={words.fields(chosen.size)} title={words.fieldsTitle}>
      {() => (
        <>
          <p className="muted small">{words.fieldsUsual}</p>
          <ul className="column-choices">
            {FIELDS.map((field) => (
              <li key={field}>
                <Tick isTicked={chosen.has(field)} onChange={(isTicked) => choose(field, isTicked)}>
                  {words.field[field]}
                </Tick>
              </li>
            ))}
          </ul>
        </>
      )}
    </Drop>
  );
};
