import { administratorTexts } from '@keyturn/contract/accounts/administrator-texts.ts'
import type { ListedAdministrator, Me } from '@keyturn/contract/accounts/administrators.ts'
import { accountErrors, accountTexts } from '@keyturn/contract/accounts/texts.ts'
import type { Page, Route } from '@playwright/test'
import { administratorSignInErrors } from '../support/page/watch-context.ts'
import {
  choose,
  click,
  dialog,
  fill,
  heading,
  inDialog,
  inSequence,
  intercept,
  press,
  respondWith,
  tab,
  text,
  type View,
  viewsOf,
} from './view.ts'

// Administrators, their invitations and their authenticator apps.

const { list, fields, confirm, enroll, invitation, events, changes } = administratorTexts

const [robin, kim, lee]: [ListedAdministrator, ListedAdministrator, ListedAdministrator] = [
  {
    _id: 'a'.repeat(24),
    name: 'Robin Vale',
    username: 'robin.vale',
    role: 'OPERATOR',
    state: 'ACTIVE',
    hasCodes: true,
    isMe: false,
  },
  {
    _id: 'b'.repeat(24),
    name: 'Kim Okonkwo-Lindqvist',
    username: 'kim.okonkwo-lindqvist@support.example.com',
    role: 'SUPPORT',
    state: 'INVITED',
    hasCodes: false,
    isMe: false,
  },
  {
    _id: 'c'.repeat(24),
    name: 'Lee Moran',
    username: 'lee',
    role: 'SUPPORT',
    state: 'DISABLED',
    hasCodes: true,
    isMe: false,
  },
]
const me: Me = {
  username: 'robin.vale',
  role: 'OPERATOR',
  isFromSettings: false,
  hasCodes: false,
  mustEnroll: false,
}
const invited = {
  administrator: kim,
  invitation: `https://keyturn.example/dev/invitation#code=${'q8Zr2L'.repeat(7)}w`,
}

const administratorsPath = '**/admin/administrators'
/** Answers reads with the list, and an invitation with `answer`. */
const withAdministrators = (answer: (route: Route) => unknown) => (page: Page) =>
  page.route(administratorsPath, (route) =>
    route.request().method() === 'GET' ? respondWith([robin, kim, lee])(route) : answer(route),
  )
const needsPassword = (route: Route) =>
  route.fulfill({
    status: 403,
    json: {
      errorCode: 'ReauthenticationRequired',
      message: accountErrors.ReauthenticationRequired().message,
    },
  })
const openTab = click(tab(administratorTexts.tab))
const openInvitation = inSequence(openTab, press(list.add))
const invite = inDialog(fill({ [fields.name]: kim.name, [fields.username]: kim.username }, list.send))

const secret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'
const withMe = (answer: Me) => async (page: Page) => {
  await page.route('**/admin/me', respondWith(answer))
  await page.route(
    '**/admin/me/codes',
    respondWith({ secret, uri: `otpauth://totp/Keyturn:robin.vale?secret=${secret}&issuer=Keyturn` }),
  )
  await page.route(
    '**/admin/me/codes/confirm',
    respondWith({ recoveryCodes: Array.from({ length: 10 }, (_, i) => `abcd2efg3hij4kl${i}`) }),
  )
}

export const administratorViews: View[] = [
  ...viewsOf('nobody', '/dev/invitation', [
    {
      name: 'dev-invitation-used',
      shows: text(accountErrors.InvalidInvitation().message),
      allowedErrors: administratorSignInErrors,
    },
  ]),
  ...viewsOf('nobody', '/dev/invitation#code=abc', [
    { name: 'dev-invitation', shows: heading(invitation.title), allowedErrors: administratorSignInErrors },
    {
      name: 'dev-invitation-errors',
      act: fill(
        { [invitation.password]: 'short', [invitation.confirmPassword]: 'shorter' },
        invitation.submit,
      ),
      shows: text('Passwords do not match.'),
      allowedErrors: administratorSignInErrors,
    },
  ]),
  ...viewsOf('administrator', '/dev', [
    { name: 'dev-administrators', act: openTab, shows: heading(events.title) },
    {
      name: 'dev-administrators-named',
      before: intercept(administratorsPath, respondWith([robin, kim, lee])),
      act: openTab,
      shows: text(list.states.DISABLED),
    },
    {
      name: 'dev-administrator-add',
      confirms: 'InvitationDialog',
      act: openInvitation,
      shows: dialog(list.add),
    },
    {
      name: 'dev-administrator-invited',
      confirms: 'ShowOnceDialog',
      before: withAdministrators(respondWith(invited)),
      act: inSequence(openInvitation, invite),
      shows: dialog(list.linkTitle),
    },
    {
      name: 'dev-administrator-change',
      confirms: 'ChangeDialog',
      before: withAdministrators(respondWith(invited)),
      act: inSequence(openTab, choose(list.of(list.change, robin.name), changes.disable.label)),
      shows: dialog(list.of(changes.disable.label, robin.name)),
    },
    {
      name: 'dev-password-again',
      confirms: 'PasswordDialog',
      before: withAdministrators(needsPassword),
      act: inSequence(openInvitation, invite),
      shows: dialog(confirm.title),
      // The button that sent the invitation waits for the password.
      isLoading: true,
      allowedErrors: [/^POST \/admin\/administrators 403$/],
    },
    {
      name: 'dev-enroll-required',
      before: withMe({ ...me, mustEnroll: true }),
      shows: text(enroll.required),
    },
    {
      name: 'dev-enroll',
      before: withMe({ ...me, mustEnroll: true }),
      act: press(enroll.start),
      shows: text(enroll.scan),
    },
    {
      name: 'dev-enroll-codes',
      before: withMe({ ...me, mustEnroll: true }),
      act: inSequence(press(enroll.start), fill({ [fields.code]: '123456' }, enroll.confirm)),
      shows: text(enroll.recoveryTitle),
    },
    {
      name: 'dev-support',
      before: withMe({ ...me, role: 'SUPPORT', hasCodes: true }),
      shows: text(administratorTexts.onlyOperators),
    },
    {
      name: 'dev-support-mailbox',
      before: withMe({ ...me, role: 'SUPPORT', hasCodes: true }),
      act: click(tab(accountTexts.admin.tabs.mailbox)),
      shows: text(accountTexts.admin.mailsForOperators),
    },
  ]),
]
