import type { ReactNode } from "react";

import type { ExportKindView } from "../../../src/api/index.ts";
import { SelectField, TextField, Tick } from "../../ui/field.tsx";

interface FilterFieldProps {
  readonly filter: ExportKindView["filters"][number];
  readonly value: string;
  readonly onChange: (value: string) => void;
}

const INPUT_TYPES = { text: "text", number: "number", day: "date" } as const;

/** One filter of an export, as its type asks for. */
export const FilterField = ({ filter, value, onChange }: FilterFieldProps): ReactNode => {
  const { label, type, choices, empty } = filter;
  if (type === "yes") {
    return (
      <Tick isTicked={value !== ""} onChange={(isTicked) => onChange(isTicked ? "yes" : "")}>
        {label}
      </Tick>
    );
  }
  if (type === "choice") {
    const all = empty === null ? choices : [{ value: "", label: empty }, ...choices];
    return <SelectField label={label} value={value} onChange={onChange} choices={all} />;
  }
  return <TextField label={label} type={INPUT_TYPES[type]} value={value} onChange={onChange} />;
};
