import type { ReactNode } from "react";

import type { IssueView } from "../../../src/api/index.ts";
import { usePage } from "../../lib/page.tsx";
import { Button } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";

interface FixesProps {
  readonly fixes: readonly string[];
  /** Text of the cell as it is. */
  readonly text: string;
  /** Text of the cell as it is shown. */
  readonly shown: string;
  readonly onFix: (value: string) => void;
}

/** Each button says what will stand in the cell, and its name also what stands there now. */
const Fixes = ({ fixes, text, shown, onFix }: FixesProps): ReactNode => {
  const { fix } = usePage().texts;
  const nameOf = (value: string): string => {
    if (value === "") return fix.makeEmpty;
    return value === text ? fix.keepAsText(value) : value;
  };
  return (
    <div className="fixes">
      <span className="muted">{text === "" ? fix.fixEmpty : fix.fixInstead(shown)}</span>
      {fixes.map((value) => (
        <button
          key={value}
          type="button"
          className="fix-button"
          aria-label={fix.fixTo(shown, nameOf(value))}
          onClick={() => onFix(value)}
        >
          {nameOf(value)}
        </button>
      ))}
    </div>
  );
};

interface IssueProps extends Pick<FixesProps, "text" | "shown"> {
  readonly issue: IssueView;
  readonly title?: string | undefined;
  readonly onFix: ((value: string) => void) | null;
  /** Opens the list of names that are not known. */
  readonly onNames: () => void;
  /** Opens the list of missing fields; `null` where the issue is about something else. */
  readonly onMissing: (() => void) | null;
}

/** Whether the row's other cells decide which name is meant, as the list of names shows. */
const isNamed = ({ code }: IssueView): boolean => code === "E_CATEGORY_AMBIGUOUS";

/** Whether the suggestion only lists what the buttons say. */
const isListed = ({ suggestion, fixes }: IssueView): boolean =>
  fixes.length > 0 && fixes.every((fix) => fix !== "" && suggestion?.includes(`“${fix}”`) === true);

/** An issue, and buttons with the values that would correct its cell. */
export const Issue = ({
  issue,
  text,
  shown,
  title,
  onFix,
  onNames,
  onMissing,
}: IssueProps): ReactNode => {
  const { fix } = usePage().texts;
  return (
    <div className={`issue issue-${issue.severity}`}>
      <Icon name={issue.severity} />
      <div>
        <p>
          <strong>{issue.severity === "error" ? fix.error : fix.warning}</strong>
          {title === undefined ? "" : ` · ${title}`}: {issue.message}
        </p>
        {issue.suggestion === null || isListed(issue) || isNamed(issue) ? null : (
          <p className="muted">{issue.suggestion}</p>
        )}
        {isNamed(issue) ? <Button onPress={onNames}>{fix.chooseCategory}</Button> : null}
        {onMissing === null ? null : <Button onPress={onMissing}>{fix.giveLacked}</Button>}
        {onFix === null || issue.fixes.length === 0 ? null : (
          <Fixes fixes={issue.fixes} text={text} shown={shown} onFix={onFix} />
        )}
      </div>
    </div>
  );
};
