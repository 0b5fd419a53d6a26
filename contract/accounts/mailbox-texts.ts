export const mailboxTexts = {
  returned: {
    title: (address: string) => `Our emails to ${address} are bouncing`,
    text: 'Please correct your address or confirm it with a test email. Until then, we send only essential emails.',
    textNew: 'Please check the new address: we couldn’t deliver the verification link to it.',
    change: 'Change Address',
    prove: 'It Is Correct: Send A Test Email',
    proving: 'Sending...',
    sent: (address: string) =>
      `We sent another email to ${address}. Open the link in it, and all our emails will go there again.`,
    failed: 'The email could not be sent. Please try again.',
  },
  queue: {
    title: 'Outgoing email',
    lead: (waiting: number, failed: number) =>
      `${waiting} ${waiting === 1 ? 'email is' : 'emails are'} waiting, and ${failed} could not be delivered. Their text is hidden because some contain codes.`,
    columns: { to: 'To', kind: 'About', state: 'State', why: 'Why', actions: 'Actions' },
    states: { WAITING: 'Waiting', HELD: 'Held back', FAILED: 'Not delivered' },
    held: 'Will be sent with the next email to this person, who received ten within an hour.',
    tries: (tries: number) => (tries === 1 ? 'Tried once' : `Tried ${tries} times`),
    notTried: 'Not attempted yet',
    nextTry: (when: string) => `Next attempt: ${when}`,
    written: (when: string) => `Written ${when}`,
    account: 'Account',
    sendAgain: 'Send Again',
    sendAgainTo: (to: string) => `Send again to ${to}`,
    queued: 'The email is queued again.',
    noWords: 'It contained a code or is too old, so it can’t be sent again.',
    failed: 'The queue could not be loaded. Please try again.',
    empty: 'Nothing is waiting: every email has been sent.',
    refresh: 'Refresh',
  },
} as const
