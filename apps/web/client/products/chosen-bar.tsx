/** What can be done with the products that are chosen. */

import { type ReactNode, useState } from "react";

import type { ProductExportBody, ProductFilter, ProductSelection } from "../../src/api/index.ts";
import { countTicked, type Ticked } from "../grid/ticks.ts";
import { usePage } from "../lib/page.tsx";
import { useExportProducts, useOpenDraft } from "../lib/products.ts";
import { goTo } from "../lib/route.ts";
import { Button, SelectField } from "../ui/controls.tsx";
import { Dialog, Failure } from "../ui/messages.tsx";
import { FieldsMenu, type FurtherField, toColumns } from "./edit-fields.tsx";

/** The chosen products as the server is told: the filter where all that it lists are chosen. */
export const toSelection = (
  ticked: Ticked,
  order: Uint32Array,
  filter: ProductFilter,
): ProductSelection =>
  ticked.size === order.length && countTicked(ticked, order) === order.length
    ? { filter }
    : { numbers: [...ticked] };

const FORMATS = ["xlsx", "csv", "jsonl"] as const;

interface ExportDialogProps {
  readonly count: number;
  readonly selection: () => ProductSelection;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

const ExportDialog = ({ count, selection, isOpen, onClose }: ExportDialogProps): ReactNode => {
  const { texts } = usePage();
  const words = texts.products;
  const [format, setFormat] = useState<ProductExportBody["format"]>("xlsx");
  const start = useExportProducts(() => goTo({ page: "exports" }));
  return (
    <Dialog
      title={words.exportTitle(count)}
      isOpen={isOpen}
      onClose={onClose}
      confirm={{
        children: words.exportGo,
        icon: "download",
        isBusy: start.isPending,
        onPress: () => start.mutate({ products: selection(), format, columns: [] }),
      }}
    >
      <Failure error={start.error} />
      <SelectField
        label={texts.work.exports.format}
        value={format}
        choices={FORMATS.map((value) => ({ value, label: texts.work.exports.formats[value] }))}
        onChange={(value) => setFormat(FORMATS.find((one) => one === value) ?? format)}
      />
    </Dialog>
  );
};

interface ChosenBarProps {
  readonly ticked: Ticked;
  readonly order: Uint32Array;
  readonly filter: ProductFilter;
  /** Number of all products of the store. */
  readonly total: number;
  readonly onClear: () => void;
}

const Counts = ({ ticked, order, total }: ChosenBarProps): ReactNode => {
  const words = usePage().texts.products;
  if (ticked.size === 0) {
    return (
      <>
        {words.found(order.length, total)}
        <span className="muted chosen-hint">{words.chooseFirst}</span>
      </>
    );
  }
  const hidden = ticked.size - countTicked(ticked, order);
  return (
    <>
      <strong>{words.chosen(ticked.size)}</strong>
      {hidden === 0 ? null : <span className="muted">{words.hidden(hidden)}</span>}
    </>
  );
};

/** Always there, so that choosing the first product moves nothing. */
export const ChosenBar = (props: ChosenBarProps): ReactNode => {
  const { ticked, order, filter, onClear } = props;
  const words = usePage().texts.products;
  const [isExporting, setIsExporting] = useState(false);
  const [further, setFurther] = useState<ReadonlySet<FurtherField>>(new Set());
  const edit = useOpenDraft((id) => goTo({ page: "draft", id, step: "fix" }));
  const fields = further.size === 0 ? undefined : toColumns(further);
  const selection = (): ProductSelection => toSelection(ticked, order, filter);
  return (
    <section className="chosen-bar" aria-label={words.bar}>
      <Failure error={edit.error} />
      <div className="chosen-line">
        <p className="chosen-count" role="status">
          <Counts {...props} />
        </p>
        {ticked.size === 0 ? null : (
          <div className="chosen-actions">
            <Button kind="quiet" icon="close" label={words.clear} onPress={onClear}>
              <span className="wide-only">{words.clear}</span>
            </Button>
            <Button icon="download" label={words.export} onPress={() => setIsExporting(true)}>
              <span className="wide-only">{words.export}</span>
            </Button>
            <FieldsMenu chosen={further} onChoose={setFurther} />
            <Button
              kind="primary"
              isBusy={edit.isPending}
              onPress={() => edit.mutate({ products: selection(), fields })}
            >
              {words.edit}
            </Button>
          </div>
        )}
      </div>
      <ExportDialog
        count={ticked.size}
        selection={selection}
        isOpen={isExporting}
        onClose={() => setIsExporting(false)}
      />
    </section>
  );
};
