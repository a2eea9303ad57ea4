import sharp from "sharp";

/** A small JPEG that differs for each number. */
export async function drawImage(number: number, edge = 320): Promise<Buffer> {
  const at = (prime: number): number => (number * prime) % edge;
  const spots = [31, 53, 71, 97, 113].map(
    (prime, index) =>
      `<circle cx="${at(prime)}" cy="${at(prime + 6)}" r="${edge / (4 + index)}" fill="hsl(${at(prime + 2)}, 60%, ${30 + 8 * index}%)"/>`,
  );
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${edge}" height="${edge}"><rect width="100%" height="100%" fill="#eee"/>${spots.join("")}</svg>`;
  return await sharp(Buffer.from(svg)).jpeg().toBuffer();
}
