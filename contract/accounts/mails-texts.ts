export const mailsTexts = {
  returned: {
    title: (address: string) => `Our mails to ${address} come back`,
    text: 'Please check your address. Until then we send only what your account needs.',
    textNew: 'Please check the new address: the link that proves it cannot get there.',
    change: 'Change Address',
    prove: 'It Is Right: Send A Test Mail',
    proving: 'Sending...',
    sent: (address: string) =>
      `We wrote to ${address} once more. Open the link in that mail, and everything goes there again.`,
    failed: 'The mail could not be sent. Please try again.',
  },
  queue: {
    title: 'Outgoing mail',
    lead: (waiting: number, failed: number) =>
      `${waiting} ${waiting === 1 ? 'mail waits' : 'mails wait'}, ${failed} could not be delivered. Their words stay hidden: some hold codes.`,
    columns: { to: 'To', kind: 'About', state: 'State', why: 'Why', actions: 'Actions' },
    states: { WAITING: 'Waiting', HELD: 'Held back', FAILED: 'Not delivered' },
    held: 'Leaves with the next mail to this person: they had ten within an hour.',
    tries: (tries: number) => (tries === 1 ? 'Tried once' : `Tried ${tries} times`),
    notTried: 'Not tried yet',
    nextTry: (when: string) => `Next try: ${when}`,
    written: (when: string) => `Written ${when}`,
    account: 'Account',
    sendAgain: 'Send Again',
    sendAgainTo: (to: string) => `Send again to ${to}`,
    queued: 'The mail is back in line.',
    noWords: 'Held a code or is too old, so it cannot be sent again.',
    failed: 'The queue could not be read. Please try again.',
    empty: 'Nothing waits: every mail has left.',
    refresh: 'Refresh',
  },
} as const
