import type { ModuleDocs } from '../openapi/module-docs.ts'
import { acceptInvitation, adminEvent, administrator, finishEnrollment, readMe } from './administrators.ts'
import { queuedEmail } from './email-endpoints.ts'
import { adminLogin, mailboxEmail, person, readPresence, user, wholesaler } from './endpoints.ts'
import { passkey } from './passkeys.ts'
import { session } from './privacy/endpoints.ts'
import { foundPerson, personState, suspension } from './suspensions.ts'
import { createToken, personalToken } from './tokens.ts'

/** WebAuthn limits passkeys to pages of our own address. */
const ceremony = 'Only our own pages can use it: browsers bind passkeys to their address.'
const adminCodeSentence = 'Six digits of the authenticator app, or a recovery code.'
const sameAnswer = 'The answer is the same whether the address has an account or not.'

export const accountsApiDocs: ModuleDocs = {
  tag: { name: 'Accounts', description: 'People, their sessions and their email addresses.' },
  operations: {
    'GET /user': {
      summary: 'Read your account',
      description: 'Whose token or session this is. `_id` is your id in all other operations.',
    },
    'PATCH /user/edit': {
      summary: 'Change your account',
      description: 'Omitted fields stay. A new email address applies once it is verified.',
      example: { phoneNumber: '(313) 555-0142' },
    },
    'DELETE /user/:userType/:id': {
      summary: 'Delete your account',
      description: 'Not while a sale is in progress: DealInProgress names its car in `current`.',
    },
    'POST /auth/register': {
      summary: 'Register',
      description: 'Sends an email with a link that verifies the address.',
      example: {
        firstName: 'Sam',
        lastName: 'Seller',
        email: 'sam.seller@example.com',
        phoneNumber: '(313) 555-0142',
        userType: 'SELLER',
        password: 'correct horse battery',
        confirmPassword: 'correct horse battery',
      },
    },
    'POST /auth/login': { summary: 'Sign in', description: 'Sets the cookies of a session.' },
    'POST /auth/login/link': {
      summary: 'Sign in with an emailed link',
      description: 'Such a link is sent to an owner whose password is being guessed.',
    },
    'GET /auth/logout': 'Sign out',
    'GET /auth/refresh': 'Renew a session',
    'POST /auth/email/send': { summary: 'Send the verification email again', description: sameAnswer },
    'GET /auth/email/verify/:code': 'Verify an email address',
    'POST /auth/password/forgot': { summary: 'Ask for a new password', description: sameAnswer },
    'POST /auth/password/reset': {
      summary: 'Set a new password with an emailed code',
      description: 'Signs out all other sessions.',
    },
    'PATCH /auth/password/change': {
      summary: 'Change your password',
      description: 'Signs out all other sessions.',
    },
    'GET /user/sessions': {
      summary: 'List your sessions',
      description:
        'Active sessions, then the sign-ins of the past weeks. In each group, the most recently used comes first.',
    },
    'DELETE /user/sessions/:sessionId': {
      summary: 'Sign out one of your sessions',
      description: 'Returns the sessions as they are then.',
    },
    'DELETE /user/sessions': {
      summary: 'Sign out all other sessions',
      description: 'The session of the caller stays. Returns the sessions as they are then.',
    },
    'GET /user/tokens': {
      summary: 'List your access tokens',
      description: 'Newest first, also expired ones. Revoked tokens are not listed.',
    },
    'POST /user/tokens': {
      summary: 'Create an access token',
      description:
        'The only answer that contains the token. It works for `days` days; an account can have 20 active ones. A changed password revokes all of them.',
      example: {
        name: 'Inventory',
        scopes: ['profile:read', 'cars:read', 'deals:read'],
        days: 90,
        currentPassword: 'correct horse battery',
      },
    },
    'DELETE /user/tokens/:tokenId': {
      summary: 'Revoke an access token',
      description: 'Its next request gets 401 InvalidToken.',
    },
    'POST /auth/passkey/start': {
      summary: 'Start a sign-in with a passkey',
      description: `Returns the options for the browser, which name no account. ${ceremony}`,
      isInternal: true,
    },
    'POST /auth/passkey/login': {
      summary: 'Sign in with a passkey',
      description: ceremony,
      isInternal: true,
    },
    'GET /user/passkeys': { summary: 'List your passkeys', isInternal: true },
    'POST /user/passkeys/start': {
      summary: 'Start adding a passkey',
      description: `Returns the options for the browser, after the password or a recent sign-in. ${ceremony}`,
      isInternal: true,
    },
    'POST /user/passkeys': { summary: 'Add a passkey', description: ceremony, isInternal: true },
    'PATCH /user/passkeys/:passkeyId': {
      summary: 'Rename a passkey',
      example: { name: 'Phone' },
      isInternal: true,
    },
    'DELETE /user/passkeys/:passkeyId': { summary: 'Remove a passkey', isInternal: true },
    'POST /user/passkeys/dismiss': {
      summary: 'Dismiss the offer of a passkey',
      description: 'On all devices.',
      isInternal: true,
    },
    'GET /user/data': {
      summary: 'Read how long your data is stored',
      description: 'Also lists who could see it.',
      isInternal: true,
    },
    'POST /user/data': {
      summary: 'Download your data',
      description: 'Everything about the caller, as JSON or as a page to read.',
      example: { format: 'json', currentPassword: 'correct horse battery' },
      isInternal: true,
    },
    'GET /user/presence': 'Read whether others see that you look at a deal',
    'PUT /user/presence': 'Choose whether others see that you look at a deal',
    'GET /user/mail': 'Read whether emails reach you',
    'POST /user/mail/prove': {
      summary: 'Check an address that has bounced',
      description: 'Sends a link to it. Opening the link verifies the address again.',
    },
    'POST /auth/admin/login': {
      summary: 'Sign in as administrator',
      description:
        'With name and password, and a code of the authenticator app where one is set up. A recovery code serves as well.',
      example: { username: 'alex', password: 'correct horse battery', code: '123456' },
    },
    'POST /auth/admin/invitation': {
      summary: 'Accept an invitation as administrator',
      description: 'Sets the first password and signs in. A link works once, for three days.',
    },
    'GET /auth/admin/logout': 'Sign out as administrator',
    'GET /auth/admin/refresh': 'Renew an administrator’s session',
    'GET /admin/me': {
      summary: 'Read who is signed in as administrator',
      description: 'Also before an authenticator app is set up.',
    },
    'POST /admin/me/confirm': {
      summary: 'Enter the administrator’s password again',
      description: 'Acts with great effect need a password that was entered within the last ten minutes.',
    },
    'POST /admin/me/codes': {
      summary: 'Start setting up an authenticator app',
      description: 'Returns a new secret, which counts once a code has confirmed it.',
    },
    'POST /admin/me/codes/confirm': {
      summary: 'Finish setting up an authenticator app',
      description: 'Returns the recovery codes. No other answer contains them.',
      example: { code: '123456' },
    },
    'GET /admin/administrators': 'List administrators',
    'POST /admin/administrators': {
      summary: 'Invite an administrator',
      description: 'SUPPORT reads; an OPERATOR also acts. No other answer contains the link.',
      example: { name: 'Alex Admin', username: 'alex', role: 'SUPPORT' },
    },
    'POST /admin/administrators/:administratorId': {
      summary: 'Change an administrator',
      description:
        'Changes the role, disables, enables, ends sessions, removes the authenticator app, or invites again. Nobody changes their own account.',
      example: { change: 'makeOperator' },
    },
    'GET /admin/events': {
      summary: 'List what administrators did and viewed',
      description: 'Newest first, for one administrator or about one person if named.',
    },
    'GET /admin/people': {
      summary: 'Find people',
      description: 'By id, complete email address, or the start of a first or last name. At most 20.',
    },
    'GET /admin/people/:userId': {
      summary: 'Read an account as administrator',
      description: 'With its sessions, listings, open deals and suspensions.',
    },
    'POST /admin/people/:userId/suspend': {
      summary: 'Suspend an account',
      description:
        'Ends its sessions, revokes its access tokens, hides its listings and pauses its deals. The person reads `note`.',
      example: { reason: 'FRAUD', note: 'Please send us a photo of the title.' },
    },
    'POST /admin/people/:userId/suspensions/:suspensionId/lift': {
      summary: 'Lift a suspension',
      description: 'Lifting it again changes nothing, and a newer suspension stays.',
    },
    'POST /admin/people/:userId/sessions/end': 'End all sessions of a person',
    'GET /admin/mails': 'List the emails in the mailbox',
    'GET /admin/mails/queue': 'List unsent emails',
    'POST /admin/mails/:mailId/send': 'Send a failed email again',
    'GET /admin/mails/:mailId/files': 'List the attachments of an email',
    'GET /admin/mails/:mailId/files/:file': 'Read an attachment of an email',
    'GET /admin/wholesalers': 'List wholesalers',
    'POST /admin/wholesalers/:userId/approve': 'Approve a wholesaler',
    'POST /admin/wholesalers/:userId/decline': 'Decline a wholesaler',
  },
  schemas: {
    User: { schema: user, description: 'An account, as its owner sees it.' },
    Person: { schema: person, description: 'A person, as the other party of a sale sees them.' },
    Session: {
      schema: session,
      description: 'A session of yours.',
      fields: { name: ['Browser and system.', 'Firefox on Windows'] },
    },
    AccessToken: {
      schema: personalToken,
      description: 'A personal access token, without its secret.',
      fields: {
        name: ['The name that you gave it.', 'Inventory'],
        lastUsedAt: 'When it was last used, at most an hour behind; null if never.',
      },
    },
    CreatedToken: {
      schema: createToken.response,
      description: 'A new token and its row.',
      fields: {
        token: ['The token. Store it like a password.', 'kt_Zk3vT9…'],
      },
    },
    PresencePreference: readPresence.response,
    Wholesaler: wholesaler,
    MailboxEmail: mailboxEmail,
    QueuedEmail: queuedEmail,
    Passkey: passkey,
    SignedInAdministrator: readMe.response,
    AdministratorSignIn: { schema: adminLogin.body, fields: { code: adminCodeSentence } },
    AdministratorCode: { schema: finishEnrollment.body, fields: { code: adminCodeSentence } },
    AdministratorInvitation: {
      schema: acceptInvitation.body,
      fields: { code: 'The code of the invitation’s link.' },
    },
    Administrator: administrator,
    AdminEvent: adminEvent,
    FoundPerson: foundPerson,
    PersonState: personState,
    Suspension: suspension,
  },
}
