import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";

import type { DraftView, ReplacePreview } from "../../../src/api/index.ts";
import type { GridColumn } from "../../grid/grid-columns.ts";
import { usePage } from "../../lib/page.tsx";
import { draftPath } from "../../lib/queries.ts";
import { requestJson } from "../../lib/requests.ts";
import { useDebounced } from "../../lib/use-debounced.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { SelectField, TextField, Tick } from "../../ui/field.tsx";
import { Failure } from "../../ui/message.tsx";
import type { Edits } from "./use-edits.ts";

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
      requestJson<ReplacePreview>(`${draftPath(draft.id)}/replace`, {
        lang,
        signal,
        method: "POST",
        body: { ...settled, version: draft.version, isPreview: true },
      }),
    enabled: isOpen && settled.find !== "",
    gcTime: 0,
  });
};

const Samples = ({
  preview,
  columns,
}: {
  readonly preview: ReplacePreview;
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
        <thead>
          <tr>
            <th scope="col">{fix.row}</th>
            <th scope="col">{fix.column}</th>
            <th scope="col">{fix.before}</th>
            <th scope="col">{fix.after}</th>
          </tr>
        </thead>
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

/** Replaces a text in all rows, after showing what would change. */
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
    edits.replace({ ...body, isPreview: false });
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
      isWide
      actions={
        <Button kind="primary" isDisabled={!canReplace} onPress={replace}>
          {fix.replaceGo}
        </Button>
      }
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
