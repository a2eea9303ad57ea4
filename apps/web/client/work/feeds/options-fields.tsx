import type { ReactNode } from "react";

import type { FeedOptions } from "../../../src/api/index.ts";
import { usePage } from "../../lib/page.tsx";
import { SelectField, TextField } from "../../ui/field.tsx";

interface OptionsFieldsProps {
  readonly options: FeedOptions;
  readonly onChange: (options: FeedOptions) => void;
}

const DECIMALS = ["", "comma", "point"] as const;
const PRICE_UNITS = ["", "minor", "major"] as const;

/** How a feed is read; folded, as the program finds most of it out by itself. */
export const OptionsFields = ({ options, onChange }: OptionsFieldsProps): ReactNode => {
  const words = usePage().texts.work.feeds.form;
  const set = (change: Partial<FeedOptions>): void => onChange({ ...options, ...change });
  return (
    <details>
      <summary>{words.options}</summary>
      <div className="form-grid">
        <SelectField
          label={words.decimal}
          value={options.decimal}
          choices={DECIMALS.map((value) => ({ value, label: words.decimals[value] }))}
          onChange={(text) => set({ decimal: DECIMALS.find((one) => one === text) ?? "" })}
        />
        <SelectField
          label={words.priceUnit}
          value={options.priceUnit}
          choices={PRICE_UNITS.map((value) => ({ value, label: words.priceUnits[value] }))}
          onChange={(text) => set({ priceUnit: PRICE_UNITS.find((one) => one === text) ?? "" })}
        />
        <TextField
          label={words.maxAge}
          hint={words.maxAgeHint}
          type="number"
          value={String(options.maxAgeHours)}
          onChange={(text) => set({ maxAgeHours: Math.max(0, Math.trunc(Number(text))) })}
        />
        <TextField
          label={words.sheet}
          hint={words.sheetHint}
          value={options.sheet}
          onChange={(sheet) => set({ sheet })}
        />
        <TextField
          label={words.host}
          hint={words.hostHint}
          value={options.allowHost}
          onChange={(allowHost) => set({ allowHost })}
        />
      </div>
    </details>
  );
};
