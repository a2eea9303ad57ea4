/** Images of products: simple drawings, each by the name of its file alone, so that they never change. */

import { crc32, deflateSync } from "node:zlib";

import { pickNumber } from "../catalog/names.ts";

const EDGE = 240;

/** A part of a drawing: a box with round corners, in units of the edge around its middle. */
interface Part {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly corner: number;
  /** Lightness of the part, from 0 to 1. */
  readonly light: number;
}

const part = (
  [x, y, width, height]: readonly [number, number, number, number],
  corner: number,
  light: number,
): Part => ({ x, y, width, height, corner, light });

/** A bottle, a box, a lamp, a phone, a cup and a clock; later parts cover earlier ones. */
const SHAPES: readonly (readonly Part[])[] = [
  [
    part([0, -0.27, 0.09, 0.14], 0.02, 0.32),
    part([0, -0.17, 0.07, 0.1], 0.01, 0.5),
    part([0, 0.09, 0.25, 0.46], 0.06, 0.5),
    part([0, 0.12, 0.25, 0.18], 0, 0.86),
  ],
  [
    part([0, 0.03, 0.52, 0.44], 0.025, 0.55),
    part([0, -0.14, 0.52, 0.1], 0.025, 0.42),
    part([0, 0.03, 0.09, 0.44], 0, 0.74),
  ],
  [
    part([0, 0.06, 0.03, 0.4], 0.01, 0.35),
    part([0, 0.27, 0.26, 0.04], 0.02, 0.35),
    part([0, -0.17, 0.36, 0.24], 0.1, 0.62),
  ],
  [part([0, 0, 0.3, 0.58], 0.045, 0.26), part([0, -0.01, 0.26, 0.48], 0.015, 0.66)],
  [
    part([0.18, 0.02, 0.2, 0.22], 0.1, 0.5),
    part([0.17, 0.02, 0.11, 0.12], 0.055, 0.96),
    part([-0.03, 0.02, 0.34, 0.36], 0.05, 0.55),
    part([-0.03, -0.14, 0.34, 0.04], 0.02, 0.42),
  ],
  [
    part([0, 0, 0.54, 0.54], 0.27, 0.35),
    part([0, 0, 0.46, 0.46], 0.23, 0.9),
    part([0, -0.08, 0.025, 0.18], 0.01, 0.3),
    part([0.06, 0, 0.14, 0.025], 0.01, 0.3),
  ],
];

const PAPER_LIGHT = 0.96;
const HUES = 24;
/** Shades of a drawing. */
const LIGHTS = 255;

/** Draws the image of a file as a PNG. Files that differ only in their last number have one shape. */
export function drawProduct(name: string): Uint8Array {
  const product = name.replace(/-\d+\.[a-z]+$/u, "");
  const shape = SHAPES[pickNumber(SHAPES.length, "shape", product)] ?? [];
  const hue = pickNumber(HUES, "hue", name) / HUES;
  const colours = Array.from({ length: LIGHTS + 1 }, (_, light) => toColour(hue, light / LIGHTS));
  const rows = new Uint8Array(EDGE * (1 + EDGE * 3));
  for (let row = 0; row < EDGE; row += 1) {
    for (let column = 0; column < EDGE; column += 1) {
      const light = lightAt(shape, (column + 0.5) / EDGE - 0.5, (row + 0.5) / EDGE - 0.5);
      const colour = colours[Math.round(light * LIGHTS)] ?? [];
      rows.set(colour, row * (1 + EDGE * 3) + 1 + column * 3);
    }
  }
  return toPng(rows);
}

function lightAt(shape: readonly Part[], x: number, y: number): number {
  let light = PAPER_LIGHT;
  for (const each of shape) {
    const covered = Math.min(1, Math.max(0, 0.5 - distanceTo(each, x, y) * EDGE));
    light += (each.light - light) * covered;
  }
  return light;
}

/** Distance of a point to the edge of a part; negative inside. */
function distanceTo({ width, height, corner, ...middle }: Part, x: number, y: number): number {
  const beside = Math.abs(x - middle.x) - width / 2 + corner;
  const above = Math.abs(y - middle.y) - height / 2 + corner;
  // Only beyond a corner is the distance not straight; the square root is not needed elsewhere.
  if (beside <= 0 || above <= 0) return Math.max(beside, above) - corner;
  return Math.sqrt(beside * beside + above * above) - corner;
}

/** Red, green and blue of a hue; what is light has little of it. */
function toColour(hue: number, light: number): readonly [number, number, number] {
  const strength = 0.5 * Math.min(light, 1 - light);
  const channel = (offset: number): number => {
    const at = (offset + hue * 12) % 12;
    return Math.round(255 * (light - strength * Math.max(-1, Math.min(at - 3, 9 - at, 1))));
  };
  return [channel(0), channel(8), channel(4)];
}

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** Packs rows of three bytes a pixel, each after the byte of its filter (PNG specification, 7.2). */
function toPng(rows: Uint8Array): Uint8Array {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(EDGE, 0);
  header.writeUInt32BE(EDGE, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const chunks = [
    toChunk("IHDR", header),
    toChunk("IDAT", deflateSync(rows)),
    toChunk("IEND", Buffer.alloc(0)),
  ];
  return Buffer.concat([SIGNATURE, ...chunks]);
}

function toChunk(kind: string, body: Uint8Array): Uint8Array {
  const named = Buffer.concat([Buffer.from(kind, "latin1"), body]);
  const chunk = Buffer.alloc(named.length + 8);
  chunk.writeUInt32BE(body.length, 0);
  chunk.set(named, 4);
  chunk.writeUInt32BE(crc32(named), named.length + 4);
  return chunk;
}
