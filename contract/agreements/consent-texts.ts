/** Screen texts about the electronic consent; its own text is in `contract/frozen`. */
export const consentTexts = {
  title: 'Signing electronically',
  address: 'Postal address for paper copies',
  addressMissing: 'It could not be loaded. It is under Contact on our home page.',
  failed: 'This could not be loaded. Please try again.',
  never: 'You have not signed anything yet. Before your first signature you are asked whether you consent.',
  given: (when: string) => `You consented to sign electronically on ${when}.`,
  givenBefore: (when: string) =>
    `You consented to sign electronically on ${when}. The text has changed since, and you are asked again before your next signature.`,
  version: (version: string) =>
    `It covers agreements that you sign in Keyturn. You agreed to version ${version} of the text.`,
  withdrawn: (when: string) =>
    `You withdrew your consent on ${when}. Before your next signature you are asked again.`,
  read: 'Read the text',
  readAgain: 'Read again what you consented to',
  withdraw: 'Withdraw consent',
  withdrawTitle: 'Withdraw your consent',
  withdrawLead: 'If you withdraw your consent to sign electronically:',
  follows: [
    'What you have already signed stays valid.',
    'What you have not signed yet can no longer be signed here. You can make that sale on paper with the other side, outside of Keyturn.',
    'To sign here again, you have to consent again: we will ask you before your next signature.',
    'Your account, your cars and your requests stay as they are. Withdrawing costs nothing.',
  ],
  done: 'Your consent is withdrawn.',
  cancel: 'Cancel',
  close: 'Close',
} as const
