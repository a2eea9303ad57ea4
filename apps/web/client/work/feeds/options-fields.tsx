import type { ReactNode } from "react";

import type { FeedOptions } from "../../../src/api/index.ts";
import { usePage } from "../../lib/page.tsx";
import { SelectField, TextField } from "../../ui/field.tsx";

interface OptionsFieldsProps {
  readonly options: FeedOptions;
  readonly onChange: (options: FeedOptions) => void;
}

const DECIMALS = ["", "comma", "point"] as const;
/** Encodings of Turkish texts, the most frequent first. */
const ENCODINGS = ["utf-8", "windows-1254", "iso-8859-9", "cp857", "macturkish"] as const;
const PRICE_UNITS = ["", "minor", "major"] as const;

/** How a feed is read; folded, as the program finds most of it out by itself. */
export const OptionsFields = ({ options, onChange }: OptionsFieldsProps): ReactNode => {
  const { texts } = usePage();
  const words = texts.work.feeds.form;
  const names: Readonly<Record<string, string>> = texts.file.encodings;
  const encodings = new Set(["", ...ENCODINGS, options.encoding]);
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
        <SelectField
          label={texts.file.encoding}
          value={options.encoding}
          choices={[...encodings].map((value) => ({
            value,
            label: value === "" ? texts.file.byItself : (names[value] ?? value),
          }))}
          onChange={(encoding) => set({ encoding })}
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
