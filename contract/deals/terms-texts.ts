/** Sentences about the terms that both sides sign, and about what a change of them does to signatures. */
export const termsTexts = {
  loan: {
    label: 'Seller’s loan',
    owed: 'The seller still owes money on it',
    none: 'No money is owed on it',
  },
} as const
