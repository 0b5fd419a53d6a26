/** Texts of the PDF seal that a PDF reader displays. */
export const sealTexts = {
  reason: 'Sealed once both had signed. Any change to this file breaks the seal.',
} as const
