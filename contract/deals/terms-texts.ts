/** Sentences about the terms, and about the effect of a change on signatures. */
export const termsTexts = {
  loan: {
    label: 'Seller’s loan',
    owed: 'money still owed',
    none: 'none',
  },
  /** For a buyer who has signed, or is about to, while the car is promised to another buyer. */
  promised: {
    title: 'The seller has confirmed another buyer.',
    beforeSigning:
      'You can still sign. Your signature then waits with your offer: it counts if that sale falls through and the seller confirms you, and it no longer counts if the car is sold.',
    signed:
      'Your signature waits with your offer. It counts if that sale falls through and the seller confirms you, and it no longer counts if the car is sold.',
    label: 'This car',
    over: 'The sale to the other buyer fell through.',
  },
  /** For a buyer whose car was sold to another buyer. */
  lost: {
    title: 'The car was sold to another buyer.',
    text: 'Your offer has ended, and a signature on it no longer counts. There is nothing more for you to do.',
    freeTrade: 'If your request included a trade-in, you can use that trade-in for another purchase.',
    status: 'Sold to another buyer',
  },
  /** Warns whose signature a change will void, before it is made. */
  falls: {
    own: 'You have signed this offer. If you continue, your signature no longer counts and you have to sign the new terms.',
    ownEnds: 'You have signed this offer. If you delete the request, your signature no longer counts.',
    theirsEnd: (names: string, count: number) =>
      count === 1
        ? `${names} has already signed. If you delete the listing, that signature no longer counts.`
        : `${names} have already signed. If you delete the listing, those signatures no longer count.`,
    denied: (buyer: string) => `${buyer} has already signed: denying voids that signature.`,
    trade: (car: string) =>
      `This trade-in is part of your request for the ${car}. Deleting it removes it from the request and changes what is left to pay. The seller is notified.`,
    tradeLoan: (car: string) =>
      `This trade-in is part of your request for the ${car}. A change of its payoff amount changes what is left to pay.`,
    tradeLoanSigned:
      'You have signed that request. If you save a change, your signature will no longer count, and you will have to sign the new terms.',
    tradeSigned:
      'You have signed that request. If you delete this trade-in, your signature will no longer count, and you will have to sign the new terms.',
  },
} as const
