/** English texts of issues with images. */

import type { ImageTexts } from "./codes.ts";

export const IMAGE_TEXTS_EN: ImageTexts = {
  E_IMAGE_FILE: {
    message: "“{value}” is a file name, and it is not known where the images are.",
    suggestion:
      "Write the address of the image, which begins with https. If the images are on your computer, give their folder or zip file on the command line (--images-dir).",
  },
  E_IMAGE_URL: {
    message: "“{value}” is not the address of an image.",
    suggestion: "Give one address that begins with https for each image.",
  },
  "E_IMAGE_URL.blank": {
    message: "“{value}” has a blank within the address.",
    suggestion: "Write %20 for the blank: {address}",
  },
  "E_IMAGE_URL.http": {
    message: "“{value}” begins with http; the marketplace takes https addresses only.",
    suggestion: "If the image opens at this address too, write this one: {address}",
  },
  "E_IMAGE_URL.scheme": {
    message: "“{value}” lacks the beginning of an address.",
    suggestion: "Put https:// in front: {address}",
  },
  W_IMAGE_TWICE: {
    message: "“{value}” occurs more than once in this row and is sent once.",
  },
};
