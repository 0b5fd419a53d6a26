/** What the seal of a PDF says of itself where a PDF reader shows it. */
export const sealTexts = {
  reason: 'Sealed once both had signed. Any change to this file breaks the seal.',
} as const
