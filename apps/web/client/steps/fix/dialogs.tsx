/** The dialog of fields that new products lack. */

import { type ReactNode, useState } from "react";

import type { ColumnsView, FieldView } from "../../../src/api/index.ts";
import { usePage } from "../../lib/page.tsx";
import { goTo } from "../../lib/route.ts";
import { Button } from "../../ui/controls.tsx";
import { Dialog } from "../../ui/messages.tsx";

/** Fields that a new product needs and for which neither the file nor a person has a value. */
export const listLacked = ({ missing, defaults, forNew }: ColumnsView): readonly FieldView[] =>
  missing.filter(({ key }) => !Object.hasOwn(defaults, key) && !Object.hasOwn(forNew, key));

/** Names the dialog to the page that opens its step with it. */
export const MISSING_DIALOG = "missing";

interface MissingDialogProps {
  readonly draft: string;
  readonly columns: ColumnsView;
  readonly isOpen: boolean;
  readonly isBusy: boolean;
  readonly onAdd: (field: string) => void;
  readonly onClose: () => void;
}

interface AddButtonProps {
  readonly label: string;
  readonly isAdded: boolean;
  readonly isBusy: boolean;
  readonly onAdd: () => void;
}

const AddButton = ({ label, isAdded, isBusy, onAdd }: AddButtonProps): ReactNode => {
  const { fix } = usePage().texts;
  return isAdded ? (
    <Button kind="quiet" label={fix.columnAddedFor(label)} onPress={() => undefined}>
      {fix.columnAdded}
    </Button>
  ) : (
    <Button isBusy={isBusy} label={fix.addColumnFor(label)} onPress={onAdd}>
      {fix.addColumn}
    </Button>
  );
};

interface ValueButtonProps {
  readonly draft: string;
  readonly field: FieldView;
}

const ValueButton = ({ draft, field }: ValueButtonProps): ReactNode => {
  const { fix } = usePage().texts;
  const { label, isForAll, isForNew } = field;
  if (!isForAll && !isForNew) return null;
  return (
    <Button
      kind="quiet"
      label={fix.giveValueFor(label)}
      onPress={() => goTo({ page: "draft", id: draft, step: "columns" })}
    >
      {isForAll && isForNew ? fix.giveAny : isForAll ? fix.giveAll : fix.giveNew}
    </Button>
  );
};

/** What a new product lacks: each field may get a column, or a value on the step of columns. */
export const MissingDialog = ({
  draft,
  columns,
  isOpen,
  isBusy,
  onAdd,
  onClose,
}: MissingDialogProps): ReactNode => {
  const { fix } = usePage().texts;
  const [asked, setAsked] = useState<readonly string[]>([]);
  const lacked = new Set(listLacked(columns).map(({ key }) => key));
  // A field stays in the list once it has its column, so that the focus stays on its button.
  const shown = columns.fields.filter(({ key }) => lacked.has(key) || asked.includes(key));
  const close = (): void => {
    setAsked([]);
    onClose();
  };
  const add = (key: string): void => {
    setAsked((keys) => [...keys, key]);
    onAdd(key);
  };
  return (
    <Dialog title={fix.missingTitle} size="wide" isOpen={isOpen} onClose={close}>
      <p className="muted">{fix.missingIntro}</p>
      <ul className="missing-fields">
        {shown.map((field) => (
          <li key={field.key}>
            <strong>{field.label}</strong>
            <AddButton
              label={field.label}
              isAdded={!lacked.has(field.key)}
              isBusy={isBusy && asked.includes(field.key)}
              onAdd={() => add(field.key)}
            />
            <ValueButton draft={draft} field={field} />
          </li>
        ))}
      </ul>
    </Dialog>
  );
};
