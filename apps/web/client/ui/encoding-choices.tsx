import { type ReactNode, useId } from "react";

import { usePage } from "../lib/page.tsx";

interface EncodingChoicesProps {
  /** Each encoding with words of the file as it reads them. */
  readonly encodings: readonly { readonly encoding: string; readonly sample: string }[];
  readonly chosen: string | undefined;
  /** Stands behind the title. */
  readonly mark?: ReactNode;
  readonly onChoose: (encoding: string) => void;
}

/** Asks for the encoding of a file by the words that each one gives. */
export const EncodingChoices = ({
  encodings,
  chosen,
  mark,
  onChoose,
}: EncodingChoicesProps): ReactNode => {
  const { file } = usePage().texts;
  const name = useId();
  return (
    <fieldset className="field encodings">
      <legend className="field-label">
        {file.encoding} {mark}
      </legend>
      <small className="hint">{file.encodingHint}</small>
      <div className="encoding-choices">
        {encodings.map(({ encoding, sample }) => (
          <label key={encoding} className="encoding">
            <input
              type="radio"
              name={name}
              checked={chosen === encoding}
              onChange={() => onChoose(encoding)}
            />
            <span className="encoding-sample">{sample}</span>
            <span className="muted small">{encoding}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
};
