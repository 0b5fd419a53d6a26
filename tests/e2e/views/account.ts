import { mailboxTexts } from '@keyturn/contract/accounts/mailbox-texts.ts'
import { passkeyTexts } from '@keyturn/contract/accounts/passkey-texts.ts'
import type { Session } from '@keyturn/contract/accounts/privacy/endpoints.ts'
import { privacyTexts, sessionTexts } from '@keyturn/contract/accounts/privacy/privacy-texts.ts'
import { accountTexts } from '@keyturn/contract/accounts/texts.ts'
import { tokenTexts } from '@keyturn/contract/accounts/token-texts.ts'
import type { PersonalToken } from '@keyturn/contract/accounts/tokens.ts'
import { consentTexts } from '@keyturn/contract/agreements/consent-texts.ts'
import { packageTexts } from '@keyturn/contract/agreements/term-sheet-texts.ts'
import { dealersTexts } from '@keyturn/contract/dealers/texts.ts'
import type { Insights } from '@keyturn/contract/deals/insights.ts'
import { insightsTexts } from '@keyturn/contract/deals/insights-texts.ts'
import { dealTexts } from '@keyturn/contract/deals/texts.ts'
import { messagesTexts } from '@keyturn/contract/messages/texts.ts'
import { preferencesTexts } from '@keyturn/contract/notifications/preferences-texts.ts'
import type { PushDevicesResponse } from '@keyturn/contract/notifications/push.ts'
import { pushTexts } from '@keyturn/contract/notifications/push-texts.ts'
import { notificationTexts } from '@keyturn/contract/notifications/texts.ts'
import { expect, type Page, type Route } from '@playwright/test'
import { demoPeople } from '../../../server/commands/seed/demo-people.ts'
import { unsubscribePath } from '../../../server/platform/mail/unsubscribe-link.ts'
import { pageTexts } from '../../../web/features/public-pages/page-texts.ts'
import { administratorSignInErrors } from '../support/page/watch-context.ts'
import { someReports } from './messages.ts'
import {
  abortRequest,
  alert,
  click,
  dialog,
  fill,
  heading,
  inDialog,
  inSequence,
  intercept,
  interceptPreloaded,
  menuItem,
  press,
  respondWith,
  tab,
  text,
  type View,
  viewsOf,
} from './view.ts'

const { profile, settings, menu, admin } = accountTexts
const { listings } = dealTexts
const { list: dealers } = dealersTexts
const openBell = press(new RegExp(`^${notificationTexts.title}`))

/** Two more browsers that get Maya's push notifications. */
const twoDevices: PushDevicesResponse = {
  key: '',
  devices: ['Chrome on Android', 'Safari on iPhone'].map((name, i) => ({
    _id: String(i).repeat(24),
    name,
    digest: String(i).repeat(64),
    addedAt: '2026-11-20T15:00:00.000Z',
  })),
}

/** This browser, a phone, and a past sign-in. */
const twoSessions: Session[] = ['Firefox on Windows', 'Safari on iPhone', 'Chrome on Mac'].map((name, i) => ({
  _id: String(i).repeat(24),
  name,
  network: i === 1 ? '2001:db8:1:2' : '203.0.113.7',
  signedInAt: `2026-11-2${5 - i}T15:00:00.000Z`,
  lastUsedAt: '2026-11-25T15:10:00.000Z',
  isCurrent: i === 0,
  isActive: i < 2,
}))
/** Only a device can add a passkey. */
const twoPasskeys = intercept(
  '**/user/passkeys',
  respondWith({
    passkeys: ['Google Password Manager', 'Security key in the drawer of the desk at home'].map(
      (name, i) => ({
        _id: String(i).repeat(24),
        name,
        createdAt: '2026-11-20T15:00:00.000Z',
        lastUsedAt: i === 0 ? '2026-11-26T09:00:00.000Z' : null,
      }),
    ),
    isOffered: false,
  }),
)
const twoTokens: PersonalToken[] = [
  {
    _id: 'a'.repeat(24),
    name: 'Inventory script',
    start: 'kt_q8Zr2L',
    scopes: ['profile:read', 'cars:read', 'cars:write', 'deals:read'],
    createdAt: '2026-11-20T15:00:00.000Z',
    expiresAt: '2027-02-18T15:00:00.000Z',
    lastUsedAt: '2026-11-24T15:00:00.000Z',
    lastNetwork: '203.0.113.7',
    isExpired: false,
  },
  {
    _id: 'b'.repeat(24),
    name: 'Messages on the office screen',
    start: 'kt_T0n4xB',
    scopes: ['messages:read'],
    createdAt: '2026-08-20T15:00:00.000Z',
    expiresAt: '2026-11-18T15:00:00.000Z',
    lastUsedAt: null,
    lastNetwork: null,
    isExpired: true,
  },
]
const createdToken = (route: Route) =>
  respondWith(
    route.request().method() === 'GET' ? [] : { token: `kt_${'q8Zr2L'.repeat(8)}w`, created: twoTokens[0] },
  )(route)
/** The fold is the last card, which moves as long as others load, so a tap may miss it. */
const openTokens = async (page: Page) => {
  const lead = text(tokenTexts.lead)(page)
  await expect(async () => {
    if (!(await lead.isVisible())) await text(tokenTexts.title)(page).click()
    await expect(lead).toBeVisible({ timeout: 1_000 })
  }).toPass()
}
const withTwoTokens = intercept('**/user/tokens', respondWith(twoTokens))

// States that only a mail server can cause.
const returnedMail = respondWith({
  returned: [{ address: 'maya@example.com', at: '2026-11-20T15:00:00.000Z', isNew: false }],
})
const queuedMail = {
  kind: 'offers',
  because: null,
  createdAt: '2026-11-20T15:00:00.000Z',
  nextTryAt: null,
  canBeSentAgain: false,
}
const mailQueue = {
  outgoing: true,
  waiting: 2,
  failed: 1,
  mails: [
    {
      ...queuedMail,
      _id: 'a'.repeat(24),
      to: 'somebody.with.a.long.name@mail.example.com',
      state: 'FAILED',
      tries: 1,
      because: '550 5.1.1 The email account that you tried to reach does not exist',
      canBeSentAgain: true,
    },
    {
      ...queuedMail,
      _id: 'b'.repeat(24),
      to: 'elena@example.com',
      kind: null,
      state: 'WAITING',
      tries: 3,
      because: '451 4.3.2 Please try again later',
      nextTryAt: '2026-11-20T15:10:00.000Z',
    },
    { ...queuedMail, _id: 'c'.repeat(24), to: 'omar@example.com', state: 'HELD', tries: 0 },
  ],
}

const noInsights: Insights = {
  funnel: { listed: 0, started: 0, requested: 0, confirmed: 0, signed: 0, completed: 0 },
  daysToSign: { median: null, groups: [0, 0, 0, 0, 0, 0] },
  trades: [],
  deals: [],
}

/** Menu, notifications, profile and settings, and the administrator's pages. */
export const accountViews: View[] = [
  ...viewsOf('elena', '/help', [
    { name: 'menu-buying', act: press(menu.label), shows: menuItem(menu.logOut) },
    { name: 'bell-open', act: openBell, shows: heading(notificationTexts.title) },
  ]),
  ...viewsOf('victor', '/help', [
    { name: 'menu-wholesaler', act: press(menu.label), shows: menuItem(menu.logOut) },
  ]),
  { name: 'bell-empty', as: 'omar', at: '/help', act: openBell, shows: text(notificationTexts.empty) },
  {
    name: 'help',
    as: 'maya',
    at: '/help',
    act: click(text(pageTexts.help.items[0].question)),
    shows: text(pageTexts.help.items[0].answer),
  },
  ...viewsOf('maya', '/profile', [
    { name: 'profile', shows: heading(profile.title) },
    {
      name: 'profile-edit-errors',
      confirms: 'ProfileForm',
      act: inSequence(
        press(profile.edit),
        fill({ [profile.firstName]: '', [profile.email]: 'maya', [profile.phone]: '1' }, profile.save),
      ),
      shows: text('Your name is required.'),
    },
    {
      name: 'profile-mail-returns',
      before: intercept('**/user/mail', returnedMail),
      shows: text(mailboxTexts.returned.prove),
    },
  ]),
  ...viewsOf('maya', '/settings', [
    { name: 'settings', shows: text(preferencesTexts.kinds.requests.label) },
    {
      name: 'settings-devices',
      before: intercept('**/notifications/push', respondWith(twoDevices)),
      shows: text(pushTexts.kindsTitle),
    },
    {
      name: 'settings-mail-returns',
      before: intercept('**/user/mail', returnedMail),
      shows: text(mailboxTexts.returned.change),
    },
    {
      name: 'settings-password-errors',
      confirms: 'ChangePasswordForm',
      act: inSequence(
        press(settings.changePassword),
        fill({ [settings.password]: 'short', [settings.confirmPassword]: 'shorter' }, settings.save),
      ),
      shows: text('Passwords do not match.'),
    },
    {
      name: 'settings-sessions',
      confirms: 'SessionsDialog',
      before: intercept('**/user/sessions', respondWith({ sessions: twoSessions })),
      act: press(sessionTexts.open),
      shows: dialog(sessionTexts.title),
    },
    { name: 'settings-passkeys', before: twoPasskeys, shows: text('Google Password Manager') },
    {
      name: 'settings-passkey-add',
      confirms: 'AddPasskeyDialog',
      act: press(passkeyTexts.add),
      shows: dialog(passkeyTexts.add),
    },
    {
      name: 'settings-passkey-rename',
      confirms: 'RenamePasskeyDialog',
      before: twoPasskeys,
      act: press(passkeyTexts.renameOf('Google Password Manager')),
      shows: dialog(passkeyTexts.renameTitle),
    },
    {
      name: 'settings-passkey-remove',
      confirms: 'RemovePasskeyDialog',
      before: twoPasskeys,
      act: press(passkeyTexts.removeOf('Google Password Manager')),
      shows: dialog(passkeyTexts.removeTitle),
    },
    { name: 'settings-consent', act: press(consentTexts.read), shows: dialog(consentTexts.title) },
    {
      name: 'settings-withdraw',
      confirms: 'WithdrawDialog',
      act: press(consentTexts.withdraw),
      shows: dialog(consentTexts.withdrawTitle),
    },
    { name: 'settings-tokens-none', act: openTokens, shows: text(tokenTexts.lead) },
    { name: 'settings-tokens', before: withTwoTokens, act: openTokens, shows: text(tokenTexts.neverUsed) },
    {
      name: 'settings-token-errors',
      confirms: 'CreateTokenDialog',
      act: inSequence(openTokens, press(tokenTexts.create), inDialog(press(tokenTexts.submit))),
      shows: text(tokenTexts.scopesInvalid),
    },
    {
      name: 'settings-token-new',
      confirms: 'ShowOnceDialog',
      before: intercept('**/user/tokens', createdToken),
      act: inSequence(
        openTokens,
        press(tokenTexts.create),
        fill({ [tokenTexts.name]: 'Inventory script' }),
        click((page) => page.getByLabel('cars:read')),
        inDialog(press(tokenTexts.submit)),
      ),
      shows: text(tokenTexts.doneLead),
    },
    {
      name: 'settings-token-revoke',
      confirms: 'RevokeDialog',
      before: withTwoTokens,
      act: inSequence(openTokens, press(tokenTexts.revokeOf('Inventory script'))),
      shows: dialog(tokenTexts.revokeTitle),
    },
    {
      name: 'settings-delete-refused',
      confirms: 'DeleteAccountDialog',
      act: inSequence(press(settings.deleteAccount), inDialog(press(settings.delete))),
      shows: (page) => alert(page.getByRole('dialog')),
      allowedErrors: [/^DELETE \/user\/.* 409$/],
    },
  ]),
  ...viewsOf('maya', '/settings/data', [
    { name: 'your-data', shows: heading(privacyTexts.download.title) },
    {
      name: 'your-data-looks',
      act: click(text(privacyTexts.looks.title)),
      shows: text(privacyTexts.looks.lead),
    },
    {
      name: 'your-data-retention',
      act: click(text(privacyTexts.retention.title)),
      shows: text(privacyTexts.retention.lead),
    },
    {
      name: 'your-data-download',
      confirms: 'DownloadDataDialog',
      act: press(privacyTexts.download.html),
      shows: dialog(privacyTexts.download.dialogTitle),
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
    before: interceptPreloaded('**/user', abortRequest),
    at: '/home',
    shows: alert,
  },
  { name: 'traders-only', as: 'victor', at: '/car/input', shows: text(accountTexts.tradersOnly.sentence) },

  {
    name: 'dev-sign-in',
    as: 'nobody',
    at: '/dev',
    shows: heading(admin.title),
    allowedErrors: administratorSignInErrors,
  },
  ...viewsOf('administrator', '/dev', [
    { name: 'dev', shows: heading(admin.waiting) },
    {
      name: 'dev-reports',
      before: intercept('**/admin/reports*', respondWith(someReports)),
      shows: text(messagesTexts.reports.handle),
    },
    {
      name: 'dev-insights',
      act: click(tab(insightsTexts.tab)),
      shows: heading(insightsTexts.funnel.title),
    },
    {
      name: 'dev-insights-empty',
      before: intercept('**/admin/insights', respondWith(noInsights)),
      act: click(tab(insightsTexts.tab)),
      shows: text(insightsTexts.funnel.empty),
    },
    { name: 'dev-mailbox', act: click(tab(admin.tabs.mailbox)), shows: heading(admin.mails) },
    {
      name: 'dev-mail-queue',
      before: intercept('**/admin/mails/queue', respondWith(mailQueue)),
      act: click(tab(admin.tabs.mailbox)),
      shows: heading(mailboxTexts.queue.title),
    },
    {
      name: 'dev-mail',
      act: inSequence(click(tab(admin.tabs.mailbox)), press(/^Open "Your request for/)),
      shows: dialog(),
    },
    { name: 'dev-dealers', act: click(tab(dealers.tab)), shows: text(dealers.rule) },
    {
      name: 'dev-dealer-add',
      confirms: 'DealerDialog',
      act: inSequence(click(tab(dealers.tab)), press(dealers.add, dealers.fields.makeKey)),
      shows: dialog(dealers.addTitle),
    },
    {
      name: 'dev-take-down',
      confirms: 'ListingRemoval',
      act: inSequence(click(tab(listings.title)), press(/^Take down/)),
      shows: dialog(),
    },
    {
      name: 'dev-complete',
      confirms: 'Completion',
      act: press(/^Complete the deal/),
      shows: dialog(packageTexts.complete),
    },
  ]),
]

const { password } = demoPeople.omar

export const accountChanges: View[] = [
  {
    name: 'mail-stop-done',
    as: 'nobody',
    at: (world) => world.mailedLink(demoPeople.maya.email, unsubscribePath),
    act: press(preferencesTexts.stop.button),
    shows: heading(preferencesTexts.stop.done),
  },
  {
    name: 'profile-new-address',
    as: 'omar',
    at: '/profile',
    act: inSequence(press(profile.edit), fill({ [profile.email]: 'omar.haddad@example.com' }, profile.save)),
    shows: text(/^We sent (an|another) email to/),
  },
  {
    name: 'settings-password-changed',
    as: 'omar',
    at: '/settings',
    act: inSequence(
      press(settings.changePassword),
      fill({ [settings.password]: password, [settings.confirmPassword]: password }, settings.save),
    ),
    shows: text(settings.changed),
  },
  {
    name: 'dev-approved',
    as: 'administrator',
    at: '/dev',
    act: press('Approve Wanda Price'),
    shows: text(admin.nobodyWaits),
  },
]
