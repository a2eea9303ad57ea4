import { type ReactNode, useState } from "react";

import type { ReadingView } from "../../../src/api/index.ts";
import { usePage } from "../../lib/page.tsx";
import { Button } from "../../ui/button.tsx";
import { Tick } from "../../ui/field.tsx";
import type { ChangeReading } from "./file-step.tsx";
import { isOpenSetting } from "./open-setting.ts";
import { Mark } from "./setting-mark.tsx";
import { tickedSheets } from "./ticked-sheets.ts";

interface SheetSettingProps {
  readonly reading: ReadingView;
  readonly onChange: ChangeReading;
}

/** The sheets of a workbook, of which any may be read together. */
export const SheetSetting = ({ reading, onChange }: SheetSettingProps): ReactNode => {
  const { file } = usePage().texts;
  const read = tickedSheets(reading);
  if (reading.sheets.length < 2) {
    const isBook = reading.kind !== "csv" && reading.sheet !== null;
    return isBook ? (
      <p>{file.sheetsRead(reading.sheet.value.length, reading.sheet.value.join(", "))}</p>
    ) : null;
  }
  // Other ticks begin where other sheets were read.
  return (
    <SheetTicks key={JSON.stringify(read)} reading={reading} onChange={onChange} read={read} />
  );
};

interface SheetTicksProps extends SheetSettingProps {
  readonly read: readonly string[];
}

const SheetTicks = ({ reading, onChange, read }: SheetTicksProps): ReactNode => {
  const { file } = usePage().texts;
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set(read));
  const names = reading.sheets.map(({ name }) => name).filter((name) => ticked.has(name));
  const isRead = reading.sheet !== null && reading.problem === null;
  const isSame =
    isRead && names.length === read.length && names.every((name) => read.includes(name));
  const tick = (name: string, isTicked: boolean): void => {
    const others = [...ticked].filter((each) => each !== name);
    setTicked(new Set(isTicked ? [...others, name] : others));
  };
  return (
    <fieldset className="field encodings">
      <legend className="field-label">
        {file.sheets} <Mark setting={reading.sheet} isOpen={isOpenSetting(reading, "sheet")} />
      </legend>
      <small className="hint">{file.sheetsHint}</small>
      <div className="encoding-choices">
        {reading.sheets.map(({ name, rows, hasMoreRows }) => (
          <div key={name} className="sheet-choice">
            <Tick isTicked={ticked.has(name)} onChange={(isTicked) => tick(name, isTicked)}>
              <span className="encoding-sample">{name}</span>
              {rows === null ? null : (
                <span className="muted small">, {file.sheetRows(rows, hasMoreRows)}</span>
              )}
            </Tick>
          </div>
        ))}
      </div>
      <div className="line">
        <Button
          kind={isRead ? "plain" : "primary"}
          isDisabled={names.length === 0 || isSame}
          onPress={() => onChange({ sheet: names })}
        >
          {file.readSheets(names.length)}
        </Button>
        <Button kind="quiet" onPress={() => onChange({ sheet: "all" })}>
          {file.allSheets}
        </Button>
      </div>
    </fieldset>
  );
};
