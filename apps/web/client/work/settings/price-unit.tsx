import type { ReactNode } from "react";

import type { PriceUnitView } from "../../../src/api/index.ts";
import { usePage } from "../../lib/page.tsx";
import { useSavePriceUnit } from "../../lib/work-queries.ts";
import { SelectField } from "../../ui/field.tsx";
import { Failure } from "../../ui/message.tsx";

const UNITS = ["minor", "major"] as const;

/** The unit of the store's prices: what a person said can be changed, what is proven is only shown. */
export const PriceUnit = ({ setting }: { readonly setting: PriceUnitView }): ReactNode => {
  const words = usePage().texts.work.settings;
  const save = useSavePriceUnit();
  const { unit, source } = setting;
  if (unit !== null && source !== "person") {
    return (
      <p>
        <span className="muted">{words.priceUnit}: </span>
        <strong>{words.units[unit]}</strong>{" "}
        <small className="hint">{words.unitSources[source]}</small>
      </p>
    );
  }
  return (
    <>
      <SelectField
        label={words.priceUnit}
        hint={words.unitSources[source]}
        value={unit ?? ""}
        choices={[
          { value: "", label: words.unitUnknown },
          ...UNITS.map((value) => ({ value, label: words.units[value] })),
        ]}
        onChange={(text) => save.mutate({ unit: UNITS.find((one) => one === text) ?? null })}
      />
      <Failure error={save.error} />
    </>
  );
};
