import type { ReactNode } from "react";

import { usePage } from "../lib/page.tsx";
import { Dialog } from "../ui/dialog.tsx";

interface HelpDialogProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** The six steps and the keys, on one page. */
export const HelpDialog = ({ isOpen, onClose }: HelpDialogProps): ReactNode => {
  const { help } = usePage().texts;
  return (
    <Dialog title={help.title} isOpen={isOpen} onClose={onClose}>
      <p>{help.intro}</p>
      <ol className="help-steps">
        {help.items.map((item) => (
          <li key={item}>{item}</li>
        ))}
      </ol>
      <h3>{help.keysTitle}</h3>
      <dl className="keys">
        {help.keys.map(([keys, does]) => (
          <div key={keys}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
};
