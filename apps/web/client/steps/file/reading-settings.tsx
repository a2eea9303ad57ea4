import type { ReactNode } from "react";

import type { ReadingView } from "../../../src/api/index.ts";
import { usePage } from "../../lib/page.tsx";
import { EncodingChoices } from "../../ui/encoding-choices.tsx";
import { SelectField } from "../../ui/field.tsx";
import type { ChangeReading } from "./file-step.tsx";
import { isOpenSetting } from "./open-setting.ts";
import { Mark } from "./setting-mark.tsx";
import { SheetSetting } from "./sheet-setting.tsx";

interface SettingsProps {
  readonly reading: ReadingView;
  readonly onChange: ChangeReading;
}

/** The encoding of a file that was read at once, and others in case its letters are wrong. */
const EncodingList = ({ reading, onChange }: SettingsProps): ReactNode => {
  const { file } = usePage().texts;
  const used = reading.encoding?.value ?? "";
  const names: Readonly<Record<string, string>> = file.encodings;
  const known = reading.encodings.map(({ encoding }) => encoding);
  const all = known.includes(used) || used === "" ? known : [used, ...known];
  const own = all.map((value) => ({ value, label: names[value] ?? value }));
  return (
    <SelectField
      label={file.encoding}
      mark={<Mark setting={reading.encoding} isOpen={isOpenSetting(reading, "encoding")} />}
      value={used}
      choices={[{ value: "", label: file.byItself }, ...own]}
      onChange={(encoding) => onChange({ encoding: encoding === "" ? null : encoding })}
    />
  );
};

const EncodingSetting = ({ reading, onChange }: SettingsProps): ReactNode => {
  if (reading.encodings.length === 0) return null;
  if (reading.encodings.every(({ sample }) => sample === "")) {
    return <EncodingList reading={reading} onChange={onChange} />;
  }
  return (
    <EncodingChoices
      encodings={reading.encodings}
      chosen={reading.encoding?.value}
      mark={<Mark setting={reading.encoding} isOpen={isOpenSetting(reading, "encoding")} />}
      onChoose={(encoding) => onChange({ encoding })}
    />
  );
};

const DelimiterSetting = ({ reading, onChange }: SettingsProps): ReactNode => {
  const { file } = usePage().texts;
  if (reading.kind !== "csv") return null;
  const known = Object.entries(file.delimiters).map(([value, label]) => ({ value, label }));
  const chosen = reading.delimiter?.value ?? "";
  const isOwn = chosen !== "" && !known.some(({ value }) => value === chosen);
  const own = isOwn ? [{ value: chosen, label: chosen }] : [];
  return (
    <SelectField
      label={file.delimiter}
      mark={<Mark setting={reading.delimiter} isOpen={isOpenSetting(reading, "delimiter")} />}
      value={chosen}
      choices={[{ value: "", label: file.byItself }, ...own, ...known]}
      onChange={(delimiter) => onChange({ delimiter: delimiter === "" ? null : delimiter })}
    />
  );
};

const HeaderSetting = ({ reading, onChange }: SettingsProps): ReactNode => {
  const { file } = usePage().texts;
  if (reading.preview.length === 0) return null;
  const chosen = reading.headerRow?.value;
  const none = chosen === undefined ? [{ value: "", label: file.open }] : [];
  const rows = new Set([
    ...reading.preview.map(({ row }) => row),
    ...(chosen === undefined ? [] : [chosen]),
  ]);
  return (
    <SelectField
      label={file.header}
      mark={<Mark setting={reading.headerRow} isOpen={isOpenSetting(reading, "headerRow")} />}
      value={chosen === undefined ? "" : String(chosen)}
      choices={[
        ...none,
        ...[...rows].map((row) => ({ value: String(row), label: file.headerRow(row) })),
      ]}
      onChange={(row) => onChange({ headerRow: row === "" ? null : Number(row) })}
    />
  );
};

const DecimalSetting = ({ reading, onChange }: SettingsProps): ReactNode => {
  const { file } = usePage().texts;
  const isGuessed = reading.decimal === null;
  return (
    <SelectField
      label={file.decimal}
      mark={<Mark setting={{ value: reading.decimal, isGuessed }} isOpen={false} />}
      value={reading.decimal ?? "auto"}
      choices={[
        { value: "auto", label: file.decimals.auto },
        { value: "comma", label: file.decimals.comma },
        { value: "point", label: file.decimals.point },
      ]}
      onChange={(value) =>
        onChange({ decimal: value === "comma" || value === "point" ? value : null })
      }
    />
  );
};

/** How the file is read, each setting with whether it was guessed. */
export const ReadingSettings = (props: SettingsProps): ReactNode => {
  const { file } = usePage().texts;
  return (
    <div className="card settings">
      <h2 className="unseen">{file.settings}</h2>
      <SheetSetting {...props} />
      <DelimiterSetting {...props} />
      <HeaderSetting {...props} />
      <DecimalSetting {...props} />
      <EncodingSetting {...props} />
    </div>
  );
};
