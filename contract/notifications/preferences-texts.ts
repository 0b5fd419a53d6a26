import type { NotificationKind } from './notification-kinds.ts'

type Kind = { label: string; hint: string }

export const preferencesTexts = {
  title: 'Email notifications',
  lead: 'These settings do not affect the bell.',
  kinds: {
    requests: {
      label: 'Requests for your car',
      hint: 'Someone requests it, changes the request or withdraws it.',
    },
    answers: {
      label: 'Your requests',
      hint: 'The seller answers, changes the asking price, proposes a price or sells to someone else.',
    },
    messages: { label: 'Messages', hint: 'The other side of a deal writes to you.' },
    signing: { label: 'Signatures', hint: 'The other side has signed, or the 72 hours are about to end.' },
    dealer: { label: 'The dealer', hint: 'Updates from the dealer until the sale is complete.' },
    offers: { label: 'Offers for your trade-in', hint: 'A wholesaler makes an offer, or an offer ends.' },
    ownOffers: { label: 'Your offers', hint: 'The owner answers, or your offer ends.' },
    newTrades: { label: 'New trades', hint: 'A trade is waiting for an offer.' },
    reminders: {
      label: 'Reminders',
      hint: 'Something is still waiting for you, such as a request, a signature or an offer.',
    },
  } satisfies Record<NotificationKind, Kind>,
  alwaysWhy:
    'Some emails cannot be turned off: verification links, changes to your password or address, the signed agreement, and notice when the terms have changed, the 72 hours have ended or the dealer has called off the sale. We send them to keep your account secure or because the law requires it.',
  failed: 'Your settings could not be loaded. Please try again.',
  notSaved: 'This could not be saved. Please try again.',
  saved: 'Saved.',
  /** The unsubscribe page that an email links to. */
  stop: {
    title: 'Stop these emails',
    question: (about: string) => `Stop emails of this kind: ${about}?`,
    lead: 'The bell in Keyturn keeps working. You can turn these emails back on in your settings.',
    button: 'Stop These Emails',
    done: 'You will no longer get these emails',
    doneLead: 'The bell in Keyturn keeps working. You can turn these emails back on in your settings.',
    invalidTitle: 'This link does not work',
    invalid: 'Part of it is missing or was changed. You can choose which emails you get in your settings.',
    settings: 'Settings',
  },
} as const
