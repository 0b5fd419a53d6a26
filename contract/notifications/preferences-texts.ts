import type { NotificationKind } from './notification-kinds.ts'

type Kind = { label: string; hint: string }

export const preferencesTexts = {
  title: 'What we tell you by mail',
  lead: 'These switches do not change what the bell tells you.',
  kinds: {
    requests: {
      label: 'Requests for your car',
      hint: 'Somebody asks for it, changes the request or withdraws it.',
    },
    answers: {
      label: 'Your requests',
      hint: 'The seller answers, changes the asking price, proposes a price, or sells to somebody else.',
    },
    messages: { label: 'Messages', hint: 'The other side of a deal writes to you.' },
    signing: { label: 'Signatures', hint: 'The other side has signed, or the 72 hours are about to end.' },
    dealer: { label: 'The dealer', hint: 'What the dealer says until the sale is complete.' },
    offers: { label: 'Offers for your trade-in', hint: 'A wholesaler makes an offer, or an offer ends.' },
    ownOffers: { label: 'Your offers', hint: 'The owner answers, or your offer ends.' },
    newTrades: { label: 'New trades', hint: 'A trade waits for an offer.' },
    reminders: {
      label: 'Reminders',
      hint: 'Something still waits for you after 24 hours, 3 days or 7 days, or a trade for an offer after 3 hours.',
    },
  } satisfies Record<NotificationKind, Kind>,
  alwaysWhy:
    'Some mails cannot be switched off: links that prove it is you, changes to your password or address, the signed agreement, and when something that you signed or asked for no longer holds. Your account or the law needs them.',
  failed: 'Your choices could not be read. Please try again.',
  notSaved: 'This could not be saved. Please try again.',
  saved: 'Saved.',
  /** The unsubscribe page that an email links to. */
  stop: {
    title: 'Stop these mails',
    question: (about: string) => `Do you want no more mails of this kind: ${about}?`,
    lead: 'The bell in Keyturn goes on as before. You can switch the mails on again in your settings.',
    button: 'Stop These Mails',
    done: 'You will get no more of these mails',
    doneLead: 'The bell in Keyturn goes on as before. You can switch the mails on again in your settings.',
    invalidTitle: 'This link does not work',
    invalid: 'Part of it is missing or was changed. You can choose which mails you get in your settings.',
    settings: 'Settings',
  },
} as const
