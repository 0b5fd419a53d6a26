/** Sentences about dealers, for the administrator and for both parties of a deal. */
export const dealersTexts = {
  /** The status of a deal that both have signed, for both parties. */
  handOver: {
    WAITING: (dealer: string) => `Both of you have signed. Your deal is on its way to ${dealer}.`,
    DELIVERED: (dealer: string) =>
      `Both of you have signed. ${dealer} has your deal and will be in touch with both of you.`,
    PARKED: (dealer: string) =>
      `Both of you have signed. Your deal has not reached ${dealer} yet: Keyturn still has to send it.`,
    /** The dealer has responded. */
    answered: (dealer: string) => `Both of you have signed, and ${dealer} has your deal.`,
  },
  /** The party that has to act next. */
  turns: {
    WAITING: (dealer: string) => `On its way to ${dealer}`,
    DELIVERED: (dealer: string) => `${dealer} takes it from here`,
    PARKED: (dealer: string) => `Not with ${dealer} yet`,
  },
  /** The dealer's reported steps, on the last screens of both parties. */
  said: {
    title: (dealer: string) => `From ${dealer}`,
    accepted: 'Has accepted your deal.',
    needsDocument: (document: string) => `Needs a document: ${document}`,
    appointment: (when: string, place: string) => `Appointment: ${when}, at ${place}`,
    earlierAppointment: (when: string, place: string) =>
      `Earlier appointment, no longer planned: ${when}, at ${place}`,
    paidSeller: 'Has paid the seller.',
    titleReceived: 'Has received the title.',
    complete: 'Has completed the sale.',
    cancelled: (reason: string) => `Has called off the sale: ${reason}`,
  },
  calledOff: {
    status: 'Called off',
    title: (dealer: string) => `${dealer} has called off this sale.`,
    text: 'The agreement that both of you signed no longer holds. Nothing is left for you to do.',
    reason: (reason: string) => `The reason: ${reason}`,
    startAgain: 'Ask for this car again',
    /** For the seller. */
    saleTo: (dealer: string, buyer: string) => `${dealer} has called off the sale to ${buyer}.`,
    freeAgain:
      'The agreement that both of you signed no longer holds. Your car is free for other buyers again: share it, or confirm another request.',
    story: 'See what happened',
    storyOf: (buyer: string) => `What has happened: ${buyer}`,
    close: 'Close',
    earlier: 'Sales that were called off',
    by: (dealer: string) => `Called off by ${dealer}`,
  },
  /** The administrator's list. */
  list: {
    tab: 'Dealers',
    title: 'Dealers',
    rule: 'A deal goes to the active dealer whose area has the car’s ZIP code, and of several to the narrowest area. If no area has it, it goes to the nearest one by number; without a ZIP code or any area, to the default dealer.',
    failed: 'The dealers could not be read. Please try again.',
    columns: {
      name: 'Dealer',
      areas: 'ZIP codes',
      reached: 'Reached by',
      state: 'State',
      actions: 'Actions',
    },
    isDefault: 'Default, from the settings',
    active: 'Active',
    inactive: 'Takes no new deals',
    parked: (count: number) =>
      count === 1 ? '1 delivery waits for you' : `${count} deliveries wait for you`,
    noAreas: 'None',
    ways: { webhook: 'Its system', mail: 'Email', none: 'Nothing yet' },
    add: 'Add A Dealer',
    addTitle: 'Add a dealer',
    editTitle: (name: string) => `Edit ${name}`,
    edit: 'Edit',
    of: (verb: string, name: string) => `${verb}: ${name}`,
    save: 'Save',
    saved: (name: string) => `${name} was saved.`,
    test: 'Send A Test',
    noTest: 'A test needs a system to go to.',
    testTaken: (name: string) => `${name} has taken the test.`,
    testFailed: (name: string, because: string) => `${name} has not taken the test: ${because}.`,
    fields: {
      name: 'Name',
      areas: 'ZIP codes it takes',
      areasHint: 'Beginnings and ranges, such as 941, 94000-95999.',
      webhookUrl: 'Address of its system',
      webhookHint: 'Called as standardwebhooks.com specifies, at each signed deal.',
      webhookSecrets: 'Key',
      keysThere: (count: number) =>
        count === 1
          ? 'There is a key. Leave this empty to keep it.'
          : 'There are two keys. Leave this empty to keep them.',
      noKeys: 'Begins with whsec_. While a new one takes over, enter both with a space between them.',
      makeKey: 'Make a new key',
      email: 'Email for deals',
      emailHint: 'Gets the package and the signed agreement.',
      phone: 'Phone',
      hours: 'Hours',
      active: 'Takes new deals',
    },
    fromSettings:
      'Everything else about the default dealer is in the settings of the server (DEALER_NAME and the like).',
  },
  deliveries: {
    title: 'Deliveries',
    lead: 'What was sent to dealers, the newest first.',
    failed: 'The deliveries could not be read. Please try again.',
    empty: 'Nothing has been sent to a dealer yet.',
    columns: { what: 'What', dealer: 'Dealer', state: 'State', tries: 'Last try', actions: 'Actions' },
    kinds: { 'deal.passed': 'Deal', 'deal.financing': 'Loan request', test: 'Test' },
    byMail: 'By email',
    bySystem: 'To its system',
    states: { WAITING: 'On its way', DELIVERED: 'Delivered', PARKED: 'Not delivered' },
    nextTry: (when: string) => `Next try ${when}`,
    notTried: 'Not tried yet',
    nowhere: 'There was nowhere to send it',
    taken: 'Taken',
    tries: 'See Every Try',
    triesOf: (what: string) => `Every try: ${what}`,
    tryLine: (what: string, ms: number) => `${what}, after ${ms} ms`,
    status: (status: number, because: string) => `${because} ${status}`,
    digest: 'SHA-256 of what was sent',
    close: 'Close',
    replay: 'Send Again',
    /** For a delivery that had no destination until now. */
    send: 'Send It',
    replayed: 'It is on its way, under the same id as ever.',
  },
  faults: {
    document: 'Please say what is missing, as plain text of up to 300 characters.',
    place: 'Please enter the place, as plain text of up to 200 characters.',
    reason: 'Please enter the reason as plain text.',
    time: 'Please give a date and time with its offset, such as 2026-11-25T15:00:00-05:00.',
    name: 'Please enter a name of up to 100 characters.',
    areas: 'Please enter ZIP codes: beginnings such as 941, or ranges such as 94000-95999.',
    phone: 'Please keep this to 40 characters.',
    hours: 'Please keep this to 100 characters.',
    active: 'Please use true or false.',
    needsKey: 'Please enter a key as well, or nobody can believe what is sent.',
    needsHttps: 'Please enter an address that begins with https://.',
  },
} as const
