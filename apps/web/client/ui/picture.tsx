/**
 * Images of products, of cells of drafts and of rows of runs: always thumbnails of the page's own
 * server, which knows where the originals are. One that is not there yet is asked for again.
 */

import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from "react";
import { createPortal } from "react-dom";

import { inStore } from "../lib/place.ts";

/** Where the images stand. `version` is whatever changes with them, so that the browser keeps them. */
type PictureOf =
  | { readonly product: number; readonly version?: string }
  | {
      readonly draft: string;
      readonly row: number;
      readonly column?: number;
      readonly version?: string;
    }
  | { readonly run: string; readonly row: number };

interface AddressOptions {
  readonly size?: "small" | "large";
  /** Which of several images. @default the first one, 0 */
  readonly n?: number;
}

/** The address of a thumbnail. */
export const pictureAddress = (
  of: PictureOf,
  { size = "small", n = 0 }: AddressOptions = {},
): string => {
  const query = new URLSearchParams({ size });
  if ("row" in of) query.set("row", String(of.row));
  if ("column" in of && of.column !== undefined) query.set("column", String(of.column));
  if (n > 0) query.set("n", String(n));
  if ("version" in of && of.version !== undefined) query.set("v", of.version);
  return `${pathOf(of)}/image?${query.toString()}`;
};

const pathOf = (of: PictureOf): string => {
  if ("product" in of) return `/api/products/${of.product}`;
  return "draft" in of ? `/api/drafts/${of.draft}` : `/api/runs/${of.run}`;
};

/** When an image is asked for again; the server has answered that there is none, or none yet. */
const AGAIN_MS = [600, 1_500, 4_000, 12_000];

/** Rows that are gone before asked for no image: scrolling passes a hundred of them a second. */
const STANDS_AFTER_MS = 120;

interface ThumbnailProps {
  readonly address: string;
  readonly alt: string;
}

/** Draws nothing where there is no image; its box stays. */
const Thumbnail = ({ address, alt }: ThumbnailProps): ReactNode => {
  const [tries, setTries] = useState(0);
  const [state, setState] = useState<"passes" | "waits" | "shown" | "failed">("passes");
  useEffect(() => {
    const timer = setTimeout(() => setState("waits"), STANDS_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  useEffect(() => {
    const delayMs = AGAIN_MS[tries];
    if (state !== "failed" || delayMs === undefined) return undefined;
    const timer = setTimeout(() => {
      setTries(tries + 1);
      setState("waits");
    }, delayMs);
    return () => clearTimeout(timer);
  }, [state, tries]);
  if (state === "passes" || state === "failed") return null;
  return (
    <img
      src={tries === 0 ? address : `${address}&again=${tries}`}
      alt={alt}
      loading="lazy"
      decoding="async"
      fetchPriority="low"
      draggable={false}
      className={state === "shown" ? "picture-shown" : undefined}
      onLoad={() => setState("shown")}
      onError={() => setState("failed")}
    />
  );
};

/** Where a large image stands beside a small one without covering it. */
export const placeBeside = (
  box: Pick<DOMRect, "left" | "right" | "top">,
  {
    width,
    height,
    edge,
  }: { readonly width: number; readonly height: number; readonly edge: number },
): { readonly left: number; readonly top: number } => {
  const gap = 8;
  const right = box.right + gap;
  const left = right + edge <= width ? right : Math.max(gap, box.left - gap - edge);
  return { left, top: Math.max(gap, Math.min(box.top, height - edge - gap)) };
};

const PEEK_EDGE = 320;

/** The large image beside the small one; what it shows is said by the text beside the small one. */
const Peek = ({
  of,
  n,
  anchor,
}: Pick<PictureProps, "of" | "n"> & { anchor: Element }): ReactNode => {
  const peek = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (peek.current === null) return;
    const { innerWidth: width, innerHeight: height } = globalThis;
    const box = anchor.getBoundingClientRect();
    const { left, top } = placeBeside(box, { width, height, edge: PEEK_EDGE });
    peek.current.style.left = `${left}px`;
    peek.current.style.top = `${top}px`;
  }, [anchor]);
  return createPortal(
    <div ref={peek} className="picture-peek" aria-hidden="true">
      <Picture of={of} n={n} look="large" />
    </div>,
    document.body,
  );
};

/** A pointer that only crosses the box opens nothing. */
const PEEK_AFTER_MS = 250;

interface PictureProps {
  readonly of: PictureOf;
  /** `row` fits a row of a table, `card` a card; `large` fills the width that it has. */
  readonly look?: "row" | "card" | "large";
  /** Which of several images. @default the first one, 0 */
  readonly n?: number | undefined;
  /** @default nothing, as the title stands beside */
  readonly alt?: string;
}

/** An image in a box that keeps its size, with a larger one under the pointer. */
export const Picture = ({ of, look = "row", n = 0, alt = "" }: PictureProps): ReactNode => {
  const [anchor, setAnchor] = useState<Element | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const address = inStore(pictureAddress(of, { size: look === "large" ? "large" : "small", n }));
  const close = (): void => {
    clearTimeout(timer.current);
    setAnchor(null);
  };
  return (
    <span
      className={`picture picture-${look}`}
      onPointerEnter={({ pointerType, currentTarget }) => {
        if (look === "large" || pointerType !== "mouse") return;
        timer.current = setTimeout(() => {
          if (currentTarget.querySelector(".picture-shown") !== null) setAnchor(currentTarget);
        }, PEEK_AFTER_MS);
      }}
      onPointerLeave={close}
      onPointerDown={close}
    >
      <Thumbnail key={address} address={address} alt={alt} />
      {anchor === null ? null : <Peek of={of} n={n} anchor={anchor} />}
    </span>
  );
};
