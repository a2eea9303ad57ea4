import type { ReactNode } from "react";

const SHAPES = {
  check: "M4 10.5l4 4 8-9",
  error: "M10 5.5v6M10 14.2v.3M10 2a8 8 0 100 16 8 8 0 000-16z",
  warning: "M10 7v4.5M10 14v.3M10 2.8L1.8 17h16.4z",
  info: "M10 9v5M10 6v.3M10 2a8 8 0 100 16 8 8 0 000-16z",
  upload: "M10 13.5V3.5M6 7l4-4 4 4M3.5 13v3.5h13V13",
  down: "M5 8l5 5 5-5",
  up: "M5 12l5-5 5 5",
  left: "M12 5l-5 5 5 5",
  right: "M8 5l5 5-5 5",
  close: "M5 5l10 10M15 5L5 15",
  undo: "M7 4L3.5 7.5 7 11M4 7.5h8a4.5 4.5 0 010 9H9",
  redo: "M13 4l3.5 3.5L13 11M16 7.5H8a4.5 4.5 0 000 9h3",
  search: "M9 3.5a5.5 5.5 0 100 11 5.5 5.5 0 000-11zM13 13l4 4",
  download: "M10 3v10M6 9.5l4 4 4-4M3.5 17h13",
  file: "M5 2.5h6.5L15.5 6.5v11H5zM11.5 2.5v4h4",
  pause: "M7 4.5v11M13 4.5v11",
  play: "M6 4l10 6-10 6z",
} as const;

export type IconName = keyof typeof SHAPES;

/** A drawing beside a text; it says nothing by itself. */
export const Icon = ({ name }: { readonly name: IconName }): ReactNode => (
  <svg className="icon" viewBox="0 0 20 20" aria-hidden="true" focusable="false">
    <path d={SHAPES[name]} />
  </svg>
);
