/** Texts of a report that somebody else has listed the caller's car. */
export const claimTexts = {
  button: 'This Is My Car',
  ownListing: 'Go To Your Listing',
  title: 'This Is My Car',
  lead: 'Your report goes to the administrator with your name, your contact details and what you typed about the car. The other seller is not told who sent it.',
  reason: 'How can we tell that it is yours?',
  reasonHint: 'For example, the name on the title and how long you have owned the car.',
  reasonMissing: 'Please say how we can tell that the car is yours.',
  tooLong: 'Please keep this to 1,000 characters.',
  send: 'Send Report',
  cancel: 'Cancel',
  failed: 'Your report could not be sent. Please try again.',
  sent: 'Your report was sent to the administrator.',
  next: (email: string) =>
    `The administrator will compare it with the other listing, and we will email the decision to ${email}. If the other listing is removed, you can list the car.`,
  toDashboard: 'Go To Dashboard',
  /** For the administrator. */
  list: {
    title: 'Claimed cars',
    lead: 'Each of these people says that someone else has listed their car. We email your decision to the person who reported it.',
    columns: { listed: 'Listed', claimed: 'Claimed', reason: 'Reason', at: 'Reported', action: 'Action' },
    empty: 'No cars have been claimed.',
    failed: 'The reports could not be loaded. Please try again.',
    by: (name: string) => `By ${name}`,
    erased: 'This person has deleted their account.',
    state: { live: 'For sale', reserved: 'A buyer is confirmed', sold: 'Sold', removed: 'Removed' },
    keep: 'Keep Listing',
    keepOf: (car: string, name: string) => `Keep the listing of the ${car}: report from ${name}`,
    remove: 'Remove Listing',
    kept: 'The listing stays.',
    handledOn: (outcome: 'KEPT' | 'REMOVED', date: string) =>
      outcome === 'KEPT' ? `Kept on ${date}` : `Removed on ${date}`,
  },
} as const
