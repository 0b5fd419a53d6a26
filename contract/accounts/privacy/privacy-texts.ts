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
  cardLead: 'Download it, see how long it is stored, and who could see it.',
  open: 'View Your Data',
  back: 'Settings',
  failed: 'This could not be loaded. Please try again.',
  download: {
    title: 'Download everything about you',
    lead: 'One file to read or print, and one for programs. Both contain your account, your cars, sales, trades, messages and emails.',
    html: 'Download As Web Page',
    json: 'Download As JSON',
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
    why: 'Why',
    basis: 'Reason',
  },
  looks: {
    title: 'Who could see your data',
    lead: 'Who could see your email address and phone number, and what administrators looked at and did. The newest 200 are here, and all of them in the download.',
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
    `${who}, a wholesaler, saw it in the list of trades${about(car, 'with your')}.`,
  party: ({ who, car }) => `${who} could see it in your deal${about(car, 'on the')}.`,
  dealer: ({ who, car }) =>
    `${who}, the dealer, received it with the signed agreement${about(car, 'on the')}.`,
  administrator: ({ who, act }) => {
    const by = who === settingsAdministratorName ? who : `${who}, an administrator,`
    const words = act ? adminActTexts[act] : 'Looked at it'
    return `${by} ${words.charAt(0).toLowerCase()}${words.slice(1)}.`
  },
}
