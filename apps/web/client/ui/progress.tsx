import type { ReactNode } from "react";

interface ProgressProps {
  readonly label: string;
  /** From 0 to 1; `null` where it is not known. */
  readonly part: number | null;
  readonly text?: string | undefined;
}

/** How far something is. */
export const Progress = ({ label, part, text }: ProgressProps): ReactNode => (
  <div className="progress">
    <div className="progress-line">
      <span>{label}</span>
      {text === undefined ? null : <span className="number">{text}</span>}
    </div>
    <div
      className={part === null ? "bar bar-open" : "bar"}
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={part === null ? undefined : Math.round(part * 100)}
      aria-valuetext={text}
    >
      <div className="bar-fill" style={part === null ? {} : { width: `${part * 100}%` }} />
    </div>
  </div>
);

/** Stands where something will be. */
export const Waiting = ({ text }: { readonly text: string }): ReactNode => (
  <p className="waiting" role="status">
    <span className="spinner" aria-hidden="true" />
    {text}
  </p>
);
