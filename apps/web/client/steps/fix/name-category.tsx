import { type ReactNode, useState } from "react";

import type { NameView } from "../../../src/api/index.ts";
import { usePage } from "../../lib/page.tsx";
import { Button } from "../../ui/button.tsx";
import { NameOptions } from "./name-options.tsx";

interface NameCategoryProps {
  readonly draft: string;
  readonly name: NameView;
  readonly isBusy: boolean;
  /** Takes another category for the rows of the name. */
  readonly onChange: (target: string) => void;
}

/** The category in which a name is looked up, and the way to another one. */
export const NameCategory = ({ draft, name, isBusy, onChange }: NameCategoryProps): ReactNode => {
  const { fix } = usePage().texts;
  const { category } = name;
  const [isOpen, setIsOpen] = useState(false);
  const [target, setTarget] = useState<string | null>(null);
  if (category === null) return null;
  const { path, column, isAnswered, choices } = category;
  return (
    <>
      <p className="small">
        {isAnswered ? fix.nameAnswered(path) : fix.nameCategory(path)}{" "}
        {column === null || isOpen ? null : (
          <Button kind="quiet" onPress={() => setIsOpen(true)}>
            {fix.otherCategory}
          </Button>
        )}
      </p>
      {isOpen ? (
        <div className="card stack-tight">
          <NameOptions
            draft={draft}
            row={name.row}
            column={column}
            value={path}
            choices={choices}
            target={target}
            onTarget={setTarget}
          />
          {target === null ? null : <p className="small">{fix.willMove(name.rows, target)}</p>}
          <div className="name-actions">
            <Button kind="quiet" onPress={() => setIsOpen(false)}>
              {fix.keepCategory}
            </Button>
            <Button
              isBusy={isBusy}
              isDisabled={target === null}
              onPress={() => target !== null && onChange(target)}
            >
              {fix.takeCategory}
            </Button>
          </div>
        </div>
      ) : null}
    </>
  );
};
