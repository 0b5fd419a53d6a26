import { mailsTexts } from '@keyturn/contract/accounts/mails-texts.ts'
import { accountTexts } from '@keyturn/contract/accounts/texts.ts'
import { packageTexts } from '@keyturn/contract/deals/agreement-texts.ts'
import { consentTexts } from '@keyturn/contract/deals/consent-texts.ts'
import { dealersTexts } from '@keyturn/contract/deals/dealers/dealers-texts.ts'
import { messagesTexts } from '@keyturn/contract/deals/messages/messages-texts.ts'
import { dealTexts } from '@keyturn/contract/deals/texts.ts'
import type { PushDevices } from '@keyturn/contract/notifications/push.ts'
import { pushTexts } from '@keyturn/contract/notifications/push-texts.ts'
import { switchesTexts } from '@keyturn/contract/notifications/switches-texts.ts'
import { notificationTexts } from '@keyturn/contract/notifications/texts.ts'
import type { Route } from '@playwright/test'
import { stopPath } from '../../server/mail/stop-links.ts'
import { demoPeople } from '../../server/seed/people.ts'
import { pageTexts } from '../../web/pages/page-texts.ts'
import { atTheAdministratorsDoor } from '../house/watch.ts'
import { someReports } from './messages.ts'
import { dialog, fill, fills, heading, holds, press, presses, text, type View } from './view.ts'

const { profile, settings, menu, admin } = accountTexts
const { listings } = dealTexts
const { list: dealers } = dealersTexts

const answersWith = (json: unknown) => (route: Route) => route.fulfill({ json })

/** What only a mail server brings about. */
/** Two more browsers that tell Maya. */
const someDevices: PushDevices = {
  key: '',
  devices: ['Chrome on Android', 'Safari on iPhone'].map((name, i) => ({
    _id: String(i).repeat(24),
    name,
    digest: String(i).repeat(64),
    addedAt: '2026-11-20T15:00:00.000Z',
  })),
}

const aReturn = {
  returned: [{ address: 'maya@example.com', at: '2026-11-20T15:00:00.000Z', isNew: false }],
}
const queued = {
  kind: null,
  because: null,
  createdAt: '2026-11-20T15:00:00.000Z',
  nextTryAt: null,
  canBeSentAgain: false,
}
const aQueue = {
  outgoing: true,
  waiting: 2,
  failed: 2,
  mails: [
    {
      ...queued,
      _id: 'a'.repeat(24),
      to: 'somebody.with.a.long.name@mail.example.com',
      kind: 'offers',
      state: 'FAILED',
      tries: 1,
      because: '550 5.1.1 The email account that you tried to reach does not exist',
      canBeSentAgain: true,
    },
    {
      ...queued,
      _id: 'b'.repeat(24),
      to: 'maya@example.com',
      state: 'FAILED',
      tries: 0,
      because: 'its code has expired',
    },
    {
      ...queued,
      _id: 'c'.repeat(24),
      to: 'elena@example.com',
      state: 'WAITING',
      tries: 3,
      because: '451 4.3.2 Please try again later',
      nextTryAt: '2026-11-20T15:10:00.000Z',
    },
    { ...queued, _id: 'd'.repeat(24), to: 'omar@example.com', kind: 'offers', state: 'HELD', tries: 0 },
  ],
}

/** The frame that everybody has who is signed in, and their profile. */
export const accountViews: View[] = [
  {
    name: 'menu-buying',
    as: 'elena',
    at: '/help',
    act: presses(menu.label),
    shows: (page) => page.getByRole('menuitem', { name: menu.logOut }),
  },
  {
    name: 'menu-selling',
    as: 'maya',
    at: '/help',
    act: presses(menu.label),
    shows: (page) => page.getByRole('menuitem', { name: menu.logOut }),
  },
  {
    name: 'menu-wholesaler',
    as: 'victor',
    at: '/help',
    act: presses(menu.label),
    shows: (page) => page.getByRole('menuitem', { name: menu.logOut }),
  },
  {
    name: 'bell-open',
    as: 'elena',
    at: '/help',
    act: presses(new RegExp(`^${notificationTexts.title}`)),
    shows: heading(notificationTexts.title),
  },
  {
    name: 'bell-wholesaler',
    as: 'victor',
    at: '/help',
    act: presses(new RegExp(`^${notificationTexts.title}`)),
    shows: heading(notificationTexts.title),
  },
  {
    name: 'bell-empty',
    as: 'omar',
    at: '/help',
    act: presses(new RegExp(`^${notificationTexts.title}`)),
    shows: text(notificationTexts.empty),
  },
  {
    name: 'help',
    as: 'maya',
    at: '/help',
    act: (page) => page.getByText(pageTexts.help.items[0].question).click(),
    shows: text(pageTexts.help.items[0].answer),
  },
  { name: 'profile', as: 'maya', at: '/profile', shows: heading(profile.title) },
  { name: 'profile-wholesaler', as: 'victor', at: '/profile', shows: text('victor@example.com') },
  {
    name: 'profile-edit',
    as: 'maya',
    at: '/profile',
    act: presses(profile.edit),
    shows: dialog(profile.edit),
  },
  {
    name: 'profile-edit-errors',
    as: 'maya',
    at: '/profile',
    act: async (page) => {
      await press(page, profile.edit)
      await fill(page, { [profile.firstName]: '', [profile.email]: 'maya', [profile.phone]: '1' })
      await press(page, profile.save)
    },
    shows: text('Your name is required.'),
  },
  { name: 'settings', as: 'maya', at: '/settings', shows: text(switchesTexts.kinds.requests.label) },
  {
    name: 'settings-devices',
    as: 'maya',
    at: '/settings',
    before: (page) => page.route('**/notifications/push', answersWith(someDevices)),
    shows: text(pushTexts.kindsTitle),
  },
  {
    name: 'settings-wholesaler',
    as: 'victor',
    at: '/settings',
    shows: text(switchesTexts.kinds.newTrades.label),
  },
  {
    name: 'settings-mail-returns',
    as: 'maya',
    at: '/settings',
    before: (page) => page.route('**/user/mail', answersWith(aReturn)),
    shows: text(mailsTexts.returned.change),
  },
  {
    name: 'profile-mail-returns',
    as: 'maya',
    at: '/profile',
    before: (page) => page.route('**/user/mail', answersWith(aReturn)),
    shows: text(mailsTexts.returned.prove),
  },
  {
    name: 'settings-password',
    as: 'maya',
    at: '/settings',
    act: presses(settings.changePassword),
    shows: dialog(settings.changePassword),
  },
  {
    name: 'settings-password-errors',
    as: 'maya',
    at: '/settings',
    act: async (page) => {
      await press(page, settings.changePassword)
      await fill(page, { [settings.password]: 'short', [settings.confirmPassword]: 'shorter' })
      await press(page, settings.save)
    },
    shows: text('Passwords do not match.'),
  },
  {
    name: 'settings-consent',
    as: 'maya',
    at: '/settings',
    act: presses(consentTexts.read),
    shows: dialog(consentTexts.title),
  },
  {
    name: 'settings-withdraw',
    as: 'maya',
    at: '/settings',
    act: presses(consentTexts.withdraw),
    shows: dialog(consentTexts.withdrawTitle),
  },
  {
    name: 'settings-delete',
    as: 'maya',
    at: '/settings',
    act: presses(settings.deleteAccount),
    shows: dialog(settings.deleteAccount),
  },
  {
    name: 'settings-delete-refused',
    as: 'maya',
    at: '/settings',
    act: async (page) => {
      await press(page, settings.deleteAccount)
      await press(page.getByRole('dialog'), settings.delete)
    },
    shows: (page) => page.getByRole('dialog').getByRole('alert'),
    expects: [/^DELETE \/user\/.* 409$/],
  },
  {
    name: 'signed-in-out-of-reach',
    as: 'maya',
    before: holds('**/user', (route) => route.abort()),
    at: '/home',
    shows: (page) => page.getByRole('alert'),
  },

  {
    name: 'traders-only',
    as: 'victor',
    at: '/car/input',
    shows: text(accountTexts.tradersOnly.sentence),
  },

  {
    name: 'dev-sign-in',
    as: 'nobody',
    at: '/dev',
    shows: heading(admin.title),
    expects: atTheAdministratorsDoor,
  },
  {
    name: 'dev-sign-in-refused',
    as: 'nobody',
    at: '/dev',
    act: fills({ [admin.username]: 'admin', [admin.password]: 'not the password' }, admin.submit),
    shows: text(admin.failed),
    expects: [...atTheAdministratorsDoor, /^POST \/auth\/admin\/login 401$/],
  },
  { name: 'dev', as: 'administrator', at: '/dev', shows: heading(admin.waiting) },
  {
    name: 'dev-reports',
    as: 'administrator',
    at: '/dev',
    before: (page) => page.route('**/admin/reports*', answersWith(someReports)),
    shows: text(messagesTexts.reports.handle),
  },
  {
    name: 'dev-mailbox',
    as: 'administrator',
    at: '/dev',
    act: (page) => page.getByRole('tab', { name: admin.tabs.mailbox }).click(),
    shows: heading(admin.mails),
  },
  {
    name: 'dev-mail-queue',
    as: 'administrator',
    at: '/dev',
    before: (page) => page.route('**/admin/mails/queue', answersWith(aQueue)),
    act: (page) => page.getByRole('tab', { name: admin.tabs.mailbox }).click(),
    shows: heading(mailsTexts.queue.title),
  },
  {
    name: 'dev-mail',
    as: 'administrator',
    at: '/dev',
    act: async (page) => {
      await page.getByRole('tab', { name: admin.tabs.mailbox }).click()
      await press(page, /^Open "Your request for/)
    },
    shows: (page) => page.getByRole('dialog'),
  },
  {
    name: 'dev-dealers',
    as: 'administrator',
    at: '/dev',
    act: (page) => page.getByRole('tab', { name: dealers.tab }).click(),
    shows: text(dealers.rule),
  },
  {
    name: 'dev-dealer-add',
    as: 'administrator',
    at: '/dev',
    act: async (page) => {
      await page.getByRole('tab', { name: dealers.tab }).click()
      await press(page, dealers.add)
      await press(page, dealers.fields.makeKey)
    },
    shows: dialog(dealers.addTitle),
  },
  {
    name: 'dev-take-down',
    as: 'administrator',
    at: '/dev',
    act: async (page) => {
      await page.getByRole('tab', { name: listings.title }).click()
      await press(page, /^Take down/)
    },
    shows: (page) => page.getByRole('dialog'),
  },
  {
    name: 'dev-complete',
    as: 'administrator',
    at: '/dev',
    act: presses(/^Complete the deal/),
    shows: dialog(packageTexts.complete),
  },
]

export const accountChanges: View[] = [
  {
    name: 'mail-stop-done',
    as: 'nobody',
    at: (world) => world.mailedLink(demoPeople.maya.email, stopPath),
    act: presses(switchesTexts.stop.button),
    shows: heading(switchesTexts.stop.done),
  },
  {
    name: 'profile-new-address',
    as: 'omar',
    at: '/profile',
    act: async (page) => {
      await press(page, profile.edit)
      await fill(page, { [profile.email]: 'omar.haddad@example.com' })
      await press(page, profile.save)
    },
    shows: text(/^We wrote to/),
  },
  {
    name: 'settings-password-changed',
    as: 'omar',
    at: '/settings',
    act: async (page) => {
      const { password } = demoPeople.omar
      await press(page, settings.changePassword)
      await fill(page, { [settings.password]: password, [settings.confirmPassword]: password })
      await press(page, settings.save)
    },
    shows: text(settings.changed),
  },
  {
    name: 'dev-approved',
    as: 'administrator',
    at: '/dev',
    act: presses('Approve Wanda Price'),
    shows: text(admin.nobodyWaits),
  },
]
