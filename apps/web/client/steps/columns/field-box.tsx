import type { ReactNode } from "react";
import { Button, ComboBox, Input, ListBox, ListBoxItem, Popover } from "react-aria-components";

import type { ColumnView, FieldView } from "../../../src/api/index.ts";
import { foldText } from "../../lib/fold-text.ts";
import { usePage } from "../../lib/page.tsx";
import { Icon } from "../../ui/icon.tsx";

interface FieldBoxProps {
  readonly label: string;
  readonly column: ColumnView;
  readonly fields: readonly FieldView[];
  readonly onChoose: (field: string) => void;
}

const matches = (text: string, typed: string): boolean => foldText(text).includes(foldText(typed));

/** Chooses a field by a search in its name. */
export const FieldBox = ({ label, column, fields, onChoose }: FieldBoxProps): ReactNode => {
  const { columns: words } = usePage().texts;
  const isKnown = fields.some(({ key }) => key === column.field);
  const own =
    column.field !== null && column.field !== "-" && !isKnown
      ? [{ key: column.field, label: column.label, isRequired: false }]
      : [];
  const choices = [{ key: "-", label: words.leaveOut, isRequired: false }, ...own, ...fields];
  return (
    <ComboBox
      key={`${column.field}`}
      className="combo"
      aria-label={label}
      menuTrigger="focus"
      defaultSelectedKey={column.field}
      defaultItems={choices}
      defaultFilter={matches}
      onSelectionChange={(key) => {
        if (key !== null && key !== column.field) onChoose(String(key));
      }}
    >
      <div className="combo-line">
        <Input className="input" placeholder={words.choose} />
        <Button className="combo-button" aria-label={words.choose}>
          <Icon name="down" />
        </Button>
      </div>
      <Popover className="popover">
        <ListBox className="choices">
          {(field: FieldView) => (
            <ListBoxItem
              id={field.key}
              textValue={field.label}
              className={field.key === "-" ? "choice choice-out" : "choice"}
            >
              {field.label}
              {field.isRequired ? <span className="muted small"> · {words.required}</span> : null}
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </ComboBox>
  );
};
