import * as mailCalls from '@keyturn/contract/accounts/email-endpoints.ts'
import * as calls from '@keyturn/contract/accounts/endpoints.ts'
import * as passkeyCalls from '@keyturn/contract/accounts/passkeys.ts'
import * as tokenCalls from '@keyturn/contract/accounts/tokens.ts'
import { ApiError, apiErrors, isApiError } from '@keyturn/contract/shared/error.ts'
import type { FastifyReply } from 'fastify'
import type { Deps } from '../../deps.ts'
import { transaction } from '../../platform/database/open-database.ts'
import { type HttpContext, registerEndpoint } from '../../platform/http/register-endpoint.ts'
import { createEmailAttachments } from '../../platform/mail/email-attachments.ts'
import { listEmails, listQueuedEmails, resendEmail } from '../../platform/mail/email-queue.ts'
import type { AttachmentSources } from '../../platform/mail/email-tasks.ts'
import { markPeopleShown, recordAdminEvent } from './administrator/admin-events.ts'
import {
  decideOnWholesaler,
  refreshAdministratorSession,
  signOutAdministrator,
} from './administrator/administration.ts'
import { registerAdministrators } from './administrator/routes.ts'
import { signInAdministrator } from './administrator/sign-in.ts'
import { toMailboxEmail, toQueuedEmail, toWholesaler } from './mappers.ts'
import { addPasskey, startAddingPasskey } from './passkeys/add-passkey.ts'
import { listPasskeys, removePasskey, renamePasskey } from './passkeys/manage-passkeys.ts'
import { declineOffer } from './passkeys/passkey-repository.ts'
import { signInWithPasskey, startPasskeySignIn } from './passkeys/passkey-sign-in.ts'
import { readEmailStatus, sendAddressCheck } from './people/email-status.ts'
import { changePassword, forgotPassword, resetPassword } from './people/password-change.ts'
import { readPresenceSetting, setPresenceSetting } from './people/presence-setting.ts'
import { editUser, readUser } from './people/profile.ts'
import { register, type SignInResult, type StartDealOnRegistration } from './people/registration.ts'
import { findWholesalers } from './people/user-repository.ts'
import { sendVerification, verifyEmail } from './people/verification.ts'
import {
  clearTokenCookies,
  type SessionKind,
  setDeviceCookie,
  setTokenCookies,
  type Tokens,
  toVisitor,
} from './sessions/cookies.ts'
import { signInByLink } from './sessions/login-link.ts'
import { refreshUserSession, signIn, signOut } from './sessions/sign-in.ts'
import { createToken, listTokens, revokeToken } from './tokens/tokens.ts'

const ok = { ok: true } as const

export function registerAccounts(
  http: HttpContext,
  deps: Deps,
  hooks: { afterRegister?: StartDealOnRegistration; attachmentSources?: AttachmentSources } = {},
): void {
  const sendSession = (reply: FastifyReply, { user, tokens, proof }: SignInResult) => {
    setTokenCookies(deps, reply, tokens)
    setDeviceCookie(deps, reply, proof)
    return user
  }

  registerEndpoint(
    { ...http, runOnce: registerOnce },
    calls.register,
    async ({ body, request, reply, intent }) => {
      const registered = await register(
        { ...deps, intent },
        toVisitor(deps, request),
        body,
        hooks.afterRegister,
      )
      sendSession(reply, registered)
      return registered
    },
    ({ user }) => user,
  )
  registerEndpoint(http, calls.login, async ({ body, request, reply }) =>
    sendSession(reply, await signIn(deps, toVisitor(deps, request), body)),
  )
  registerEndpoint(http, calls.loginByLink, async ({ body, request, reply }) =>
    sendSession(reply, await signInByLink(deps, toVisitor(deps, request), body.code)),
  )
  registerEndpoint(http, passkeyCalls.startPasskeySignIn, ({ request }) =>
    startPasskeySignIn(deps, toVisitor(deps, request)),
  )
  registerEndpoint(http, passkeyCalls.signInWithPasskey, async ({ body, request, reply }) =>
    sendSession(reply, await signInWithPasskey(deps, toVisitor(deps, request), body.credential)),
  )
  registerEndpoint(http, calls.logout, async ({ request, reply }) => {
    await signOut(deps, toVisitor(deps, request))
    clearBrowser(reply, 'user')
    return ok
  })
  registerEndpoint(http, calls.refresh, ({ request, reply }) =>
    sendRenewedTokens(reply, 'user', () => refreshUserSession(deps, toVisitor(deps, request))),
  )

  registerEndpoint(http, calls.sendVerification, ({ body, request, caller }) =>
    sendVerification(deps, toVisitor(deps, request), body.email, caller.user?.id ?? null),
  )
  registerEndpoint(http, calls.verifyEmail, ({ params, request }) =>
    verifyEmail(deps, toVisitor(deps, request), params.code),
  )
  registerEndpoint(http, calls.forgotPassword, ({ body, request }) =>
    forgotPassword(deps, toVisitor(deps, request), body.email),
  )
  registerEndpoint(http, calls.resetPassword, async ({ body, request, reply }) => {
    const { message, proof } = await resetPassword(deps, toVisitor(deps, request), body)
    setDeviceCookie(deps, reply, proof)
    return { message }
  })
  registerEndpoint(http, calls.changePassword, async ({ actor, body, request, reply }) => {
    const { message, tokens, proof } = await changePassword(deps, toVisitor(deps, request), actor, body)
    setTokenCookies(deps, reply, tokens)
    setDeviceCookie(deps, reply, proof)
    return { message }
  })

  registerEndpoint(http, calls.getUser, ({ actor }) => readUser(deps, actor))
  registerEndpoint(http, calls.readPresence, ({ actor }) => readPresenceSetting(deps.db, actor.id))
  registerEndpoint(http, calls.setPresenceShown, ({ actor, body }) =>
    setPresenceSetting(deps.db, actor.id, body.isShown),
  )
  registerEndpoint(http, calls.editUser, ({ actor, request, body: { currentPassword, ...form } }) =>
    editUser(deps, toVisitor(deps, request), actor, form, currentPassword),
  )

  registerEndpoint(http, passkeyCalls.listPasskeys, ({ actor }) => listPasskeys(deps, actor))
  registerEndpoint(http, passkeyCalls.startAddingPasskey, ({ actor, body }) =>
    startAddingPasskey(deps, actor, body.currentPassword),
  )
  registerEndpoint(http, passkeyCalls.addPasskey, ({ actor, body, request }) =>
    addPasskey(deps, toVisitor(deps, request), actor, body.credential),
  )
  registerEndpoint(http, passkeyCalls.renamePasskey, ({ actor, params, body }) =>
    renamePasskey(deps, actor, params.passkeyId, body.name),
  )
  registerEndpoint(http, passkeyCalls.removePasskey, async ({ actor, params, body }) => {
    await removePasskey(deps, actor, params.passkeyId, body.currentPassword)
    return ok
  })
  registerEndpoint(http, passkeyCalls.dismissPasskeyOffer, async ({ actor }) => {
    await declineOffer(deps.db, { owner: actor.id })
    return ok
  })

  registerEndpoint(http, mailCalls.readEmailStatus, ({ actor }) => readEmailStatus(deps, actor))
  registerEndpoint(http, mailCalls.sendAddressCheck, ({ actor }) => sendAddressCheck(deps, actor))

  registerEndpoint(http, tokenCalls.listTokens, ({ actor }) => listTokens(deps, actor))
  registerEndpoint(http, tokenCalls.createToken, ({ actor, body }) => createToken(deps, actor, body))
  registerEndpoint(http, tokenCalls.revokeToken, ({ actor, params }) =>
    revokeToken(deps, actor, params.tokenId),
  )

  registerEndpoint(http, calls.adminLogin, async ({ body, request, reply }) => {
    const visitor = toVisitor(deps, request, 'administrator')
    const { tokens, proof } = await signInAdministrator(deps, visitor, body)
    setTokenCookies(deps, reply, tokens, 'administrator')
    setDeviceCookie(deps, reply, proof, 'administrator')
    return ok
  })
  registerEndpoint(http, calls.adminLogout, async ({ request, reply }) => {
    await signOutAdministrator(deps, toVisitor(deps, request, 'administrator'))
    clearBrowser(reply, 'administrator')
    return ok
  })
  registerEndpoint(http, calls.adminRefresh, ({ request, reply }) =>
    sendRenewedTokens(reply, 'administrator', () =>
      refreshAdministratorSession(deps, toVisitor(deps, request, 'administrator')),
    ),
  )
  registerAdministrators(http, deps)
  const loadFiles = async (mailId: string) => {
    const files = await createEmailAttachments(deps, hooks.attachmentSources ?? {}, mailId)
    if (!files) throw apiErrors.NotFound()
    return files
  }
  registerEndpoint(http, calls.listEmails, async ({ actor }) => {
    const mails = await listEmails(deps)
    markPeopleShown(
      actor,
      mails.map(({ userId }) => userId),
    )
    return mails.map(toMailboxEmail)
  })
  registerEndpoint(http, mailCalls.listQueuedEmails, async ({ actor }) => {
    const { mails, ...counts } = await listQueuedEmails(deps)
    markPeopleShown(
      actor,
      mails.map(({ userId }) => userId),
    )
    return { ...counts, outgoing: deps.config.smtpUrl !== null, mails: mails.map(toQueuedEmail) }
  })
  registerEndpoint(http, mailCalls.resendEmail, async ({ actor, params }) => {
    await transaction(deps.db, async (tx) => {
      const mail = await resendEmail({ db: tx }, params.mailId)
      if (!mail) throw apiErrors.NotFound()
      const event = { act: 'resentEmail', personId: mail.userId, subject: params.mailId } as const
      await recordAdminEvent(tx, actor, event)
    })
    deps.log.warn({ event: 'email resent', mail: params.mailId, by: actor.username }, 'security')
    return ok
  })
  registerEndpoint(http, mailCalls.listEmailAttachments, async ({ params }) =>
    (await loadFiles(params.mailId)).map(({ filename, contentType, content }) => ({
      name: filename,
      type: contentType,
      bytes: Buffer.byteLength(content),
    })),
  )
  registerEndpoint(http, mailCalls.readEmailAttachment, async ({ params, reply }) => {
    const file = (await loadFiles(params.mailId))[params.file]
    if (!file) throw apiErrors.NotFound()
    reply.header('content-disposition', `attachment; filename="${file.filename}"`)
    return new Uint8Array(Buffer.from(file.content))
  })
  registerEndpoint(http, calls.listWholesalers, async ({ actor, query }) => {
    const approved = query.approved === undefined ? null : query.approved === 'true'
    const rows = await findWholesalers(deps.db, approved)
    markPeopleShown(
      actor,
      rows.map(({ id }) => id),
    )
    return rows.map((row) => toWholesaler(deps.config, row))
  })
  registerEndpoint(http, calls.approveWholesaler, ({ actor, params }) =>
    decideOnWholesaler(deps, actor, params.userId, true),
  )
  registerEndpoint(http, calls.declineWholesaler, ({ actor, params }) =>
    decideOnWholesaler(deps, actor, params.userId, false),
  )

  /**
   * A user who never received the response has an account but no session. Resending the form with
   * the same key signs in, if the password is still right. The response is stored under the
   * browser's address, even when the cookies of the first response arrived.
   */
  async function registerOnce(
    ...[{ key }, call, request, reply, act]: Parameters<HttpContext['runOnce']>
  ): ReturnType<HttpContext['runOnce']> {
    const caller = { user: null, administrator: null }
    const stored = await http.runOnce({ caller, key }, call, request, reply, act)
    if (reply.statusCode !== 201 || !reply.hasHeader('idempotent-replayed')) return stored
    try {
      sendSession(
        reply,
        await signIn(deps, toVisitor(deps, request), calls.register.body.parse(request.body)),
      )
    } catch (error) {
      if (!isApiError(error, 'InvalidCredentials')) throw error
    }
    return stored
  }

  function clearBrowser(reply: FastifyReply, kind: SessionKind) {
    clearTokenCookies(deps, reply, kind)
    reply.header('clear-site-data', '"cache", "storage"')
  }

  /** Clears the cookies when a refresh fails; otherwise the browser would send them forever. */
  async function sendRenewedTokens(reply: FastifyReply, kind: SessionKind, refresh: () => Promise<Tokens>) {
    try {
      setTokenCookies(deps, reply, await refresh(), kind)
      return ok
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) clearTokenCookies(deps, reply, kind)
      throw error
    }
  }
}
