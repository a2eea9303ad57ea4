/** Images for tests, generated when they are needed. */

import { crc32, deflateSync } from "node:zlib";

import sharp, { type Sharp } from "sharp";

/** A drawing whose shapes differ with the seed. */
export function drawing(width: number, height: number, seed = 1): Sharp {
  const shapes = Array.from({ length: 12 }, (_, index) => {
    const at = (prime: number): number => ((index + 1) * seed * prime) % 97;
    const x = (at(31) / 97) * width;
    const y = (at(53) / 97) * height;
    const colour = `hsl(${at(71) * 3}, 70%, ${20 + (at(13) % 60)}%)`;
    return `<ellipse cx="${x}" cy="${y}" rx="${width / 6}" ry="${height / 7}" fill="${colour}"/>`;
  });
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
    <rect width="100%" height="100%" fill="#ddd"/>${shapes.join("")}</svg>`;
  return sharp(Buffer.from(svg));
}

/** A JPEG of a drawing. */
export const jpeg = (width: number, height: number, seed?: number): Promise<Buffer> =>
  drawing(width, height, seed).jpeg({ quality: 90 }).toBuffer();

/** An image of one colour. */
export const plain = (width: number, height: number, colour = "#ffffff"): Sharp =>
  sharp({ create: { width, height, channels: 3, background: colour } });

function chunk(kind: string, body: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(body.length);
  const rest = Buffer.concat([Buffer.from(kind, "latin1"), body]);
  const crc = Buffer.alloc(4);
  crc.writeUInt32BE(crc32(rest));
  return Buffer.concat([length, rest, crc]);
}

/** A PNG whose header states a square of this edge and whose rows are all equal. */
export function hugePng(edge: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(edge, 0);
  header.writeUInt32BE(edge, 4);
  header.set([1, 0, 0, 0, 0], 8);
  const rows = deflateSync(Buffer.alloc(edge * (1 + Math.ceil(edge / 8))), { level: 9 });
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk("IHDR", header),
    chunk("IDAT", rows),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}
