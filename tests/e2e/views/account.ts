import { mailsTexts } from '@keyturn/contract/accounts/mails-texts.ts'
import { accountTexts } from '@keyturn/contract/accounts/texts.ts'
import { packageTexts } from '@keyturn/contract/agreements/agreement-texts.ts'
import { consentTexts } from '@keyturn/contract/agreements/consent-texts.ts'
import { dealersTexts } from '@keyturn/contract/dealers/texts.ts'
import { dealTexts } from '@keyturn/contract/deals/texts.ts'
import { messagesTexts } from '@keyturn/contract/messages/texts.ts'
import { preferencesTexts } from '@keyturn/contract/notifications/preferences-texts.ts'
import type { PushDevices } from '@keyturn/contract/notifications/push.ts'
import { pushTexts } from '@keyturn/contract/notifications/push-texts.ts'
import { notificationTexts } from '@keyturn/contract/notifications/texts.ts'
import { demoPeople } from '../../../server/commands/seed/people.ts'
import { stopPath } from '../../../server/platform/mail/stop-links.ts'
import { pageTexts } from '../../../web/features/public-pages/page-texts.ts'
import { atTheAdministratorsDoor } from '../support/page/watch.ts'
import { someReports } from './messages.ts'
import {
  alert,
  answersWith,
  clicks,
  dialog,
  fails,
  fills,
  heading,
  holds,
  inDialog,
  inOrder,
  menuItem,
  presses,
  routes,
  tab,
  text,
  type View,
  viewsOf,
} from './view.ts'

const { profile, settings, menu, admin } = accountTexts
const { listings } = dealTexts
const { list: dealers } = dealersTexts
const opensBell = presses(new RegExp(`^${notificationTexts.title}`))

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

// States that only a mail server causes.
const returned = answersWith({
  returned: [{ address: 'maya@example.com', at: '2026-11-20T15:00:00.000Z', isNew: false }],
})
const queued = {
  kind: 'offers',
  because: null,
  createdAt: '2026-11-20T15:00:00.000Z',
  nextTryAt: null,
  canBeSentAgain: false,
}
const aQueue = {
  outgoing: true,
  waiting: 2,
  failed: 1,
  mails: [
    {
      ...queued,
      _id: 'a'.repeat(24),
      to: 'somebody.with.a.long.name@mail.example.com',
      state: 'FAILED',
      tries: 1,
      because: '550 5.1.1 The email account that you tried to reach does not exist',
      canBeSentAgain: true,
    },
    {
      ...queued,
      _id: 'b'.repeat(24),
      to: 'elena@example.com',
      kind: null,
      state: 'WAITING',
      tries: 3,
      because: '451 4.3.2 Please try again later',
      nextTryAt: '2026-11-20T15:10:00.000Z',
    },
    { ...queued, _id: 'c'.repeat(24), to: 'omar@example.com', state: 'HELD', tries: 0 },
  ],
}

/** The layout of every signed-in page, and the profile. */
export const accountViews: View[] = [
  ...viewsOf('elena', '/help', [
    { name: 'menu-buying', act: presses(menu.label), shows: menuItem(menu.logOut) },
    { name: 'bell-open', act: opensBell, shows: heading(notificationTexts.title) },
  ]),
  ...viewsOf('victor', '/help', [
    { name: 'menu-wholesaler', act: presses(menu.label), shows: menuItem(menu.logOut) },
  ]),
  { name: 'bell-empty', as: 'omar', at: '/help', act: opensBell, shows: text(notificationTexts.empty) },
  {
    name: 'help',
    as: 'maya',
    at: '/help',
    act: clicks(text(pageTexts.help.items[0].question)),
    shows: text(pageTexts.help.items[0].answer),
  },
  ...viewsOf('maya', '/profile', [
    { name: 'profile', shows: heading(profile.title) },
    {
      name: 'profile-edit-errors',
      act: inOrder(
        presses(profile.edit),
        fills({ [profile.firstName]: '', [profile.email]: 'maya', [profile.phone]: '1' }, profile.save),
      ),
      shows: text('Your name is required.'),
    },
    {
      name: 'profile-mail-returns',
      before: routes('**/user/mail', returned),
      shows: text(mailsTexts.returned.prove),
    },
  ]),
  ...viewsOf('maya', '/settings', [
    { name: 'settings', shows: text(preferencesTexts.kinds.requests.label) },
    {
      name: 'settings-devices',
      before: routes('**/notifications/push', answersWith(someDevices)),
      shows: text(pushTexts.kindsTitle),
    },
    {
      name: 'settings-mail-returns',
      before: routes('**/user/mail', returned),
      shows: text(mailsTexts.returned.change),
    },
    {
      name: 'settings-password-errors',
      act: inOrder(
        presses(settings.changePassword),
        fills({ [settings.password]: 'short', [settings.confirmPassword]: 'shorter' }, settings.save),
      ),
      shows: text('Passwords do not match.'),
    },
    { name: 'settings-consent', act: presses(consentTexts.read), shows: dialog(consentTexts.title) },
    {
      name: 'settings-withdraw',
      act: presses(consentTexts.withdraw),
      shows: dialog(consentTexts.withdrawTitle),
    },
    {
      name: 'settings-delete-refused',
      act: inOrder(presses(settings.deleteAccount), inDialog(presses(settings.delete))),
      shows: (page) => alert(page.getByRole('dialog')),
      expects: [/^DELETE \/user\/.* 409$/],
    },
  ]),
  {
    name: 'settings-wholesaler',
    as: 'victor',
    at: '/settings',
    shows: text(preferencesTexts.kinds.newTrades.label),
  },
  {
    name: 'signed-in-out-of-reach',
    as: 'maya',
    before: holds('**/user', fails),
    at: '/home',
    shows: alert,
  },
  { name: 'traders-only', as: 'victor', at: '/car/input', shows: text(accountTexts.tradersOnly.sentence) },

  {
    name: 'dev-sign-in',
    as: 'nobody',
    at: '/dev',
    shows: heading(admin.title),
    expects: atTheAdministratorsDoor,
  },
  ...viewsOf('administrator', '/dev', [
    { name: 'dev', shows: heading(admin.waiting) },
    {
      name: 'dev-reports',
      before: routes('**/admin/reports*', answersWith(someReports)),
      shows: text(messagesTexts.reports.handle),
    },
    { name: 'dev-mailbox', act: clicks(tab(admin.tabs.mailbox)), shows: heading(admin.mails) },
    {
      name: 'dev-mail-queue',
      before: routes('**/admin/mails/queue', answersWith(aQueue)),
      act: clicks(tab(admin.tabs.mailbox)),
      shows: heading(mailsTexts.queue.title),
    },
    {
      name: 'dev-mail',
      act: inOrder(clicks(tab(admin.tabs.mailbox)), presses(/^Open "Your request for/)),
      shows: dialog(),
    },
    { name: 'dev-dealers', act: clicks(tab(dealers.tab)), shows: text(dealers.rule) },
    {
      name: 'dev-dealer-add',
      act: inOrder(clicks(tab(dealers.tab)), presses(dealers.add, dealers.fields.makeKey)),
      shows: dialog(dealers.addTitle),
    },
    {
      name: 'dev-take-down',
      act: inOrder(clicks(tab(listings.title)), presses(/^Take down/)),
      shows: dialog(),
    },
    { name: 'dev-complete', act: presses(/^Complete the deal/), shows: dialog(packageTexts.complete) },
  ]),
]

const { password } = demoPeople.omar

export const accountChanges: View[] = [
  {
    name: 'mail-stop-done',
    as: 'nobody',
    at: (world) => world.mailedLink(demoPeople.maya.email, stopPath),
    act: presses(preferencesTexts.stop.button),
    shows: heading(preferencesTexts.stop.done),
  },
  {
    name: 'profile-new-address',
    as: 'omar',
    at: '/profile',
    act: inOrder(presses(profile.edit), fills({ [profile.email]: 'omar.haddad@example.com' }, profile.save)),
    shows: text(/^We wrote to/),
  },
  {
    name: 'settings-password-changed',
    as: 'omar',
    at: '/settings',
    act: inOrder(
      presses(settings.changePassword),
      fills({ [settings.password]: password, [settings.confirmPassword]: password }, settings.save),
    ),
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
