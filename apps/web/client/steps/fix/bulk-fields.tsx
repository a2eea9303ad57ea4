/** The fields of each kind of bulk change. */

import type { ReactNode } from "react";

import type { GridColumn } from "../../grid/blocks.ts";
import { usePage } from "../../lib/page.tsx";
import { SelectField, TextField, Tick } from "../../ui/controls.tsx";
import { type BulkForm, GIVES, HOWS, placeholderOf, ROUND_TOS, ROUNDINGS } from "./bulk-form.ts";

interface FieldsProps {
  readonly form: BulkForm;
  readonly columns: readonly GridColumn[];
  /** Whether a number is none. */
  readonly isWrong: boolean;
  readonly onChange: (part: Partial<BulkForm>) => void;
}

interface ChooseProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly values: readonly Value[];
  readonly words: Readonly<Record<Value, string>>;
  readonly onChange: (value: Value) => void;
}

const Choose = <Value extends string>({
  label,
  value,
  values,
  words,
  onChange,
}: ChooseProps<Value>): ReactNode => (
  <SelectField
    label={label}
    value={value}
    onChange={(chosen) => onChange(values.find((each) => each === chosen) ?? value)}
    choices={values.map((each) => ({ value: each, label: words[each] }))}
  />
);

const Rounding = ({ form, onChange }: FieldsProps): ReactNode => {
  const { bulk } = usePage().texts;
  return (
    <>
      <Choose
        label={bulk.rounding}
        value={form.rounding}
        values={ROUNDINGS}
        words={bulk.roundings}
        onChange={(rounding) => onChange({ rounding })}
      />
      {form.rounding === "none" ? null : (
        <Choose
          label={bulk.roundTo}
          value={form.roundTo}
          values={ROUND_TOS}
          words={bulk.roundTos}
          onChange={(roundTo) => onChange({ roundTo })}
        />
      )}
    </>
  );
};

const PriceFields = (props: FieldsProps): ReactNode => {
  const { form, isWrong, onChange } = props;
  const { bulk } = usePage().texts;
  return (
    <>
      <Choose
        label={bulk.priceOf}
        value={form.of}
        values={["list", "discounted"]}
        words={bulk.prices}
        onChange={(of) => onChange({ of })}
      />
      <Choose
        label={bulk.direction}
        value={form.direction}
        values={["up", "down"]}
        words={bulk.directions}
        onChange={(direction) => onChange({ direction })}
      />
      <Choose
        label={bulk.by}
        value={form.by}
        values={["percent", "amount"]}
        words={bulk.bys}
        onChange={(by) => onChange({ by })}
      />
      <TextField
        label={bulk.amount}
        value={form.amount}
        onChange={(amount) => onChange({ amount })}
        isWrong={isWrong}
        hint={isWrong ? bulk.wrongAmount : undefined}
      />
      <Rounding {...props} />
    </>
  );
};

const StockFields = ({ form, isWrong, onChange }: FieldsProps): ReactNode => {
  const { bulk } = usePage().texts;
  return (
    <>
      <Choose
        label={bulk.how}
        value={form.how}
        values={HOWS}
        words={bulk.hows}
        onChange={(how) => onChange({ how })}
      />
      <TextField
        label={bulk.pieces}
        value={form.pieces}
        onChange={(pieces) => onChange({ pieces })}
        isWrong={isWrong}
        hint={isWrong ? bulk.wrongCount : undefined}
      />
    </>
  );
};

const DiscountFields = (props: FieldsProps): ReactNode => {
  const { form, isWrong, onChange } = props;
  const { bulk } = usePage().texts;
  const wrong = form.give === "percent" ? bulk.wrongPercent : bulk.wrongAmount;
  return (
    <>
      <Choose
        label={bulk.give}
        value={form.give}
        values={GIVES}
        words={bulk.gives}
        onChange={(give) => onChange({ give })}
      />
      {form.give === "end" ? null : (
        <TextField
          label={bulk.amount}
          value={form.amount}
          onChange={(amount) => onChange({ amount })}
          isWrong={isWrong}
          hint={isWrong ? wrong : undefined}
        />
      )}
      {form.give === "percent" || form.give === "amount" ? <Rounding {...props} /> : null}
    </>
  );
};

const ReplaceFields = ({ form, columns, onChange }: FieldsProps): ReactNode => {
  const { fix } = usePage().texts;
  return (
    <>
      <TextField label={fix.find} value={form.find} onChange={(find) => onChange({ find })} />
      <TextField
        label={fix.replace}
        value={form.replace}
        onChange={(replace) => onChange({ replace })}
      />
      <SelectField
        label={fix.inColumns}
        value={form.inColumn}
        onChange={(inColumn) => onChange({ inColumn })}
        choices={[{ value: "", label: fix.everywhere }, ...toChoices(columns)]}
      />
      <Tick isTicked={form.isWholeCell} onChange={(isWholeCell) => onChange({ isWholeCell })}>
        {fix.wholeCell}
      </Tick>
    </>
  );
};

const toChoices = (columns: readonly GridColumn[]) =>
  columns.map(({ column: { index, header, letter } }) => ({
    value: String(index),
    label: header === "" ? letter : header,
  }));

interface ColumnFieldProps extends Pick<FieldsProps, "columns"> {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

const ColumnField = ({ columns, ...props }: ColumnFieldProps): ReactNode => {
  const { bulk } = usePage().texts;
  return (
    <SelectField
      {...props}
      choices={[{ value: "", label: bulk.insertChoice }, ...toChoices(columns)]}
    />
  );
};

/** A column that is not read cannot be what is meant. */
const read = (columns: readonly GridColumn[]): readonly GridColumn[] =>
  columns.filter(({ isOut }) => !isOut);

const SetFields = ({ form, columns, onChange }: FieldsProps): ReactNode => {
  const { bulk } = usePage().texts;
  return (
    <>
      <ColumnField
        label={bulk.column}
        columns={read(columns)}
        value={form.column}
        onChange={(column) => onChange({ column })}
      />
      <TextField
        label={bulk.value}
        value={form.value}
        onChange={(value) => onChange({ value })}
        hint={bulk.valueHint}
      />
    </>
  );
};

const AffixFields = ({ form, columns, onChange }: FieldsProps): ReactNode => {
  const { bulk } = usePage().texts;
  return (
    <>
      <ColumnField
        label={bulk.column}
        columns={read(columns)}
        value={form.column}
        onChange={(column) => onChange({ column })}
      />
      <TextField
        label={bulk.before}
        value={form.before}
        onChange={(before) => onChange({ before })}
        hint={bulk.affixHint}
      />
      <TextField label={bulk.after} value={form.after} onChange={(after) => onChange({ after })} />
    </>
  );
};

const CopyFields = ({ form, columns, onChange }: FieldsProps): ReactNode => {
  const { bulk } = usePage().texts;
  return (
    <>
      <ColumnField
        label={bulk.from}
        columns={columns}
        value={form.from}
        onChange={(from) => onChange({ from })}
      />
      <ColumnField
        label={bulk.to}
        columns={read(columns)}
        value={form.column}
        onChange={(column) => onChange({ column })}
      />
    </>
  );
};

const TemplateFields = ({ form, columns, onChange }: FieldsProps): ReactNode => {
  const { bulk } = usePage().texts;
  const names = columns.flatMap(({ column }) => placeholderOf(column) ?? []);
  const insert = (name: string): void => {
    if (name === "") return;
    const gap = form.template === "" || form.template.endsWith(" ") ? "" : " ";
    onChange({ template: form.template + gap + name });
  };
  return (
    <>
      <ColumnField
        label={bulk.column}
        columns={read(columns)}
        value={form.column}
        onChange={(column) => onChange({ column })}
      />
      <TextField
        label={bulk.template}
        value={form.template}
        onChange={(template) => onChange({ template })}
        hint={bulk.templateHint}
      />
      <SelectField
        label={bulk.insert}
        value=""
        onChange={insert}
        choices={[
          { value: "", label: bulk.insertChoice },
          ...names.map((name) => ({ value: name, label: name.slice(1, -1) })),
        ]}
      />
    </>
  );
};

const FIELDS: Readonly<Record<BulkForm["kind"], (props: FieldsProps) => ReactNode>> = {
  price: PriceFields,
  stock: StockFields,
  discount: DiscountFields,
  set: SetFields,
  replace: ReplaceFields,
  affix: AffixFields,
  copy: CopyFields,
  template: TemplateFields,
};

export const BulkFields = (props: FieldsProps): ReactNode => {
  const Fields = FIELDS[props.form.kind];
  return (
    <div className="bulk-fields">
      <Fields {...props} />
    </div>
  );
};
