/** What a person fills in for a bulk change, kind by kind, and the change that it means. */

import type { ReactNode } from "react";

import type { BulkChange, ColumnsView, ColumnView } from "../../../src/api/index.ts";
import type { GridColumn } from "../../grid/blocks.ts";
import type { Lang } from "../../lib/format.ts";
import { usePage } from "../../lib/page.tsx";
import { SelectField, TextField, Tick } from "../../ui/controls.tsx";

type BulkKind = BulkChange["kind"];

/** In the order of the list. */
export const BULK_KINDS = [
  "price",
  "stock",
  "discount",
  "set",
  "replace",
  "affix",
  "copy",
  "template",
] as const satisfies readonly BulkKind[];

const ROUNDINGS = ["none", "00", "90", "99", "95", "50"] as const;
const ROUND_TOS = ["nearest", "up", "down"] as const;
const GIVES = ["percent", "amount", "price", "end"] as const;
const HOWS = ["add", "take", "set"] as const;

/** The fields of all kinds; columns are indexes as texts, empty for none. */
export interface BulkForm {
  readonly kind: BulkKind;
  readonly of: "list" | "discounted";
  readonly direction: "up" | "down";
  readonly by: "percent" | "amount";
  readonly amount: string;
  readonly rounding: (typeof ROUNDINGS)[number];
  readonly roundTo: (typeof ROUND_TOS)[number];
  readonly how: (typeof HOWS)[number];
  readonly pieces: string;
  readonly give: (typeof GIVES)[number];
  readonly column: string;
  readonly from: string;
  readonly value: string;
  readonly find: string;
  readonly replace: string;
  readonly inColumn: string;
  readonly isWholeCell: boolean;
  readonly before: string;
  readonly after: string;
  readonly template: string;
}

export const EMPTY_FORM: BulkForm = {
  kind: "price",
  of: "list",
  direction: "up",
  by: "percent",
  amount: "",
  rounding: "none",
  roundTo: "nearest",
  how: "add",
  pieces: "",
  give: "percent",
  column: "",
  from: "",
  value: "",
  find: "",
  replace: "",
  inColumn: "",
  isWholeCell: false,
  before: "",
  after: "",
  template: "",
};

const GROUPED = { ",": /^\d{1,3}(?:,\d{3})+$/u, ".": /^\d{1,3}(?:\.\d{3})+$/u };
const DECIMAL = { tr: ",", en: "." } as const;

/**
 * A typed amount as a decimal text with a point: `1.299,90` and `1299.9` in Turkish. `null` for what
 * is no amount, or could be two.
 */
export const parseAmount = (typed: string, lang: Lang): string | null => {
  const text = typed.replaceAll(/[\s%₺]|TL$/gu, "");
  const decimal = DECIMAL[lang];
  const group = decimal === "," ? "." : ",";
  const [whole = "", decimals, ...more] = text.split(decimal);
  if (more.length > 0) return null;
  const isGrouped = GROUPED[group].test(whole);
  const digits = isGrouped ? whole.replaceAll(group, "") : whole;
  const plain = decimals === undefined ? digits : `${digits}.${decimals}`;
  // The other sign stands before one or two decimals, where it cannot group thousands.
  const other = decimals === undefined && !isGrouped ? plain.replace(group, ".") : plain;
  return /^\d{1,10}(?:\.\d{1,2})?$/u.test(other) ? other : null;
};

/** Whether the fields that are needed have something, and what it comes to. */
type BulkResult =
  | { readonly state: "ready"; readonly change: BulkChange }
  | { readonly state: "open" }
  | { readonly state: "wrong" };

const OPEN: BulkResult = { state: "open" };
const WRONG: BulkResult = { state: "wrong" };
const ready = (change: BulkChange): BulkResult => ({ state: "ready", change });

const roundingOf = ({ rounding, roundTo }: BulkForm) =>
  rounding === "none" ? {} : { rounding: { ending: rounding, direction: roundTo } };

const toPrice = (form: BulkForm, lang: Lang): BulkResult => {
  if (form.amount.trim() === "") return OPEN;
  const amount = parseAmount(form.amount, lang);
  if (amount === null) return WRONG;
  const value = form.direction === "up" ? amount : `-${amount}`;
  return ready({ kind: "price", of: form.of, by: form.by, value, ...roundingOf(form) });
};

const toStock = ({ how, pieces }: BulkForm): BulkResult => {
  if (pieces.trim() === "") return OPEN;
  const isCount = /^\d{1,9}$/u.test(pieces.trim());
  return isCount ? ready({ kind: "stock", how, pieces: Number(pieces) }) : WRONG;
};

const toDiscount = (form: BulkForm, lang: Lang): BulkResult => {
  if (form.give === "end") return ready({ kind: "discount", give: null });
  if (form.amount.trim() === "") return OPEN;
  const value = parseAmount(form.amount, lang);
  if (value === null) return WRONG;
  const give = { as: form.give, value };
  if (form.give === "price") return ready({ kind: "discount", give });
  const isRounded = form.rounding !== "none";
  const isRate = Number(value) > 0 && Number(value) < 100 && (isRounded || !value.includes("."));
  if (form.give === "percent" && !isRate) return WRONG;
  return ready({ kind: "discount", give: { ...give, ...roundingOf(form) } });
};

const toReplace = ({ find, replace, inColumn, isWholeCell }: BulkForm): BulkResult =>
  find === ""
    ? OPEN
    : ready({
        kind: "replace",
        find,
        replace,
        isWholeCell,
        ...(inColumn === "" ? {} : { columns: [Number(inColumn)] }),
      });

/** Kinds that write texts into one column. */
const toColumnChange = (form: BulkForm): BulkResult => {
  if (form.column === "") return OPEN;
  const column = Number(form.column);
  const { kind, value, before, after, from, template } = form;
  if (kind === "set") return ready({ kind, column, value });
  if (kind === "affix") {
    return before === "" && after === "" ? OPEN : ready({ kind, column, before, after });
  }
  if (kind === "copy") {
    return from === "" || from === form.column
      ? OPEN
      : ready({ kind, from: Number(from), to: column });
  }
  return template === "" ? OPEN : ready({ kind: "template", column, template });
};

export const toBulkChange = (form: BulkForm, lang: Lang): BulkResult => {
  switch (form.kind) {
    case "price":
      return toPrice(form, lang);
    case "stock":
      return toStock(form);
    case "discount":
      return toDiscount(form, lang);
    case "replace":
      return toReplace(form);
    case "set":
    case "affix":
    case "copy":
    case "template":
      break;
  }
  return toColumnChange(form);
};

const hasField = (
  { columns }: Pick<ColumnsView, "columns">,
  ...fields: readonly string[]
): boolean => columns.some(({ field }) => field !== null && fields.includes(field));

/** Whether a column can hold a discount. */
export const canDiscount = (columns: Pick<ColumnsView, "columns">): boolean =>
  hasField(columns, "list_price") || hasField(columns, "discount_value");

/** The kinds for which the file has a column. */
export const listKinds = (columns: Pick<ColumnsView, "columns">): readonly BulkKind[] => {
  const needs: Readonly<Partial<Record<BulkKind, boolean>>> = {
    price: hasField(columns, "price", "list_price"),
    discount: hasField(columns, "price", "list_price"),
    stock: hasField(columns, "stock"),
  };
  return BULK_KINDS.filter((kind) => needs[kind] !== false);
};

/** How a template names a column; `null` for one that it cannot name. */
export const placeholderOf = ({
  header,
  field,
}: Pick<ColumnView, "header" | "field">): string | null => {
  const name = header.replace(/ \*$| \((?:salt okunur|read-only)\)$/u, "");
  if (name !== "" && !/[{}]/u.test(name)) return `{${name}}`;
  return field === null || field === "-" ? null : `{${field}}`;
};

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
