import { type FormEvent, type ReactNode, useState } from "react";

import type { RulesView } from "../../../src/api/index.ts";
import { usePage } from "../../lib/page.tsx";
import { useRulesChange } from "../../lib/work-queries.ts";
import { Button } from "../../ui/button.tsx";
import { SelectField, TextField } from "../../ui/field.tsx";
import { Failure } from "../../ui/message.tsx";

/** A new rule: in this field, this name means that one. */
export const AddRule = ({ fields }: { readonly fields: RulesView["fields"] }): ReactNode => {
  const words = usePage().texts.work.rules;
  const [field, setField] = useState(fields[0]?.field ?? "");
  const [value, setValue] = useState("");
  const [target, setTarget] = useState("");
  const change = useRulesChange();
  const clear = (): void => {
    setValue("");
    setTarget("");
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const body = { field, value: value.trim(), target: target.trim() };
    change.mutate({ path: "", body }, { onSuccess: clear });
  };
  const isWhole = value.trim() !== "" && target.trim() !== "";
  return (
    <form className="stack-tight" onSubmit={submit}>
      <div className="form-grid">
        <SelectField
          label={words.field}
          value={field}
          choices={fields.map((one) => ({ value: one.field, label: one.label }))}
          onChange={setField}
        />
        <TextField label={words.value} value={value} onChange={setValue} />
        <TextField
          label={words.target}
          hint={words.targetHint}
          value={target}
          onChange={setTarget}
        />
      </div>
      <Failure error={change.error} />
      <Button type="submit" isDisabled={!isWhole} isBusy={change.isPending}>
        {change.isPending ? words.adding : words.add}
      </Button>
    </form>
  );
};
