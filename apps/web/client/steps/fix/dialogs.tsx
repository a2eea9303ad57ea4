/** The dialogs of the table: missing fields, and replacing a text. */

import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";

import type { ColumnsView, DraftView, FieldView, BulkPreviewView } from "../../../src/api/index.ts";
import type { GridColumn } from "../../grid/blocks.ts";
import { usePage } from "../../lib/page.tsx";
import { draftPath, useDebounced } from "../../lib/queries.ts";
import { requestJson } from "../../lib/requests.ts";
import { goTo } from "../../lib/route.ts";
import { Button, SelectField, TextField, Tick } from "../../ui/controls.tsx";
import { Dialog, Failure } from "../../ui/messages.tsx";
import { TableHead } from "../../ui/sections.tsx";
import type { Edits } from "./edits.ts";

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

interface Replacing {
  readonly find: string;
  readonly replace: string;
  readonly columns?: readonly number[];
  readonly isWholeCell: boolean;
}

const usePreview = (draft: DraftView, replacing: Replacing, isOpen: boolean) => {
  const { lang } = usePage();
  const settled = useDebounced(replacing, 300);
  return useQuery({
    queryKey: ["replace", draft.id, draft.version, settled],
    queryFn: ({ signal }) =>
      requestJson<BulkPreviewView>(`${draftPath(draft.id)}/bulk`, {
        lang,
        signal,
        method: "POST",
        body: {
          change: { kind: "replace", ...settled },
          scope: {},
          version: draft.version,
          isPreview: true,
        },
      }),
    enabled: isOpen && settled.find !== "",
    gcTime: 0,
  });
};

const Samples = ({
  preview,
  columns,
}: {
  readonly preview: BulkPreviewView;
  readonly columns: readonly GridColumn[];
}): ReactNode => {
  const { fix } = usePage().texts;
  if (preview.cells === 0) return <p className="muted">{fix.replaceNone}</p>;
  const headerOf = (index: number): string =>
    columns.find(({ column }) => column.index === index)?.column.header ?? "";
  return (
    <>
      <p role="status">
        {preview.isTooMany ? fix.replaceTooMany : fix.replaceCount(preview.cells, preview.rows)}
      </p>
      <table className="table">
        <TableHead columns={[fix.row, fix.column, fix.before, fix.after]} />
        <tbody>
          {preview.samples.map((sample) => (
            <tr key={`${sample.row}:${sample.column}`}>
              <td className="number">{sample.row}</td>
              <td>{headerOf(sample.column)}</td>
              <td className="old">{sample.before}</td>
              <td className="new">{sample.after}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
};

interface ReplaceDialogProps {
  readonly draft: DraftView;
  readonly columns: readonly GridColumn[];
  readonly edits: Edits;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

const EVERYWHERE = "";

const useReplacing = () => {
  const [find, setFind] = useState("");
  const [replace, setReplace] = useState("");
  const [column, setColumn] = useState(EVERYWHERE);
  const [isWholeCell, setIsWholeCell] = useState(false);
  const body: Replacing = {
    find,
    replace,
    isWholeCell,
    ...(column === EVERYWHERE ? {} : { columns: [Number(column)] }),
  };
  return { body, column, setFind, setReplace, setColumn, setIsWholeCell };
};

export const ReplaceDialog = ({
  draft,
  columns,
  edits,
  isOpen,
  onClose,
}: ReplaceDialogProps): ReactNode => {
  const { fix } = usePage().texts;
  const { body, column, ...set } = useReplacing();
  const preview = usePreview(draft, body, isOpen);
  const canReplace =
    preview.data !== undefined && preview.data.cells > 0 && !preview.data.isTooMany;
  const replace = (): void => {
    edits.bulk({ change: { kind: "replace", ...body }, scope: {} });
    onClose();
  };
  const choices = columns.map(({ column: { index, header, letter } }) => ({
    value: String(index),
    label: header === "" ? letter : header,
  }));
  return (
    <Dialog
      title={fix.replaceTitle}
      isOpen={isOpen}
      onClose={onClose}
      size="wide"
      confirm={{ isDisabled: !canReplace, onPress: replace, children: fix.replaceGo }}
    >
      <div className="replace-fields">
        <TextField label={fix.find} value={body.find} onChange={set.setFind} />
        <TextField label={fix.replace} value={body.replace} onChange={set.setReplace} />
        <SelectField
          label={fix.inColumns}
          value={column}
          onChange={set.setColumn}
          choices={[{ value: EVERYWHERE, label: fix.everywhere }, ...choices]}
        />
      </div>
      <Tick isTicked={body.isWholeCell} onChange={set.setIsWholeCell}>
        {fix.wholeCell}
      </Tick>
      <Failure error={preview.error} />
      {preview.data === undefined ? null : <Samples preview={preview.data} columns={columns} />}
    </Dialog>
  );
};
