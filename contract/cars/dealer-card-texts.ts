/** The dealer's card. Its reader can be a visitor, the seller or the buyer. */
export const dealerCardTexts = {
  title: (dealer: string) => `The dealer: ${dealer}`,
  lead: (dealer: string) => `${dealer} completes the sale once the seller and the buyer have signed.`,
  location: 'Location',
  noLocation: (dealer: string) => `${dealer} sets the place with both sides.`,
  phone: 'Phone',
  hours: 'Hours',
  money: 'Money',
  pays: (dealer: string) =>
    `${dealer} buys the car from the seller and sells it to the buyer. Keyturn does not handle the money.`,
  titleTerm: 'Title',
  titlePasses: (dealer: string) => `The seller signs over the title to ${dealer} at the appointment.`,
  titlePassesAfterLoan: (dealer: string) =>
    `The title can pass to ${dealer} once the seller’s loan is paid off.`,
} as const
