import { formatDate, formatDateTime } from '../../shared/dates.ts'
import { plural } from '../../shared/texts.ts'
import { adminActTexts, settingsAdministratorName } from '../admin-acts.ts'
import type { ContactLook } from './endpoints.ts'
import type { ContactLookKind } from './rules.ts'

export const sessionTexts = {
  title: 'Devices',
  lead: (active: number) => `You are signed in on ${plural(active, 'device')}.`,
  failed: 'Your devices could not be loaded. Please try again.',
  open: 'Manage Devices',
  close: 'Close',
  thisDevice: 'This device',
  /** `network` is empty for a session whose address was erased. */
  signedIn: (at: string | null, network: string) =>
    `Signed in ${at === null ? 'with a link from an email' : formatDateTime(at)}${network === '' ? '' : ` from ${network}`}`,
  lastUsed: (at: string) => `Last used ${formatDateTime(at)}`,
  signOut: 'Sign Out',
  signOutOf: (name: string) => `Sign out ${name}`,
  signOutOthers: 'Sign Out Everywhere Else',
  signedOut: (name: string) => `${name} is signed out.`,
  othersSignedOut: 'All other devices are signed out.',
  signOutFailed: 'The device could not be signed out. Please try again.',
  unknown:
    'If you do not recognize a device, sign it out, change your password, and remove passkeys that you did not add.',
  past: 'Past sign-ins',
} as const

export const privacyTexts = {
  title: 'Your data',
  cardLead: 'Download your data, see how long it is stored, and see who had access to it.',
  open: 'View Your Data',
  back: 'Settings',
  failed: 'This could not be loaded. Please try again.',
  download: {
    title: 'Download everything about you',
    lead: 'One file to read or print, and one for programs. Both contain your account, cars, purchases, sales, trades, messages and emails.',
    html: 'Download as a Web Page',
    json: 'Download as JSON',
    working: 'Collecting…',
    failed: 'The file could not be downloaded. Please try again.',
    fileNames: { html: 'keyturn-my-data.html', json: 'keyturn-my-data.json' },
    dialogTitle: 'Download your data',
    dialogLead: 'Anyone who has this file can read everything in it. Keep it where only you can open it.',
    download: 'Download',
    cancel: 'Cancel',
    done: 'Your file has been downloaded.',
  },
  retention: {
    title: 'What is stored, how long and why',
    lead: 'How long Keyturn stores each kind of data about you.',
    what: 'What',
    howLong: 'How long',
    why: 'Purpose',
    basis: 'Basis',
  },
  looks: {
    title: 'Who had access to your data',
    lead: 'Who could see your email address and phone number, and what administrators viewed and did. Every entry is about you: a list, a search or the mailbox of this site is here because you were in it. The 200 most recent entries are shown; the download has all of them.',
    empty: 'Nothing is recorded.',
    sentence: (look: ContactLook) => lookSentences[look.kind](look),
    on: (at: string) => formatDate(at),
  },
  document: {
    title: 'Everything that Keyturn stores about you',
    madeFor: (name: string, at: string) => `Made for ${name} on ${at}.`,
    utc: 'All times are in UTC.',
    empty: 'Nothing.',
    more: 'The JSON file contains the same.',
  },
} as const

const about = (car: string, words: string) => (car === '' ? '' : ` ${words} ${car}`)

const lookSentences: Record<ContactLookKind, (look: ContactLook) => string> = {
  wholesaler: ({ who, car }) =>
    `${who}, a wholesaler, saw your contact details${about(car, 'with your trade-in, the')}.`,
  party: ({ who, car }) => `${who} could see your contact details${about(car, 'in your deal on the')}.`,
  dealer: ({ who, car }) =>
    `${who}, the dealer, received your contact details with the signed agreement${about(car, 'on the')}.`,
  administrator: ({ who, act }) => {
    const by = who === settingsAdministratorName ? who : `${who}, an administrator,`
    const words = act ? adminActTexts[act] : 'Viewed your contact details'
    return `${by} ${words.charAt(0).toLowerCase()}${words.slice(1)}.`
  },
}
