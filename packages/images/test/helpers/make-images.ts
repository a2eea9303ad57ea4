/** Images for tests, generated when they are needed. */

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
